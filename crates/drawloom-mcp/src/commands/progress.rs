//! Progress of a call, as the client is told.

use std::time::Duration;

use drawloom_command::{BoxFuture, Progress};
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;

/// How much time lies between two reports about a call. What a command reports in between is replaced by what follows.
const INTERVAL: Duration = Duration::from_millis(100);

/// Reports the progress of one call to its client, if the client asked for that.
pub(crate) struct Reporter<'a> {
    client: Option<(ProgressToken, &'a Peer<RoleServer>)>,
    /// The number that was sent last. The protocol asks for a greater one each time.
    last: f64,
    /// Whether the numbers are shares of the whole. Without a share, they only count.
    shares: Option<bool>,
    /// The report that is being sent, and the time after it.
    sending: Option<BoxFuture<'static, ()>>,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(token: Option<ProgressToken>, peer: &'a Peer<RoleServer>) -> Self {
        let client = token.map(|token| (token, peer));
        Self { client, last: 0.0, shares: None, sending: None }
    }

    /// Whether the next report may be sent.
    pub(crate) fn is_ready(&self) -> bool {
        self.client.is_some() && self.sending.is_none()
    }

    /// Waits until the next report may be sent. It never ends if nothing is being sent.
    pub(crate) async fn ready(&mut self) {
        match &mut self.sending {
            Some(sending) => sending.await,
            None => std::future::pending().await,
        }
        self.sending = None;
    }

    pub(crate) fn report(&mut self, progress: &Progress) {
        let number = self.number(progress);
        let Some((token, peer)) = &self.client else { return };
        let mut report = ProgressNotificationParam::new(token.clone(), number);
        if self.shares == Some(true) {
            report = report.with_total(1.0);
        }
        let mut words = progress.clone();
        words.share = None;
        let text = words.to_string();
        if !text.is_empty() {
            report = report.with_message(text);
        }
        self.last = report.progress;
        let peer = (*peer).clone();
        self.sending = Some(Box::pin(async move {
            // A client that is gone needs no report.
            let _ = peer.notify_progress(report).await;
            tokio::time::sleep(INTERVAL).await;
        }));
    }

    fn number(&mut self, progress: &Progress) -> f64 {
        match (*self.shares.get_or_insert(progress.share.is_some()), progress.share) {
            (false, _) => self.last + 1.0,
            (true, Some(share)) if share > self.last => share,
            // The same share with other words.
            (true, _) => self.last.next_up(),
        }
    }
}
