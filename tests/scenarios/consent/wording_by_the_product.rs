//! The product SHALL be able to define what an agent is told when a command is closed to agents and when the person
//! rejected the call.

use drawloom::consent::{Confirmation, ConsentPolicy, ConsentWording};

use super::support::{Person, agent_behind, assert_holds, bench, call_each, refusal};

/// - **GIVEN** the wording `Only people reset.` for never and `They declined.` for refused, and a
///   confirmation that answers no.
/// - **WHEN** the agent calls `notes.reset` and `notes.delete`.
/// - **THEN** the first answer contains `Only people reset.` and the second `They declined.`.
#[test]
fn the_product_s_own_words() {
    let (bench, person) = (bench(), Person::who_says([Confirmation::No]));
    let wording = ConsentWording::default().never("Only people reset.").refused("They declined.");
    let mut agent = agent_behind(&bench, ConsentPolicy::builder(person.confirms()).wording(wording).build());
    let messages = call_each(&mut agent, &["notes__reset", "notes__delete"]);
    assert_holds(refusal(&messages[0]), &["Only people reset."]);
    assert_holds(refusal(&messages[1]), &["They declined."]);
}
