//! Calls on several threads and executors at once.

use std::future::poll_fn;
use std::sync::Barrier;
use std::sync::atomic::AtomicUsize;
use std::thread;

use futures::executor::ThreadPool;
use futures::future::{join_all, select};
use futures::task::SpawnExt;

use super::*;

#[test]
fn a_hundred_calls_on_a_pool_are_asked_about_once() {
    let (desk, policy) = Desk::policy();
    let (policy, open) = (Arc::new(policy), ask("notes.open"));
    let pool = ThreadPool::builder().pool_size(4).create().unwrap();
    let calls: Vec<_> = (0..100)
        .map(|_| {
            let (policy, open) = (policy.clone(), open.clone());
            pool.spawn_with_handle(async move { policy.before(&open).await }).unwrap()
        })
        .collect();
    while desk.asked() == 0 {
        thread::yield_now();
    }
    desk.answer(0, true);
    assert!(block_on(join_all(calls)).into_iter().all(|decision| decision == Decision::Run));
    assert_eq!(desk.asked(), 1);
    assert_eq!(policy.size(), (1, 0));
}

#[test]
fn a_no_reaches_a_hundred_threads() {
    let (desk, policy) = Desk::policy();
    let (policy, open) = (Arc::new(policy), ask("notes.open"));
    let waiting = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..100)
        .map(|_| {
            let (policy, open, waiting) = (policy.clone(), open.clone(), waiting.clone());
            thread::spawn(move || {
                let mut decision = policy.before(&open);
                let mut first = true;
                // Each thread is its own executor, and counts once its call has been polled and waits.
                block_on(poll_fn(|cx| {
                    let polled = decision.as_mut().poll(cx);
                    if std::mem::take(&mut first) {
                        assert!(polled.is_pending());
                        waiting.fetch_add(1, Ordering::SeqCst);
                    }
                    polled
                }))
            })
        })
        .collect();
    while waiting.load(Ordering::SeqCst) < 100 {
        thread::yield_now();
    }
    desk.answer(0, false);
    for thread in threads {
        assert_eq!(thread.join().unwrap(), declined("the user declined the call"));
    }
    assert_eq!(desk.asked(), 1);
    assert_eq!(policy.size(), (0, 0));
}

#[test]
fn the_call_that_was_asked_about_is_dropped_while_others_wait_on_other_threads() {
    for _ in 0..200 {
        let (desk, policy) = Desk::policy();
        let (policy, open) = (Arc::new(policy), ask("notes.open"));
        let first = Task::waiting(&policy, &open);
        let (others, joined) = (policy.clone(), Arc::new(Barrier::new(3)));
        let (there, theirs) = (joined.clone(), open.clone());
        let other = thread::spawn(move || {
            let mut decision = others.before(&theirs);
            let first = block_on(poll_fn(|cx| Poll::Ready(decision.as_mut().poll(cx))));
            assert!(first.is_pending());
            there.wait();
            block_on(decision)
        });
        let (there, answering) = (joined.clone(), desk.clone());
        let answer = thread::spawn(move || {
            there.wait();
            answering.answer(0, true);
        });
        joined.wait();
        drop(first);
        answer.join().unwrap();
        assert_eq!(other.join().unwrap(), Decision::Run);
        assert_eq!(desk.asked(), 1);
    }
}

/// A small random generator with a seed, so that a failing test can be repeated.
fn dice(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |sides| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) % sides
    }
}

/// Is pending a few times, and is woken by itself or by another thread.
async fn a_while(mut roll: impl FnMut(u64) -> u64) {
    let mut left = roll(4);
    poll_fn(move |cx| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        let waker = cx.waker().clone();
        if roll(8) == 0 {
            thread::spawn(move || waker.wake());
        } else {
            waker.wake();
        }
        Poll::Pending
    })
    .await;
}

#[test]
fn calls_that_arrive_and_are_dropped_at_random_all_end() {
    let seeds = Arc::new(AtomicUsize::new(1));
    let seed = move || seeds.fetch_add(1, Ordering::Relaxed) as u64;
    let next = seed.clone();
    let policy = Arc::new(
        ConsentPolicy::builder(move |call: PendingCall| {
            let mut roll = dice(next());
            let answer = match roll(6) {
                0 => Confirmation::Yes,
                1 => Confirmation::YesWith(call.arguments),
                2 => panic!("secret: made"),
                _ => Confirmation::No,
            };
            async move {
                a_while(&mut roll).await;
                assert!(roll(8) > 0, "secret: polled");
                answer
            }
        })
        .deadline({
            let seed = seed.clone();
            move || {
                let mut roll = dice(seed());
                async move {
                    for _ in 0..3 {
                        a_while(&mut roll).await;
                    }
                }
            }
        })
        .build(),
    );
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.payload_as_str().is_some_and(|payload| payload.contains("secret")) {
            hook(info);
        }
    }));
    let pool = ThreadPool::builder().pool_size(4).create().unwrap();
    for _ in 0..200 {
        let commands = [ask("notes.open"), ask("notes.close")];
        let calls: Vec<_> = (0..20)
            .map(|number| {
                let (policy, mut roll) = (policy.clone(), dice(seed()));
                let mut call = commands[usize::from(number % 2 == 0)].clone();
                call.arguments = CommandArguments::new().with("number", number);
                let call_ends = async move {
                    a_while(&mut roll).await;
                    let decision = policy.before(&call);
                    if roll(3) > 0 {
                        if let Decision::RunWith(arguments) = decision.await.decision {
                            assert_eq!(arguments, call.arguments, "an edit serves its own call");
                        }
                    } else {
                        select(decision, Box::pin(a_while(roll))).await;
                    }
                };
                pool.spawn_with_handle(call_ends).unwrap()
            })
            .collect();
        block_on(join_all(calls));
        assert_eq!(policy.size().1, 0);
    }
    assert!(policy.size().0 <= 2);
}
