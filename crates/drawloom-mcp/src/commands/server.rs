//! The server: the protocol around the commands that one caller may reach.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use drawloom_command::{
    BeforeCall, CommandAccess, InvocableCommand, ListChanges, NullArguments, Panicked, contained_with,
};
use drawloom_consent::{Confirm, Confirmation, ConsentPolicy};
use drawloom_tools::{EditReport, ToolCallRequest, ToolExecutor, tool_definition};
use futures_util::StreamExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitResult, ErrorData, Extensions, InputRequest,
    InputRequests, InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use uuid::Uuid;

use super::asking::{ClientConfirm, RunningCall};
use super::builder::{CommandServerBuilder, ConfigurePolicy};
use super::call::{CallContext, UntilAsked};
use super::hooks::HookChain;
use super::limits::ServerLimits;
use super::pending::{PendingCalls, PendingQuestion};
use super::progress::Reporter;
use super::question::{can_ask, elicitation};
use super::result::Objects;
use super::{listing, question, result};
use crate::server::ServeError;
use crate::stdio::PrintableJson;
use crate::wire::arguments::ArgumentText;
use crate::wire::lines::LineTransport;

/// The name of the question in a result that requires input.
const QUESTION: &str = "consent";

/// A server for the Model Context Protocol that offers the commands one caller may reach, to the clients of one person.
/// Clones are the same server.
///
/// Each call goes through the same check, hook, policy and seam as a call of any other protocol. A command that asks for
/// consent is asked about through the client: by elicitation if the client speaks revision 2025-11-25 or an earlier one,
/// and as required input if it speaks 2026-07-28. If the client cannot ask, the command does not run. Each connection has
/// a consent policy of its own. Revision 2026-07-28 has no connections: all its requests to one server share a policy.
///
/// A tool out of reach, whatever the reason, is answered exactly like a tool that does not exist.
#[derive(Clone)]
pub struct CommandServer(Arc<Inner>);

struct Inner {
    configuration: Configuration,
    calls: Semaphore,
    subscriptions: Semaphore,
    /// The executor of clients without a connection.
    shared: OnceLock<Option<Conversation>>,
}

/// What a server is built of.
pub(crate) struct Configuration {
    pub(crate) info: ServerConfig,
    pub(crate) access: Arc<dyn CommandAccess>,
    pub(crate) person: Option<Arc<str>>,
    pub(crate) hook: Option<Arc<dyn BeforeCall>>,
    pub(crate) confirm: Option<Arc<dyn Confirm>>,
    pub(crate) policy: Arc<ConfigurePolicy>,
    pub(crate) nulls: NullArguments,
    pub(crate) edits: EditReport,
    pub(crate) limits: ServerLimits,
    pub(crate) pending: Arc<PendingCalls>,
}

/// What shares a consent policy.
#[derive(Clone, Debug)]
struct Conversation {
    executor: ToolExecutor,
    confirm: ClientConfirm,
}

/// The server for one connection, or for one request of a client without a connection.
pub(crate) struct Connection {
    server: CommandServer,
    conversation: OnceLock<Option<Conversation>>,
    /// The task that reports changes of the list.
    watcher: Mutex<Option<AbortHandle>>,
}

impl CommandServer {
    /// Starts to build a server for the commands that `access` may reach, such as the context of a plugin.
    pub fn builder(access: impl CommandAccess + 'static) -> CommandServerBuilder {
        CommandServerBuilder::new(access)
    }

    pub(crate) fn new(configuration: Configuration) -> Self {
        let ServerLimits { calls, subscriptions, .. } = configuration.limits;
        Self(Arc::new(Inner {
            configuration,
            calls: Semaphore::new(calls),
            subscriptions: Semaphore::new(subscriptions),
            shared: OnceLock::new(),
        }))
    }

