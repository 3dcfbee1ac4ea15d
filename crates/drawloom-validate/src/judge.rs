//! One command, as it was read, against the rules. What registration refuses is asked of the command model itself: a
//! real [`Command`] is built and declared.

use std::collections::HashMap;

use drawloom_command::{
    AccessRequirement, AgentConsent, Argument, ArgumentKind, Command, CommandArgument, DeclarationError,
    EffectKind, Effects, InvocableCommand, RegistrationId, plain_command_id,
};
use drawloom_tools::{ToolWarning, tool_definition, tool_warnings};
use serde_json::Value;

use crate::finding::{Finding, FindingStatus, Location, Offer, Problem};
use crate::rule::{Rule, Severity};

/// The greatest whole number up to which a double holds every whole number.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// A text of a declaration.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Text {
    Known(String),
    /// Only the running program knows it.
    AtRunTime,
}

/// Whether a handler returns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    Value,
    Nothing,
    /// The source does not show it.
    Unknown,
}

/// A command whose declaration could be read.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) location: Location,
    pub(crate) id: String,
    pub(crate) title: Text,
    pub(crate) description: Option<Text>,
    pub(crate) answers: Option<Text>,
    pub(crate) arguments: Vec<CandidateArgument>,
    /// A JSON Schema that declares further arguments.
    pub(crate) schema: Option<Value>,
    pub(crate) category: Option<Text>,
    pub(crate) icon: Option<Text>,
    pub(crate) effects: Option<Effects>,
    pub(crate) agent_consent: Option<AgentConsent>,
    pub(crate) callable: bool,
    pub(crate) access: AccessRequirement,
    pub(crate) returns: Returns,
    pub(crate) notes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct CandidateArgument {
    pub(crate) argument: Argument,
    pub(crate) location: Location,
}

/// What stands for a text that only the running program knows. No rule objects to it.
const AT_RUN_TIME: &str = "(known at run time)";

impl Text {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Known(text) => text,
            Self::AtRunTime => AT_RUN_TIME,
        }
    }
}

/// Judges one command by itself. What concerns several of them is for the caller.
pub(crate) fn judge(candidate: Candidate) -> Finding {
    let (mut problems, sound) = refusals(&candidate);
    let mut notes = candidate.notes.clone();
    let refused = problems.iter().find(|problem| problem.rule.severity() == Severity::Error).cloned();
    let described = described(&candidate, sound, &mut problems);
    let status = match (refused, described) {
        (Some(problem), _) => {
            FindingStatus::NotOffered { reason: format!("registration refuses it: {}", problem.message) }
        }
        (None, _) if !candidate.callable => FindingStatus::NotOffered {
            reason: "it is not `callable`, so only its own plugin and the user reach it".to_owned(),
        },
        // The schema was refused while the arguments were put together.
        (None, None) => {
            let message = problems.last().map(|problem| problem.message.clone()).unwrap_or_default();
            FindingStatus::NotOffered { reason: format!("registration refuses it: {message}") }
        }
        (None, Some(command)) => {
            let mut gaps = offered_problems(&command, Some(&candidate));
            if candidate.answers.is_none() {
                match candidate.returns {
                    Returns::Value => gaps.push(Problem::new(
                        Rule::UndeclaredAnswer,
                        Some(candidate.location.clone()),
                        "the handler returns a value and the command declares no `answers`, so the value is dropped and \
                         an agent is told only that the command ran",
                    )),
                    Returns::Unknown => notes.push(
                        "the source does not show whether the handler returns a value; without `answers` it would be dropped"
                            .to_owned(),
                    ),
                    Returns::Nothing => {}
                }
            }
            let status = status_of(&command, &gaps);
            problems.extend(gaps);
            status
        }
    };
    Finding { command: Some(candidate.id), location: Some(candidate.location), status, problems, notes }
}

/// What a caller is shown, against the rules: the part that a live workbench shares.
pub(crate) fn judge_offered(command: &InvocableCommand) -> Finding {
    let problems = offered_problems(command, None);
    let status = status_of(command, &problems);
    Finding {
        command: Some(command.id.as_str().to_owned()),
        location: None,
        status,
        problems,
        notes: Vec::new(),
    }
}

