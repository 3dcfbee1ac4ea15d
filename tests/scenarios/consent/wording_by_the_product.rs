//! What an agent is told, in the product's words.

use drawloom::consent::{Confirmation, ConsentWording};

use super::support::{Person, agent_behind, assert_holds, bench, call_each, refusal};

/// - **GIVEN** the wording `Only people reset.` for never and `They said no.` for refused, and a
///   confirmation that says no.
/// - **WHEN** the agent calls `notes.reset` and `notes.delete`.
/// - **THEN** the first answer holds `Only people reset.` and the second `They said no.`.
#[test]
fn the_product_s_own_words() {
    let (bench, person) = (bench(), Person::who_says([Confirmation::No]));
    let wording = ConsentWording::default().never("Only people reset.").refused("They said no.");
    let mut agent = agent_behind(&bench, person.policy().wording(wording));
    let messages = call_each(&mut agent, &["notes__reset", "notes__delete"]);
    assert_holds(refusal(&messages[0]), &["Only people reset."]);
    assert_holds(refusal(&messages[1]), &["They said no."]);
}
