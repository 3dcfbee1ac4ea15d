//! Declares an argument of a kind that there is not.

use drawloom::command::{ArgumentKind, CommandArgument};

/// The match is whole with four arms.
fn argument(name: &str, kind: ArgumentKind) -> CommandArgument {
    match kind {
        ArgumentKind::Text => CommandArgument::text(name),
        ArgumentKind::Number => CommandArgument::number(name),
        ArgumentKind::Boolean => CommandArgument::boolean(name),
        ArgumentKind::Choice => CommandArgument::choice(name, ["today", "tomorrow"]),
    }
}

fn main() {
    let _ = argument("due", ArgumentKind::Date);
}
