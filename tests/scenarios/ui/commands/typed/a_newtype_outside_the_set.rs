//! A newtype stands on a type of the set.

use drawloom::prelude::*;

struct Labels(Vec<String>);

impl ArgumentValue for Labels {
    type Scalar = Vec<String>;

    fn from_scalar(labels: Vec<String>) -> Self {
        Self(labels)
    }
}

fn main() {}
