//! The adapter SHALL limit what it stores for one agent, refuse what exceeds a limit with a text that names the
//! limit, and do work in proportion to the bytes that it receives.

use drawloom::ag_ui::{AssemblerLimits, Event, ToolCallAssembler};

use super::support::events::{args, end, run_finished, run_started, start};
use super::support::{bench, numbers_in, refusal};

/// Arguments for `notes.open` of exactly this many bytes.
fn arguments_of(bytes: usize) -> String {
    let (start, end) = (r#"{"path":""#, r#""}"#);
    let path = "x".repeat(bytes - start.len() - end.len());
    format!("{start}{path}{end}")
}

/// - **GIVEN** the default limit of 1,048,576 argument bytes.
/// - **WHEN** the parts of one call add up to 1,048,576 bytes of valid arguments and another's to one byte more.
/// - **THEN** the first runs and the second is refused with a text that contains `1048576`.
#[test]
fn argument_bytes_by_default() {
    let bench = bench();
    let mut agent = bench.agent();
    let (good, over) = (arguments_of(1_048_576), arguments_of(1_048_577));
    for (id, arguments) in [("good", &good), ("over", &over)] {
        agent.says_nothing_to(&[start(id, "notes__open")]);
        let (first, rest) = arguments.split_at(700_000);
        agent.says_nothing_to(&[args(id, first)]);
        match id {
            "good" => {
                agent.says_nothing_to(&[args(id, rest)]);
                assert_eq!(agent.ends(id).content, good);
            }
            _ => {
                let refused = agent.is_answered(&args(id, rest));
                assert_eq!(
                    (refused.tool_call_id.as_str(), numbers_in(refusal(&refused))),
                    (id, vec!["1048576"])
                );
            }
        }
    }
    assert_eq!(agent.finishes(), []);
    assert_eq!(bench.ran().len(), 1);
}

/// - **GIVEN** 128 calls open at once.
/// - **WHEN** a 129th is started, and all 129 get their ARGS and END.
/// - **THEN** its START alone refuses it, with a text that contains `128`, and the others run.
#[test]
fn open_calls_by_default() {
    let bench = bench();
    let mut agent = bench.agent();
    let ids: Vec<String> = (1..=129).map(|call| format!("c{call}")).collect();
    let (last, others) = ids.split_last().unwrap();
    for id in others {
        agent.says_nothing_to(&[start(id, "notes__open")]);
    }
    let refused = agent.is_answered(&start(last, "notes__open"));
    assert_eq!((refused.tool_call_id.as_str(), numbers_in(refusal(&refused))), ("c129", vec!["128"]));
    for id in others {
        agent.says_nothing_to(&[args(id, &format!(r#"{{"path":"{id}"}}"#))]);
        agent.ends(id);
    }
    agent.says_nothing_to(&[args(last, r#"{"path":"last"}"#), end(last)]);
    assert_eq!(agent.finishes(), []);
    bench.assert_opened(&others.iter().map(String::as_str).collect::<Vec<_>>());
}

/// - **GIVEN** a run in which 10,000 calls were answered.
/// - **WHEN** one more is made, and then one in the next run.
/// - **THEN** the first is refused with a text that contains `10000` and the second runs.
#[test]
fn calls_per_run_by_default() {
    let bench = bench();
    let mut agent = bench.agent();
    for call in 1..=10_000 {
        agent.calls(&format!("c{call}"), "notes__ping", "");
    }
    assert_eq!(bench.ran().len(), 10_000);
    let refused = agent.is_answered(&start("more", "notes__ping"));
    assert_eq!(numbers_in(refusal(&refused)), ["10000"]);
    agent.says_nothing_to(&[end("more"), run_finished(), run_started("r2")]);
    assert_eq!(bench.ran().len(), 10_000);
    agent.calls("more", "notes__ping", "");
    assert_eq!(bench.ran().len(), 10_001);
}

/// - **GIVEN** limits of 10 argument bytes, 1 open call and 2 calls in a run.
/// - **WHEN** a run goes past each of them.
/// - **THEN** each refusal names the limit that was set.
#[test]
fn limits_that_the_application_sets() {
    let bench = bench();
    let limits = AssemblerLimits::default().with_argument_bytes(10).with_open_calls(1).with_calls_per_run(2);
    let mut agent = bench.agent_with(|tools| tools.limits(limits));
    agent.says_nothing_to(&[start("a", "notes__open"), args("a", "1234567890")]);
    let open_calls = agent.is_answered(&start("b", "notes__open"));
    let argument_bytes = agent.is_answered(&args("a", "1"));
    let calls = agent.is_answered(&start("c", "notes__open"));
    let refusals = [("a", "10", argument_bytes), ("b", "1", open_calls), ("c", "2", calls)];
    for (id, number, refused) in refusals {
        assert_eq!((refused.tool_call_id.as_str(), numbers_in(refusal(&refused))), (id, vec![number]));
    }
    assert_eq!(agent.finishes(), []);
    bench.assert_nothing_ran();
}

/// - **WHEN** a call is started under an id of 1,024 bytes and one under an id of 1,025 bytes.
/// - **THEN** the first stays open and the second is refused at once.
#[test]
fn overlong_ids() {
    let bench = bench();
    let mut agent = bench.agent();
    let (long, overlong) = ("x".repeat(1024), "x".repeat(1025));
    agent.says_nothing_to(&[start(&long, "notes__open")]);
    let refused = agent.is_answered(&start(&overlong, "notes__open"));
    assert_eq!((refused.tool_call_id.as_str(), numbers_in(refusal(&refused))), (&*overlong, vec!["1024"]));
    agent.says_nothing_to(&[args(&long, r#"{"path":"inbox"}"#)]);
    agent.ends(&long);
    bench.assert_opened(&["inbox"]);
}

/// - **GIVEN** arguments of 1,048,576 bytes, sent one byte at a time.
/// - **WHEN** the call is assembled.
/// - **THEN** all memory that was requested meanwhile adds up to less than four times the bytes.
#[test]
fn memory_follows_the_bytes() {
    const BYTES: usize = 1_048_576;
    let [start, piece, end] =
        [start("c1", "notes__open"), args("c1", "x"), end("c1")].map(|event| event.to_string());
    let [start, piece, end] = [&start, &piece, &end].map(|text| Event::parse(text).unwrap());
    let mut assembler = ToolCallAssembler::new(AssemblerLimits::default());
    let mut assembled = None;
    let requested = allocation_counter::measure(|| {
        assembler.accept(&start);
        for _ in 0..BYTES {
            assembler.accept(&piece);
        }
        assembler.accept(&end);
        assembled = assembler.next_call();
    });
    assert_eq!(assembled.unwrap().arguments.map(|text| text.len()), Ok(BYTES));
    assert!(requested.bytes_total < 4 * BYTES as u64, "{requested:?}");
}
