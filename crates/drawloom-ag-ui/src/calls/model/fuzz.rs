//! The same sequences, chosen by the bytes of a fuzzer instead of at random, so that it can search for new behaviour.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::play::{check, limits, op, unoffered};

#[test]
fn the_ledger_does_as_the_model_does() {
    bolero::check!().for_each(|bytes: &[u8]| {
        let rng = TestRng::from_seed(RngAlgorithm::PassThrough, bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let sequence = (vec(op(), 0..40), limits(), unoffered());
        // A sequence needs more bytes than there are.
        let Ok(sequence) = sequence.new_tree(&mut runner) else { return };
        let (ops, limits, unoffered) = sequence.current();
        check(&ops, limits, unoffered);
    });
}
