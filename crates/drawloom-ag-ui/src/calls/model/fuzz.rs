//! The same sequences, chosen by the bytes of a fuzzer instead of at random, so that it can search for new behaviour.

use std::panic::AssertUnwindSafe;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::play::{check, limits, op, unoffered};

/// The bytes that choose one step. A change of them changes that step and no other.
const STEP_BYTES: usize = 4;
const STEPS: usize = 60;

/// The value that these bytes choose.
fn chosen<T>(strategy: &impl Strategy<Value = T>, bytes: &[u8]) -> T {
    let mut seed = [0; 32];
    seed.iter_mut().zip(bytes).for_each(|(seed, byte)| *seed = *byte);
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    strategy.new_tree(&mut TestRunner::new_with_rng(Config::default(), rng)).unwrap().current()
}

#[test]
fn the_ledger_does_as_the_model_does() {
    let strategies = AssertUnwindSafe(((limits(), unoffered()), op()));
    bolero::check!().for_each(|bytes: &[u8]| {
        let AssertUnwindSafe((settings, op)) = &strategies;
        let mut steps = bytes.chunks(STEP_BYTES);
        let Some((limits, unoffered)) = steps.next().map(|bytes| chosen(settings, bytes)) else { return };
        let ops: Vec<_> = steps.take(STEPS).map(|bytes| chosen(op, bytes)).collect();
        check(&ops, limits, unoffered);
    });
}