    /// Serves one client on standard input and output, until it closes standard input. It must be called within a tokio
    /// runtime. In the messages that are written, what a terminal would obey is an escape of JSON.
    ///
    /// # Errors
    /// [`ServeError`] if the connection fails.
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        let (input, output) = rmcp::transport::stdio();
        self.serve_streams(input, PrintableJson::new(output)).await
    }

    /// Serves one client on a pair of streams, one message in each line, until it closes the stream that is read. It must be
    /// called within a tokio runtime. Whoever can write to the stream is the person: the server asks for no token.
    ///
    /// # Errors
    /// [`ServeError`] if the connection fails.
    pub async fn serve_streams<R, W>(&self, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        ServeError::of(self.connection().serve(LineTransport::new(read, write)).await).await
    }

    /// How many calls wait for a client to return with an answer of the person.
    pub fn pending_calls(&self) -> usize {
        self.0.configuration.pending.len()
    }

    /// How long a client may be silent while a call is under way.
    #[cfg(feature = "http")]
    pub(crate) fn longest_silence(&self) -> std::time::Duration {
        self.0.configuration.limits.call_time
    }

    pub(crate) fn connection(&self) -> Connection {
        Connection { server: self.clone(), conversation: OnceLock::new(), watcher: Mutex::default() }
    }
}

impl Inner {
    /// A policy with its executor. `None` if the function that configures the policy panics.
    fn conversation(&self) -> Option<Conversation> {
        let Configuration { access, hook, confirm: other, policy, nulls, edits, .. } = &self.configuration;
        let confirm = ClientConfirm::default();
        let asked: Arc<dyn Confirm> = other.clone().unwrap_or_else(|| Arc::new(confirm.clone()));
        let policy = contained_with(report("the configuration of a consent policy"), || {
            policy(ConsentPolicy::builder(asked)).build()
        })?;
        let executor = ToolExecutor::builder(access.clone())
            .before(HookChain { hook: hook.clone(), policy })
            .null_arguments(*nulls)
            .edit_report(*edits)
            .build();
        Some(Conversation { executor, confirm })
    }

    fn commands(&self) -> Option<Vec<InvocableCommand>> {
        let access = &self.configuration.access;
        contained_with(report("the list of commands"), || access.invocable_commands())
    }

    /// How the command of a tool is described, if it is offered now.
    fn described(&self, name: &str) -> Option<InvocableCommand> {
        let access = &self.configuration.access;
        let read = || access.describe(&access.offer_by_tool_name(name)?.id);
        contained_with(report("the description of a command"), read).flatten()
    }

    fn changes(&self) -> Option<ListChanges> {
        let access = &self.configuration.access;
        contained_with(report("the changes of the list"), || access.list_changes()).flatten()
    }
}

fn report(what: &'static str) -> impl FnOnce(&Panicked) {
    move |panicked| tracing::error!(panic = panicked.text(), "{what} panicked")
}

fn defect() -> ErrorData {
    ErrorData::internal_error("the application has a defect; its log says more", None)
}

