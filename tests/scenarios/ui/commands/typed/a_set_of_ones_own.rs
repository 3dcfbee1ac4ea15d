//! Nobody adds to the set.

use drawloom::command::{ArgumentField, ArgumentScalar, Argument, CommandScalar};

struct Date(String);

impl ArgumentScalar for Date {
    fn argument(name: &str) -> Argument {
        String::declare(name)
    }

    fn read(scalar: CommandScalar) -> Result<Self, CommandScalar> {
        String::read(scalar).map(Date)
    }
}

fn main() {}
