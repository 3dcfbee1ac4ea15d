//! An argument of a kind that there is not.

use drawloom::command::{ArgumentKind, CommandArgument};

fn main() {
    let due = CommandArgument::date("due");
    assert_eq!(due.kind(), ArgumentKind::Date);
}