fn status_of(command: &InvocableCommand, problems: &[Problem]) -> FindingStatus {
    let tool = tool_definition(command);
    let offer = Offer {
        tool_name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
        arguments: command.arguments.len(),
        described_arguments: command
            .arguments
            .iter()
            .filter(|argument| is_said(&argument.description))
            .count(),
        answers: command.answers.as_deref().map(str::to_owned),
    };
    let is_gap = |problem: &Problem| {
        matches!(
            problem.rule,
            Rule::MissingDescription | Rule::UndescribedArgument | Rule::UndeclaredAnswer | Rule::NoChoices
        )
    };
    match problems.iter().any(is_gap) {
        true => FindingStatus::AgentGuesses(offer),
        false => FindingStatus::Offered(offer),
    }
}

/// What registration refuses, and the arguments that it does not refuse.
fn refusals(candidate: &Candidate) -> (Vec<Problem>, Vec<Argument>) {
    let mut problems = Vec::new();
    let mut refuse = |location: &Location, error: &DeclarationError| {
        let rule = Rule::of_registration(error.code());
        problems.push(Problem::new(rule, Some(location.clone()), error.to_string()));
    };
    let (id, title) = (candidate.id.as_str(), candidate.title.as_str());
    let command = || {
        let command = Command::new(
            if id.is_empty() { "command" } else { id },
            if title.is_empty() { AT_RUN_TIME } else { title },
        );
        if candidate.callable { command.callable() } else { command }
    };
    // Each part is declared by itself, since the model reports the first mistake.
    let mut parts = vec![
        Command::new(id, AT_RUN_TIME),
        Command::new("command", title),
        command().access(candidate.access.clone()),
    ];
    parts.extend(candidate.effects.map(|effects| command().effects(effects)));
    parts.extend(candidate.category.as_ref().map(|text| command().category(text.as_str())));
    parts.extend(candidate.icon.as_ref().map(|text| command().icon(text.as_str())));
    for part in parts {
        if let Err(error) = part.declare() {
            refuse(&candidate.location, &error);
        }
    }
    let mut sound = Vec::new();
    let mut first = HashMap::new();
    for CandidateArgument { argument, location } in &candidate.arguments {
        let name = CommandArgument::from(argument.clone()).name().to_owned();
        let alone = command().argument(argument.clone()).declare().map(|_| ());
        let beside = match first.get(&name) {
            Some(other) => command()
                .arguments([Argument::clone(other), Argument::boolean(name.as_str())])
                .declare()
                .map(|_| ()),
            None => Ok(()),
        };
        match alone.and(beside) {
            Ok(()) => {
                first.insert(name.clone(), Argument::boolean(name));
                sound.push(argument.clone());
            }
            Err(error) => refuse(location, &error),
        }
    }
    (problems, sound)
}

/// The command as a caller would be told of it, with the arguments that are sound.
fn described(
    candidate: &Candidate,
    arguments: Vec<Argument>,
    problems: &mut Vec<Problem>,
) -> Option<InvocableCommand> {
    let filled = |text: &str| if text.is_empty() { AT_RUN_TIME.to_owned() } else { text.to_owned() };
    let mut command =
        Command::new(filled(&candidate.id), filled(candidate.title.as_str())).arguments(arguments);
    if let Some(description) = &candidate.description {
        command = command.description(description.as_str());
    }
    if let Some(answers) = &candidate.answers {
        command = command.answers(answers.as_str());
    }
    if let Some(schema) = &candidate.schema {
        command = command.arguments_from_schema(schema);
    }
    // What registration refuses of the effects is reported already.
    if let Some(effects) = candidate.effects
        && Command::new("command", AT_RUN_TIME).effects(effects).declare().is_ok()
    {
        command = command.effects(effects);
    }
    if let Some(consent) = candidate.agent_consent {
        command = command.agent_consent(consent);
    }
    if candidate.callable {
        command = command.callable();
    }
    match command.declare() {
        Ok(declaration) => declaration.describe(RegistrationId::unique(), Clone::clone),
        Err(error) => {
            let rule = Rule::of_registration(error.code());
            problems.push(Problem::new(rule, Some(candidate.location.clone()), error.to_string()));
            None
        }
    }
}

