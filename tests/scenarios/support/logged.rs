//! What the workbench writes to the developer's log.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::LazyLock;

use tracing::field::{Field, Visit};
use tracing::subscriber::{NoSubscriber, with_default};
use tracing::{Dispatch, Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use super::Kept;

/// The fields of one record, each as text.
pub(crate) type Logged = BTreeMap<&'static str, String>;

/// What is logged on this thread while `run` runs.
pub(crate) fn logged_during(run: impl FnOnce()) -> Vec<Logged> {
    // With a single subscriber in the process, `tracing` asks only the thread that meets an event first whether
    // anybody wants it; a second subscriber, though it wants nothing, makes it ask them all.
    static SILENT: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));
    LazyLock::force(&SILENT);
    let kept = Kept::default();
    with_default(tracing_subscriber::registry().with(Keeper(kept.clone())), run);
    kept.all()
}

struct Keeper(Kept<Logged>);

impl<S: Subscriber> Layer<S> for Keeper {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields(Logged::new());
        event.record(&mut fields);
        self.0.keep(fields.0);
    }
}

struct Fields(Logged);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}
