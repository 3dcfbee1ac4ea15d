//! Which look-ups a decision makes, for the tests that compare them. Without tests, nothing is noted.

#[cfg(test)]
thread_local! {
    static NOTED: std::cell::RefCell<Vec<&'static str>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Notes a look-up.
#[cfg(test)]
pub(crate) fn note(what: &'static str) {
    NOTED.with_borrow_mut(|noted| noted.push(what));
}

/// Notes a look-up.
#[cfg(not(test))]
pub(crate) fn note(_: &'static str) {}

/// The look-ups that this thread makes while `run` runs.
#[cfg(test)]
pub(crate) fn during(run: impl FnOnce()) -> Vec<&'static str> {
    NOTED.take();
    run();
    NOTED.take()
}
