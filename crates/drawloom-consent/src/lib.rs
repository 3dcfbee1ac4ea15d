//! A consent policy: acts on what each command states about an agent's word.
