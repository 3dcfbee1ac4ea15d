//! How much an agent may make the assembler hold.

/// The bounds on what a run may open and send. What goes over one is refused, never cut and run.
///
/// ```
/// use drawloom_ag_ui::AssemblerLimits;
///
/// let limits = AssemblerLimits::default().with_argument_bytes(64 * 1024).with_open_calls(8);
/// assert_eq!(limits.argument_bytes, 64 * 1024);
/// assert_eq!(limits.calls_per_run, 10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssemblerLimits {
    /// The most bytes the arguments of one call may have, as UTF-8. 1 MiB by default.
    pub argument_bytes: usize,
    /// The most calls that may be open at once. 128 by default.
    pub open_calls: usize,
    /// The most calls one run may make, those that were refused included. 10,000 by default.
    pub calls_per_run: usize,
    /// The most bytes a call's id may have. 1,024 by default.
    pub id_bytes: usize,
}

impl AssemblerLimits {
    /// With at most this many bytes of arguments a call.
    #[must_use]
    pub const fn with_argument_bytes(mut self, bytes: usize) -> Self {
        self.argument_bytes = bytes;
        self
    }

    /// With at most this many calls open at once.
    #[must_use]
    pub const fn with_open_calls(mut self, calls: usize) -> Self {
        self.open_calls = calls;
        self
    }

    /// With at most this many calls a run.
    #[must_use]
    pub const fn with_calls_per_run(mut self, calls: usize) -> Self {
        self.calls_per_run = calls;
        self
    }

    /// With ids of at most this many bytes.
    #[must_use]
    pub const fn with_id_bytes(mut self, bytes: usize) -> Self {
        self.id_bytes = bytes;
        self
    }
}

impl Default for AssemblerLimits {
    fn default() -> Self {
        Self { argument_bytes: 1024 * 1024, open_calls: 128, calls_per_run: 10_000, id_bytes: 1024 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setter_sets_its_own_limit_and_no_other() {
        let limits = AssemblerLimits::default()
            .with_argument_bytes(1)
            .with_open_calls(2)
            .with_calls_per_run(3)
            .with_id_bytes(4);
        assert_eq!(
            limits,
            AssemblerLimits { argument_bytes: 1, open_calls: 2, calls_per_run: 3, id_bytes: 4 }
        );
    }
}
