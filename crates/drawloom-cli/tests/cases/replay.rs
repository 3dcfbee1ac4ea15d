//! Recorded runs, played with `drawloom replay`.

use std::fs;
use std::path::Path;

use drawloom_replay::Case;

use crate::binary::drawloom;
use crate::cases;

/// The cases in which an event or a line cannot be read or has no effect, which is reported on standard error. In all the
/// others, nothing is reported.
const WITH_LOSSES: [&str; 8] = [
    "a-line-that-is-a-list-tears-all",
    "a-line-that-is-lost-tears-the-open-call",
    "a-member-given-twice-tears-the-call",
    "another-run-begins-before-the-end",
    "arguments-as-an-object-tear-the-call",
    "orphans-are-ignored",
    "recorded-pydantic-ai-mixed-refused",
    "unoffered-refused-at-once",
];

/// Plays a case, and compares the transcript.
fn play(path: &Path) {
    let case = Case::read(path).unwrap();
    assert_eq!(Some(case.name()), path.file_stem().unwrap().to_str(), "a case has the name of its file");
    let scratch = tempfile::tempdir().unwrap();
    let [workbench, events] = ["workbench.json", "events"].map(|file| scratch.path().join(file));
    fs::write(&workbench, case.workbench()).unwrap();
    fs::write(&events, case.events()).unwrap();

    let output = drawloom(
        ["replay".as_ref(), workbench.as_os_str(), events.as_os_str(), "--transcript".as_ref()],
        b"",
    );
    assert_eq!(output.code, Some(0), "{output:#?}");
    if let Err(mismatch) = case.check(&output.lines()) {
        panic!("{mismatch}\nthe transcript:\n{}\nstandard error:\n{}", output.stdout, output.stderr);
    }
    let name = case.name();
    assert_eq!(!output.stderr.is_empty(), WITH_LOSSES.contains(&name), "standard error:\n{}", output.stderr);
    // Without --transcript, the messages are those of the transcript.
    let messages = drawloom(["replay".as_ref(), workbench.as_os_str(), "-".as_ref()], case.events());
    let lines = output.lines();
    let answered: Vec<_> = lines.iter().filter_map(|line| line.get("answered")).collect();
    assert_eq!(messages.lines().iter().collect::<Vec<_>>(), answered);
}

cases! {
    "cases", play,
    a_chunk_open_when_the_stream_is_lost,
    a_line_that_is_a_list_tears_all,
    a_line_that_is_lost_tears_the_open_call,
    a_member_given_twice_tears_the_call,
    a_run_told_twice_runs_once,
    a_start_without_a_name_is_answered,
    agents_own_commands,
    an_id_of_an_earlier_run_in_a_snapshot,
    anonymous_only,
    another_run_begins_before_the_end,
    answer_kinds,
    answered_in_the_stream_while_open,
    args_array,
    args_blank_is_none,
    args_choice_outside,
    args_cut_off,
    args_duplicate_key,
    args_exact_big_integer,
    args_huge_number,
    args_list_for_single,
    args_nested_object,
    args_text_as_number,
    args_two_objects,
    args_undeclared,
    args_unicode,
    args_whole_numbers_as_floats,
    arguments_as_an_object_tear_the_call,
    ask_always_every_time,
    ask_once_then_remembered,
    backend_call_left_to_backend,
    backend_call_left_when_the_stream_stops,
    backend_call_nobody_answered,
    backend_result_only_in_snapshot,
    chunk_and_start_are_one_call,
    chunk_nulls_are_absent,
    chunk_of_an_answered_call_is_ignored,
    chunk_repeats_id_and_name,
    chunk_then_finish_runs,
    chunk_then_run_error_refuses,
    chunks_of_a_subagent_are_its_own,
    chunks_with_other_events_between,
    closed_command_unreachable,
    consent_during_revoke_is_refused_and_told,
    consent_during_something_harmless_runs,
    consent_during_unregister_is_refused,
    consent_edit_is_checked_too,
    consent_edit_runs_with_the_edit,
    consent_is_about_the_agents_calls_alone,
    consent_is_not_asked_for_what_would_be_refused,
    consent_never_in_the_words_of_the_product,
    consent_no_says_why,
    consent_that_errs_is_a_no,
    consent_unanswered_is_a_no,
    context_only_is_for_agents_too,
    errors_can_be_in_the_content_too,
    failure_is_not_a_refusal,
    interleaved_calls_stay_apart,
    loop_is_stopped,
    name_with_other_characters,
    names_that_cannot_be_plain,
    nested_into_ones_own_closed_command,
    nested_without_automation_is_told,
    never_declined_unasked,
    new_chunk_closes_previous,
    no_agent_nothing_reachable,
    no_answer_says_it_ran,
    no_grant_nothing_reachable,
    no_is_not_remembered,
    no_policy_asks_nothing,
    no_run_started_at_all,
    nothing_plain_is_a_failure,
    nothing_runs_after_the_end,
    null_arguments_are_refused,
    null_arguments_can_read_as_not_given,
    null_in_place_of_no_arguments,
    orphans_are_ignored,
    panic_is_a_failure,
    popout_offers_only_popout,
    recorded_langgraph_mixed_left_to_backend,
    recorded_langgraph_mixed_refused,
    recorded_langgraph_one_call,
    recorded_langgraph_two_calls,
    recorded_pydantic_ai_interrupt_left_to_backend,
    recorded_pydantic_ai_interrupt_refused,
    recorded_pydantic_ai_mixed_left_to_backend,
    recorded_pydantic_ai_mixed_refused,
    recorded_pydantic_ai_one_call,
    recorded_pydantic_ai_two_calls,
    replayed_id_runs_once,
    required_choice,
    revoked_and_unregistered_on_the_way,
    revoked_grant,
    run_cancelled_refuses_what_is_open,
    run_error_refuses_every_open_call,
    run_interrupted_leaves_what_it_is_about,
    run_started_again_is_no_new_run,
    session_does_not_qualify,
    session_qualifies,
    slow_commands_are_waited_for,
    start_without_args,
    started_again_begins_again,
    stream_stops_before_the_end,
    streamed_call_runs,
    the_agent_went_on_after_its_own_call,
    three_left_open_all_refused,
    too_many_argument_bytes_are_refused,
    too_many_calls_of_a_run_are_refused,
    too_many_open_calls_are_refused,
    two_runs_reuse_ids,
    unoffered_refused_at_once,
}