fn offered_problems(command: &InvocableCommand, candidate: Option<&Candidate>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let here = candidate.map(|candidate| candidate.location.clone());
    if !is_said(&command.description) {
        problems.push(Problem::new(
            Rule::MissingDescription,
            here.clone(),
            format!("it has no description, so an agent chooses it by its title \"{}\" alone", command.title),
        ));
    }
    if let Some(effects) = command.effects
        && (effects.kind() == EffectKind::Destroys || effects.is_irreversible())
        && command.agent_consent == Some(AgentConsent::Allow)
    {
        problems.push(Problem::new(
            Rule::HarmWithoutAsking,
            here.clone(),
            format!("it states that it {effects}, and lets an agent run it without asking the person"),
        ));
    }
    let places: HashMap<String, &Location> = candidate
        .into_iter()
        .flat_map(|candidate| &candidate.arguments)
        .map(|argument| {
            (CommandArgument::from(argument.argument.clone()).name().to_owned(), &argument.location)
        })
        .collect();
    for argument in &command.arguments {
        let name = &*argument.name;
        let location = places.get(name).map(|location| (*location).clone()).or_else(|| here.clone());
        if !is_said(&argument.description) {
            problems.push(Problem::new(
                Rule::UndescribedArgument,
                location.clone(),
                format!(
                    "argument \"{name}\" has no description, so an agent guesses what to send from its name and its kind"
                ),
            ));
        }
        if argument.kind == ArgumentKind::Choice
            && argument.choices.as_ref().is_some_and(|choices| choices.is_empty())
        {
            problems.push(Problem::new(
                Rule::NoChoices,
                location.clone(),
                format!(
                    "argument \"{name}\" is a choice without choices, so no agent is shown it and no value can be given for it"
                ),
            ));
        }
    }
    let tool = tool_definition(command);
    for name in large_bounds(&tool.parameters) {
        problems.push(Problem::new(
            Rule::LargeBound,
            places.get(&name).map(|location| (*location).clone()).or_else(|| here.clone()),
            format!(
                "argument \"{name}\" has a bound beyond ±(2^53−1), which is not exact in JSON as most software reads it, \
                 and Anthropic's API refuses a whole request because of one"
            ),
        ));
    }
    for warning in tool_warnings(std::slice::from_ref(&tool)) {
        let location = match &warning {
            ToolWarning::ArgumentName { argument, .. } => {
                places.get(argument).map(|location| (*location).clone())
            }
            _ => None,
        };
        if let Ok(rule) = warning.code().parse() {
            problems.push(Problem::new(rule, location.or_else(|| here.clone()), warning.to_string()));
        }
    }
    if plain_command_id(&tool.name).is_none() {
        problems.push(Problem::new(
            Rule::DigestName,
            here,
            format!(
                "its id cannot be written as a tool name that reads back, so an agent is shown it as \"{}\"",
                tool.name
            ),
        ));
    }
    problems
}

fn is_said(text: &Option<std::sync::Arc<str>>) -> bool {
    text.as_ref().is_some_and(|text| !text.trim().is_empty())
}