/// Whether a client speaks the revision without connections. It returns with the answer to a question, and takes any value as
/// a structured answer.
fn is_returning(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

fn objects(context: &RequestContext<RoleServer>) -> Objects {
    if is_returning(context) { Objects::AndOtherValues } else { Objects::Only }
}

/// The text of the arguments, which was set aside when the request arrived.
fn argument_text(extensions: &Extensions) -> Arc<str> {
    let text = extensions.get::<ArgumentText>();
    #[cfg(feature = "http")]
    let text = text.or_else(|| extensions.get::<http::request::Parts>()?.extensions.get::<ArgumentText>());
    text.map_or_else(|| Arc::from(""), |text| text.0.clone())
}

impl Connection {
    fn inner(&self) -> &Inner {
        &self.server.0
    }

    fn limits(&self) -> &ServerLimits {
        &self.inner().configuration.limits
    }

    fn conversation(&self, is_shared: bool) -> Result<&Conversation, ErrorData> {
        let inner = self.inner();
        let place = if is_shared { &inner.shared } else { &self.conversation };
        place.get_or_init(|| inner.conversation()).as_ref().ok_or_else(defect)
    }

    fn start(&self, conversation: &Conversation, name: &str, arguments: &str) -> RunningCall {
        let call_id: Arc<str> = Uuid::new_v4().to_string().into();
        let call = ToolCallRequest::new(call_id.clone(), name, arguments);
        conversation.confirm.run(call_id, conversation.executor.execute(call))
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Configuration { limits, person, pending, .. } = &self.inner().configuration;
        let Ok(_permit) = self.inner().calls.try_acquire() else {
            let reason =
                format!("{} calls are under way, the most there may be; wait for one to end", limits.calls);
            return Ok(result::not_run("too-many-open-calls", &reason).into());
        };
        let arguments = argument_text(&context.extensions);
        if arguments.len() > limits.argument_bytes {
            let reason = format!(
                "the arguments have more than {} bytes, the most they may have",
                limits.argument_bytes
            );
            return Ok(result::not_run("too-many-argument-bytes", &reason).into());
        }
        let objects = objects(context);
        let command = self.inner().described(&request.name);
        let definition = command.as_ref().map(tool_definition);
        let call = CallContext {
            cancelled: &context.ct,
            can_ask: can_ask(context.client_capabilities().as_ref()),
            call_time: limits.call_time,
            question_time: limits.question_time,
            person: person.clone(),
            command: command.as_ref(),
        };
        let reporter = Reporter::new(context.meta.get_progress_token(), &context.peer);
        if !is_returning(context) {
            let running = self.start(self.conversation(false)?, &request.name, &arguments);
            let result = call.run_asking(running, &context.peer, reporter).await;
            return result::answer(&result, definition.as_ref(), objects).map(Into::into);
        }
        let sent = pending.sent(&request.name, &arguments);
        let running = match &request.request_state {
            None => self.start(self.conversation(true)?, &request.name, &arguments),
            Some(state) => match pending.take(state, &sent) {
                Err(error) => return Ok(result::not_run(error.code(), &error.to_string()).into()),
                Ok(PendingQuestion { running, answer, shown }) => {
                    // The policy may have withdrawn the question meanwhile; then the call says so.
                    let _ = answer.send(call.response(returned(&request), &shown));
                    running
                }
            },
        };
        match call.run_until_asked(running, pending, reporter).await {
            UntilAsked::Done(result) => result::answer(&result, definition.as_ref(), objects).map(Into::into),
            UntilAsked::Asks { running, question, text, place } => {
                let asked = InputRequest::Elicitation(elicitation(&text));
                let waiting = PendingQuestion { running, answer: question.answer, shown: text };
                let state = pending.keep(place, sent, waiting);
                let requests = InputRequests::from([(QUESTION.to_owned(), asked)]);
                Ok(InputRequiredResult::new(Some(requests), Some(state)).into())
            }
        }
    }
}

/// The answer with which a client returns.
fn returned(request: &CallToolRequestParams) -> Confirmation {
    let answer = request.input_responses.as_ref().and_then(|answers| answers.get(QUESTION));
    match answer.map(|answer| serde_json::from_value::<ElicitResult>(answer.clone())) {
        Some(Ok(answer)) => question::confirmation(&answer),
        Some(Err(_)) => {
            Confirmation::Errored("the client's answer to the question cannot be read".to_owned())
        }
        None => Confirmation::Errored("the client returned without an answer to the question".to_owned()),
    }
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        self.inner().configuration.info.clone()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let commands = self.inner().commands().ok_or_else(defect)?;
        let cursor = request.and_then(|request| request.cursor);
        listing::page(&commands, cursor.as_deref(), self.limits().page, objects(&context))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, &context).await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let Some(mut changes) = self.inner().changes() else { return };
        let watching = tokio::spawn(async move {
            while changes.next().await.is_some() {
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = watcher.replace(watching.abort_handle()) {
            other.abort();
        }
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        // The library leaves of it what the client asks for and the server announces.
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let Ok(_permit) = self.inner().subscriptions.try_acquire() else {
            let most = self.limits().subscriptions;
            let message = format!("{most} streams of changes are open, the most there may be; close one");
            return Err(ErrorData::invalid_request(message, None));
        };
        let Some(mut changes) = self.inner().changes() else { return Ok(()) };
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changes.next() => {
                    if changed.is_none() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let watcher = self.watcher.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(watcher) = watcher.take() {
            watcher.abort();
        }
    }
}

impl fmt::Debug for CommandServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Configuration { info, person, limits, .. } = &self.0.configuration;
        f.debug_struct("CommandServer")
            .field("name", &info.server_info.name)
            .field("person", person)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}
