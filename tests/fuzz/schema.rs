//! A JSON Schema from which a command takes its arguments.

use drawloom::command::RegistrationId;
use drawloom::prelude::*;
use drawloom::tools::tool_definition;
use serde_json::Value;

#[test]
fn schema_text() {
    let declare = |schema: &Value| {
        Command::new("notes.open", "Open note").callable().arguments_from_schema(schema).declare()
    };
    bolero::check!().for_each(|bytes: &[u8]| {
        let Ok(schema) = serde_json::from_slice::<Value>(bytes) else { return };
        let Ok(declaration) = declare(&schema) else { return };
        let Some(command) = declaration.describe(RegistrationId::unique(), |text| text.clone()) else {
            return;
        };
        // What is published is a schema, and says the same when it is read again.
        let published = tool_definition(&command).parameters;
        assert!(jsonschema::meta::is_valid(&published), "{published}");
        let again = declare(&published).unwrap();
        let again = again.describe(command.registration, |text| text.clone()).unwrap();
        assert_eq!(again, command, "{schema} was published as {published}");
    });
}
