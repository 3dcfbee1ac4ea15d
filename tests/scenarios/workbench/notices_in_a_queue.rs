//! A queue that comes with the workbench SHALL take notices without waiting for anybody, keep a bounded number of
//! them for each plugin, and give them to the product as a stream.

use std::task::Waker;

use drawloom::workbench::{Capability, Notice, NoticeQueue, Notices, Plugin, QueuedNotice, Workbench};
use futures::{FutureExt, StreamExt};

use crate::support::{activated, callable, has, invoke, trigger, without_automation};

/// What waits in the stream right now.
fn waiting(notices: &mut Notices) -> Vec<QueuedNotice> {
    std::iter::from_fn(|| notices.next().now_or_never().flatten()).collect()
}

/// - **GIVEN** a queue as the notifier, and `copilot` without a grant of `automation`.
/// - **WHEN** it invokes `notes.open` twice and `notes.close` once, and the stream is read.
/// - **THEN** it yields one notice of `copilot` and `automation`, which says that there were 3.
#[test]
fn equal_notices_are_joined() {
    let (queue, mut notices) = NoticeQueue::new();
    let workbench = without_automation().notifier(queue).build();
    let (notes, copilot) = activated(&workbench);
    has(&notes, callable("notes.open"));
    has(&notes, callable("notes.close"));

    for id in ["notes.open", "notes.open", "notes.close"] {
        drop(invoke(&copilot, id));
    }

    let queued = waiting(&mut notices);
    assert_eq!(queued.len(), 1, "{queued:?}");
    assert_eq!(queued[0].times, 3);
    let Notice::MissingGrant { plugin, capability, .. } = &queued[0].notice else { panic!("{queued:?}") };
    assert_eq!((plugin.as_str(), *capability), ("copilot", Capability::Automation));
}

/// - **GIVEN** a queue that keeps 2 notices of each plugin, and the plugins `mail` and `chat`, which
///   hold `ui`.
/// - **WHEN** `mail` tells the person 5 different texts, and `chat` tells one.
/// - **THEN** the stream yields 2 texts of `mail` and the one of `chat`, which comes before the second
///   of `mail`.
/// - **AND** the queue counts 3 dropped notices, and so does the first notice of `mail`.
#[test]
fn a_bound_for_each_plugin() {
    let (queue, mut notices) = NoticeQueue::with_limit(2);
    let ui = [Capability::Ui];
    let workbench = Workbench::builder().grant("mail", ui).grant("chat", ui).notifier(queue.clone()).build();
    let [mail, chat] = ["mail", "chat"].map(|id| workbench.activate(Plugin::new(id).declares(ui)).unwrap());

    for text in ["1", "2", "3", "4", "5"] {
        mail.tell(text).unwrap();
    }
    chat.tell("6").unwrap();

    assert_eq!(queue.dropped(), 3);
    let told: Vec<_> = waiting(&mut notices)
        .into_iter()
        .map(|queued| (queued.notice.to_string(), queued.times, queued.dropped))
        .collect();
    let expected = [("mail: 1", 1, 3), ("chat: 6", 1, 0), ("mail: 2", 1, 0)];
    assert_eq!(told, expected.map(|(text, times, dropped)| (text.to_owned(), times, dropped)));
}

/// - **GIVEN** a stream of notices in which nothing waits.
/// - **WHEN** it is polled, the person triggers `notes.ghost`, and the workbench and the queue are
///   dropped.
/// - **THEN** it is pending, is woken, yields that notice, and ends.
#[test]
fn the_stream_waits_and_ends() {
    let (queue, mut notices) = NoticeQueue::new();
    let workbench = Workbench::builder().notifier(queue).build();
    let (woken, waker) = noting_waker();
    let mut context = std::task::Context::from_waker(&waker);

    assert!(notices.poll_next_unpin(&mut context).is_pending());
    drop(trigger(&workbench, "notes.ghost"));
    drop(workbench);

    assert!(woken());
    let queued = waiting(&mut notices);
    assert_eq!(queued.len(), 1);
    assert!(matches!(&queued[0].notice, Notice::Refused { command, .. } if command == "notes.ghost"));
    assert_eq!(notices.next().now_or_never(), Some(None));
}

/// A waker, and whether it was woken.
fn noting_waker() -> (impl Fn() -> bool, Waker) {
    struct Woken(std::sync::atomic::AtomicBool);

    impl std::task::Wake for Woken {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }

    let woken = std::sync::Arc::new(Woken(false.into()));
    let waker = Waker::from(woken.clone());
    (move || woken.0.load(std::sync::atomic::Ordering::SeqCst), waker)
}
