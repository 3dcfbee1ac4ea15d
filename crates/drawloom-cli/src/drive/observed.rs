//! A transport that shows what passes through it: each request, each frame of the response, and how the response ended.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use drawloom::client::{BoxFuture, Frame, Frames, RunAgentInput, Transport, TransportError};
use futures_util::{Stream, StreamExt};

/// Sees what is sent and received. It is called from the conversation, so it returns quickly.
pub(super) trait Observer: Send + Sync {
    /// A run is requested.
    fn request(&self, _input: &RunAgentInput) {}
    /// A frame of the response was received.
    fn frame(&self, _frame: &Frame) {}
    /// The response is over.
    fn response_ended(&self, _end: ResponseEnd<'_>) {}
}

/// How a response ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum ResponseEnd<'a> {
    /// All of it was received.
    Complete,
    /// It could not be received, or not any further.
    Broken(&'a TransportError),
    /// It is not read any further.
    Abandoned,
}

/// See the [module](self).
pub(super) struct ObservedTransport<T> {
    inner: T,
    observers: Arc<[Arc<dyn Observer>]>,
}

impl<T: Transport> ObservedTransport<T> {
    pub(super) fn new(inner: T, observers: Vec<Arc<dyn Observer>>) -> Self {
        Self { inner, observers: observers.into() }
    }
}

impl<T: Transport> Transport for ObservedTransport<T> {
    fn start(&self, input: RunAgentInput) -> BoxFuture<'static, Result<Frames, TransportError>> {
        self.observers.iter().for_each(|observer| observer.request(&input));
        let mut response = Response { observers: self.observers.clone(), is_over: false };
        let starting = self.inner.start(input);
        Box::pin(async move {
            match starting.await {
                Ok(frames) => Ok(ObservedFrames { frames, response }.boxed()),
                Err(error) => {
                    response.end(ResponseEnd::Broken(&error));
                    Err(error)
                }
            }
        })
    }
}

/// A response whose end was not shown yet.
struct Response {
    observers: Arc<[Arc<dyn Observer>]>,
    is_over: bool,
}

impl Response {
    fn end(&mut self, end: ResponseEnd<'_>) {
        if !std::mem::replace(&mut self.is_over, true) {
            self.observers.iter().for_each(|observer| observer.response_ended(end));
        }
    }
}

impl Drop for Response {
    fn drop(&mut self) {
        self.end(ResponseEnd::Abandoned);
    }
}

struct ObservedFrames {
    frames: Frames,
    response: Response,
}

impl Stream for ObservedFrames {
    type Item = Result<Frame, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.frames.poll_next_unpin(cx);
        match &next {
            Poll::Ready(Some(Ok(frame))) => {
                self.response.observers.iter().for_each(|observer| observer.frame(frame));
            }
            Poll::Ready(Some(Err(error))) => self.response.end(ResponseEnd::Broken(error)),
            Poll::Ready(None) => self.response.end(ResponseEnd::Complete),
            Poll::Pending => {}
        }
        next
    }
}
