//! Judges a directory and prints the report, as a program of an application would.

use drawloom_validate::{TextStyle, Validation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    print!("{}", Validation::of_directory(directory).run()?.to_text(TextStyle::Plain));
    Ok(())
}
