//! Declares an argument of a kind that there is not.

use drawloom::command::{ArgumentKind, Argument};

/// The match is whole with four arms.
fn argument(name: &str, kind: ArgumentKind) -> Argument {
    match kind {
        ArgumentKind::Text => Argument::text(name),
        ArgumentKind::Number => Argument::number(name),
        ArgumentKind::Boolean => Argument::boolean(name),
        ArgumentKind::Choice => Argument::choice(name, ["today", "tomorrow"]),
    }
}

fn main() {
    let _ = argument("due", ArgumentKind::Date);
}
