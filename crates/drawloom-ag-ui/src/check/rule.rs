//! The rules, each with its stable name and with what the protocol says.

use std::fmt;

macro_rules! rules {
    ($( $(#[$meta:meta])* $name:ident = $code:literal: $says:literal, )*) => {
        /// A rule of the protocol that a stream of events may break.
        ///
        /// ```
        /// use drawloom_ag_ui::ProtocolRule;
        ///
        /// let rule = ProtocolRule::CallNotEnded;
        /// assert_eq!(rule.code(), "call-not-ended");
        /// assert_eq!(rule.statement(), "each call that begins with TOOL_CALL_START ends with TOOL_CALL_END before its run finishes");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ProtocolRule {
            $( $(#[$meta])* $name, )*
        }

        impl ProtocolRule {
            /// All rules.
            pub const ALL: &'static [Self] = &[ $( Self::$name, )* ];

            /// A stable name for the rule.
            pub fn code(self) -> &'static str {
                match self {
                    $( Self::$name => $code, )*
                }
            }

            /// What the protocol says, as a sentence without its full stop.
            pub fn statement(self) -> &'static str {
                match self {
                    $( Self::$name => $says, )*
                }
            }
        }
    };
}

rules! {
    /// A frame is not one JSON object.
    NotAnEvent = "not-an-event": "each frame holds one event, which is a JSON object",
    /// A member that the protocol requires is absent or null.
    MissingMember = "missing-member": "an event has all members that its type requires",
    /// A member has another kind of value than the protocol states.
    WrongKind = "wrong-kind": "each member of an event has the kind of value that its type states; a delta of text or arguments is text, a delta of state is a list",
    /// A member occurs more than once.
    RepeatedMember = "repeated-member": "each member of an event occurs once",
    /// An id is empty or blank.
    EmptyId = "empty-id": "ids and names are not empty",
    /// An id is used again for something else.
    RepeatedId = "repeated-id": "the id of a run, a message, a call or an interrupt is unique",
    /// A stream or a run does not begin with RUN_STARTED.
    RunNotStarted = "run-not-started": "the first event of a run is RUN_STARTED, or RUN_ERROR if the run cannot begin",
    /// RUN_STARTED came while a run was open.
    RunStartedTwice = "run-started-twice": "a run ends with RUN_FINISHED or RUN_ERROR before another one begins",
    /// The events ended while a run was open.
    RunNotEnded = "run-not-ended": "the last event of a run is RUN_FINISHED or RUN_ERROR",
    /// An event came after the end of the run.
    EventAfterEnd = "event-after-end": "no event follows the end of a run, except the RUN_STARTED of another one",
    /// A run names another thread than the one it was requested in or began in.
    ForeignThread = "foreign-thread": "RUN_STARTED and RUN_FINISHED repeat the threadId of the request",
    /// A run names another run than the one that was requested or that began.
    ForeignRun = "foreign-run": "RUN_STARTED and RUN_FINISHED repeat the runId of the request",
    /// A step ended that did not begin.
    StepNotStarted = "step-not-started": "STEP_FINISHED names a step that STEP_STARTED began",
    /// A step began twice.
    StepStartedTwice = "step-started-twice": "a step ends before a step of the same name begins",
    /// A step did not end.
    StepNotEnded = "step-not-ended": "each step ends with STEP_FINISHED before its run finishes",
    /// A text message is continued or ended that is not open.
    MessageNotStarted = "message-not-started": "a text message begins with TEXT_MESSAGE_START, or with a chunk that has its messageId",
    /// A text message began twice.
    MessageStartedTwice = "message-started-twice": "a text message ends before it begins again",
    /// A text message did not end.
    MessageNotEnded = "message-not-ended": "each text message that begins with TEXT_MESSAGE_START ends with TEXT_MESSAGE_END before its run finishes",
    /// Reasoning is continued or ended that is not open.
    ReasoningNotStarted = "reasoning-not-started": "reasoning begins with REASONING_START, and a message of it with REASONING_MESSAGE_START or with a chunk that has its messageId",
    /// Reasoning began twice.
    ReasoningStartedTwice = "reasoning-started-twice": "reasoning and each message of it ends before it begins again",
    /// Reasoning did not end.
    ReasoningNotEnded = "reasoning-not-ended": "reasoning ends with REASONING_END, and each message of it with REASONING_MESSAGE_END, before the run finishes",
    /// A call is continued or ended that is not open.
    CallNotStarted = "call-not-started": "a call begins with TOOL_CALL_START, or with a chunk that has its toolCallId and toolCallName",
    /// A call began twice.
    CallStartedTwice = "call-started-twice": "a call ends before it begins again",
    /// A call did not end.
    CallNotEnded = "call-not-ended": "each call that begins with TOOL_CALL_START ends with TOOL_CALL_END before its run finishes",
    /// A result came for a call that is not known.
    ResultWithoutCall = "result-without-call": "TOOL_CALL_RESULT names a call that the agent made before",
    /// A result came before the end of its call.
    ResultBeforeEnd = "result-before-end": "the result of a call follows its TOOL_CALL_END",
    /// Events about one thing come from different subagents.
    LanesMixed = "lanes-mixed": "all events of a message or of a call come from the same subagent, or from the agent itself",
    /// A subagent ended that did not begin, or began under one that did not.
    SubagentNotStarted = "subagent-not-started": "a subagent begins with SUBAGENT_STARTED, its parent before it",
    /// A subagent began twice.
    SubagentStartedTwice = "subagent-started-twice": "a subagent begins once",
    /// A subagent did not end.
    SubagentNotEnded = "subagent-not-ended": "each subagent ends with SUBAGENT_FINISHED or SUBAGENT_ERROR before its run finishes",
    /// A run was interrupted without an interrupt.
    NoInterrupt = "no-interrupt": "the outcome \"interrupt\" has at least one interrupt",
    /// More is open or known than is checked.
    TooMuch = "too-much-to-check": "this check keeps a limited number of ids; what is beyond it is not checked",
}

impl fmt::Display for ProtocolRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
