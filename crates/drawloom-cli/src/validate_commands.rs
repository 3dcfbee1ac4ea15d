//! `drawloom validate-commands`: what an agent will see of the commands in a directory. What is judged, and how it is
//! written down, is in `drawloom-validate`; here are the options and the exit code.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use drawloom_validate::{Report, Rule, TextStyle, Validation};

use crate::terminal::output::{self, print_error, print_error_text};
use crate::terminal::sanitize::Sanitized;

pub(crate) const HELP: &str = "\
Exit codes:
  0  the directory was judged
  1  --strict failed, or a rule given with --deny is broken
  2  it could not run: the directory or the command line is wrong

Grants, access, availability and the window are decided at run time and are not judged.

Examples:
  drawloom validate-commands --dir src
  drawloom validate-commands --dir . --strict --deny undescribed-argument
  drawloom validate-commands --dir src --format sarif > commands.sarif
  drawloom validate-commands --explain digest-name";

/// What the check is asked for.
#[derive(Debug, Args)]
pub(crate) struct ValidateCommandsOptions {
    /// The directory whose Rust sources and workbench files are read. Nothing is built or run.
    #[arg(long, value_name = "DIR", required_unless_present = "explain")]
    dir: Option<PathBuf>,
    /// How the findings are written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Fails if a callable command has no description, and for no other reason.
    #[arg(long)]
    strict: bool,
    /// Fails if this rule is broken. Can be given several times.
    #[arg(long, value_name = "RULE")]
    deny: Vec<Rule>,
    /// Reports every translation key that does not resolve in a language of this directory, which has a JSON file for
    /// each language.
    #[arg(long, value_name = "DIR")]
    translations: Option<PathBuf>,
    /// Explains a rule with an example.
    #[arg(long, value_name = "RULE", exclusive = true)]
    explain: Option<Rule>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Aligned lines for a person, coloured on a terminal.
    Text,
    /// One JSON object.
    Json,
    /// A SARIF 2.1.0 log, for code hosts and editors.
    Sarif,
}

pub(crate) fn run(options: &ValidateCommandsOptions) -> ExitCode {
    let result = match (&options.explain, &options.dir) {
        (Some(rule), _) => print(&Sanitized::text(&explanation(*rule))).map(|()| ExitCode::SUCCESS),
        (None, Some(directory)) => validate(directory.clone(), options),
        // clap requires one of the two.
        (None, None) => Err("--dir is missing".to_owned()),
    };
    result.unwrap_or_else(|message| {
        print_error(format_args!("error: {message}"));
        ExitCode::from(2)
    })
}

fn validate(directory: PathBuf, options: &ValidateCommandsOptions) -> Result<ExitCode, String> {
    let mut validation = Validation::of_directory(directory);
    if let Some(translations) = &options.translations {
        validation = validation.translations(translations);
    }
    let report = validation.run().map_err(|error| error.to_string())?;
    print(&written(&report, options.format)?)?;

    let mut denied = options.deny.clone();
    if options.strict {
        denied.push(Rule::MissingDescription);
    }
    match report.require(&denied) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(broken) => {
            print_error_text(&Sanitized::text(&broken.to_string()));
            Ok(ExitCode::from(1))
        }
    }
}

fn written(report: &Report, format: Format) -> Result<Sanitized, String> {
    let json = match format {
        Format::Text if console::colors_enabled() => {
            return Ok(Sanitized::styled(&report.to_text(TextStyle::Coloured)));
        }
        Format::Text => return Ok(Sanitized::text(&report.to_text(TextStyle::Plain))),
        Format::Json => report.to_json(),
        Format::Sarif => report.to_sarif(),
    };
    let text = serde_json::to_string_pretty(&json).map_err(|error| error.to_string())?;
    Ok(Sanitized::json(&(text + "\n")))
}

fn explanation(rule: Rule) -> String {
    let example: Vec<String> = rule.example().lines().map(|line| format!("    {line}")).collect();
    format!("{rule}: {}\n\n{}\n\nExample:\n{}\n", rule.summary(), rule.explanation(), example.join("\n"))
}

/// Prints a whole result.
fn print(text: &Sanitized) -> Result<(), String> {
    output::print(text).map_err(|error| error.to_string())
}