/// The arguments of a published schema that have a bound beyond what a double holds exactly.
fn large_bounds(parameters: &Value) -> Vec<String> {
    let is_large = |schema: &Value| {
        ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
            .iter()
            .filter_map(|keyword| schema.get(keyword)?.as_f64())
            .any(|bound| bound.abs() > LARGEST_EXACT)
    };
    let properties = parameters.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .filter(|(_, schema)| is_large(schema) || schema.get("items").is_some_and(is_large))
        .map(|(name, _)| name.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(arguments: Vec<Argument>) -> Candidate {
        let location = Location::new("a.rs", 1, 1);
        Candidate {
            location: location.clone(),
            id: "notes.open".into(),
            title: Text::Known("Open note".into()),
            description: Some(Text::Known("Opens a note.".into())),
            answers: None,
            category: None,
            icon: None,
            effects: None,
            agent_consent: None,
            arguments: arguments
                .into_iter()
                .map(|argument| CandidateArgument { argument, location: location.clone() })
                .collect(),
            schema: None,
            callable: true,
            access: AccessRequirement::Anyone,
            returns: Returns::Nothing,
            notes: Vec::new(),
        }
    }

    fn rules(candidate: Candidate) -> Vec<&'static str> {
        judge(candidate).problems.iter().map(|problem| problem.rule.id()).collect()
    }

    #[test]
    fn every_mistake_is_reported_and_not_only_the_first() {
        let faulty = candidate(vec![
            Argument::text("a"),
            Argument::text("a"),
            Argument::choice("b", [""]),
            Argument::number_within("c", f64::NAN..=1.0),
        ]);
        let rules = rules(Candidate { title: Text::Known(String::new()), ..faulty });
        assert_eq!(rules, ["empty-title", "duplicate-argument", "empty-choice", "empty-range"]);
    }

    #[test]
    fn bounds_that_a_double_holds_are_not_reported() {
        let largest = 9_007_199_254_740_991;
        let described = |argument: Argument| argument.description("A number");
        assert_eq!(rules(candidate(vec![described(Argument::integer("n", -largest..=largest))])), [""; 0]);
        let larger = described(Argument::integer("n", 0..=largest + 1));
        assert_eq!(rules(candidate(vec![larger.clone().list()])), ["large-bound"]);
        assert_eq!(rules(candidate(vec![larger])), ["large-bound"]);
    }

    #[test]
    fn a_schema_that_no_argument_can_state_is_refused() {
        let schema = serde_json::json!({ "type": "object", "properties": { "due": { "type": "object" } } });
        let finding = judge(Candidate { schema: Some(schema), ..candidate(Vec::new()) });
        assert_eq!(finding.problems.first().map(|problem| problem.rule), Some(Rule::OutsideSchema));
        assert!(matches!(finding.status, FindingStatus::NotOffered { .. }), "{finding:?}");
    }

    #[test]
    fn what_only_the_running_program_knows_is_not_held_against_the_command() {
        let known = candidate(Vec::new());
        let unknown = Candidate {
            title: Text::AtRunTime,
            description: Some(Text::AtRunTime),
            answers: Some(Text::AtRunTime),
            ..known
        };
        assert_eq!(rules(unknown), [""; 0]);
    }

    #[test]
    fn what_a_command_states_about_itself_is_judged() {
        let harmful = |effects, consent| Candidate {
            effects: Some(effects),
            agent_consent: Some(consent),
            ..candidate(Vec::new())
        };
        let sent = Effects::changes().outside().irreversible();
        assert_eq!(rules(harmful(Effects::destroys(), AgentConsent::Allow)), ["harm-without-asking"]);
        assert_eq!(rules(harmful(sent, AgentConsent::Allow)), ["harm-without-asking"]);
        assert_eq!(rules(harmful(sent, AgentConsent::Ask)), [""; 0]);
        assert_eq!(rules(harmful(Effects::changes(), AgentConsent::Allow)), [""; 0]);
        let contradictory = harmful(Effects::reads().irreversible(), AgentConsent::Ask);
        assert_eq!(rules(contradictory), ["registration-refused"]);
        let blank = Candidate { category: Some(Text::Known(" ".into())), ..candidate(Vec::new()) };
        assert_eq!(rules(blank), ["registration-refused"]);
    }

    #[test]
    fn each_gap_alone_leaves_an_agent_guessing() {
        let known = || candidate(Vec::new());
        let gaps = [
            Candidate { description: None, ..known() },
            Candidate { description: Some(Text::Known(" \n".into())), ..known() },
            candidate(vec![Argument::text("a")]),
            candidate(vec![Argument::choice("a", [""; 0]).description("A")]),
            Candidate { returns: Returns::Value, ..known() },
        ];
        for gap in gaps {
            let finding = judge(gap);
            assert!(matches!(finding.status, FindingStatus::AgentGuesses(_)), "{finding:?}");
            assert_eq!(finding.problems.len(), 1);
        }
        assert!(matches!(judge(known()).status, FindingStatus::Offered(_)));
    }
}
