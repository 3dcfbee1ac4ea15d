//! Setting the arguments of a call aside, as the text that the client sent.
//!
//! The protocol library reads a message into a JSON tree: of two members with the same name it keeps one, and a number
//! that has no exact machine number becomes another number. Arguments are therefore cut out of the message first, and are
//! read in one place only, by `drawloom-tools`.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The method whose arguments are set aside.
const CALL: &str = "tools/call";

/// The text of the arguments of a call, as the client sent it. It travels with the request to the handler.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ArgumentText(pub(crate) Arc<str>);

/// One of the arguments may be secret.
impl fmt::Debug for ArgumentText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArgumentText({} bytes)", self.0.len())
    }
}

/// A message without the arguments of a call, and these.
#[derive(Debug, PartialEq)]
pub(crate) struct Separated<'a> {
    /// The message for the protocol library.
    pub(crate) message: Cow<'a, str>,
    /// What was cut out of it. `None` if the message is not a call or the call has no arguments.
    pub(crate) arguments: Option<ArgumentText>,
}

/// A call has two members with the same name, so it is not clear what is meant.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call has two members \"{0}\"")]
pub(crate) struct DuplicateMember(String);

/// Cuts the arguments out of a call. Every other message, and what is not JSON, is returned as it is.
///
/// # Errors
/// [`DuplicateMember`] if a member of the call or of its parameters occurs twice.
pub(crate) fn separate(message: &str) -> Result<Separated<'_>, DuplicateMember> {
    let unchanged = || Separated { message: Cow::Borrowed(message), arguments: None };
    let Ok(request) = serde_json::from_str::<Members<'_>>(message) else { return Ok(unchanged()) };
    let is_call =
        |method: &&RawValue| serde_json::from_str::<String>(method.get()).is_ok_and(|method| method == CALL);
    if !request.all("method").any(|method| is_call(&method)) {
        return Ok(unchanged());
    }
    request.expect_unique()?;
    let params = request.all("params").next().map(|params| serde_json::from_str::<Members<'_>>(params.get()));
    let Some(Ok(params)) = params else { return Ok(unchanged()) };
    params.expect_unique()?;
    let Some(arguments) = params.all("arguments").next() else { return Ok(unchanged()) };
    let arguments = Some(ArgumentText(arguments.get().into()));
    let params = params.write(|name, value| (name != "arguments").then_some(value.into()));
    let message = request
        .write(|name, value| Some(if name == "params" { params.as_str().into() } else { value.into() }));
    Ok(Separated { message: Cow::Owned(message), arguments })
}

/// The members of a JSON object in their order, each value as its text.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    fn all(&self, name: &str) -> impl Iterator<Item = &'a RawValue> {
        self.0.iter().filter(move |(other, _)| other == name).map(|(_, value)| *value)
    }

    fn expect_unique(&self) -> Result<(), DuplicateMember> {
        let mut names: Vec<&str> = self.0.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        let twice = names.windows(2).find(|pair| matches!(pair, [one, other] if one == other));
        match twice {
            Some([name, ..]) => Err(DuplicateMember((*name).to_owned())),
            _ => Ok(()),
        }
    }

    /// The object as JSON, each member with the text that `value` gives it, or without the member.
    fn write<'v>(&'v self, value: impl Fn(&str, &'v str) -> Option<Cow<'v, str>>) -> String {
        let mut text = String::from("{");
        for (name, raw) in &self.0 {
            let Some(value) = value(name, raw.get()) else { continue };
            if text.len() > 1 {
                text.push(',');
            }
            // A string is always JSON.
            text.push_str(&serde_json::to_string(name).unwrap_or_default());
            text.push(':');
            text.push_str(&value);
        }
        text.push('}');
        text
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;

        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    members.push((Cow::Owned(name), value));
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(MembersVisitor).map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(message: &str) -> Option<String> {
        separate(message).unwrap().arguments.map(|text| text.0.to_string())
    }

    #[test]
    fn the_arguments_are_the_text_that_was_sent() {
        let text = r#"{ "n" : 9007199254740993, "n":1e400, "t":"\u0000" }"#;
        let call = format!(
            r#"{{"id":1,"method":"tools\/call","params":{{"name":"a","arguments":{text},"x":[1]}}}}"#
        );
        let separated = separate(&call).unwrap();
        assert_eq!(separated.arguments, Some(ArgumentText(text.into())));
        assert_eq!(separated.message, r#"{"id":1,"method":"tools\/call","params":{"name":"a","x":[1]}}"#);
    }

    #[test]
    fn other_messages_stay_as_they_are() {
        for message in [
            r#"{"id":1,"method":"tools/list","params":{"arguments":{}}}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#,
            r#"{"id":1,"method":"tools/call","params":[1]}"#,
            r#"{"id":1,"method":"tools/list","method":"other"}"#,
            r#"[{"method":"tools/call","params":{"arguments":{}}}]"#,
            "nothing",
            "",
        ] {
            let separated = separate(message).unwrap();
            assert_eq!((&*separated.message, separated.arguments), (message, None));
        }
    }

    #[test]
    fn a_call_with_two_members_of_one_name_is_refused() {
        for (call, name) in [
            (r#"{"method":"tools/call","params":{"arguments":{},"arguments":{"a":1}}}"#, "arguments"),
            (r#"{"method":"tools/call","params":{"name":"a","n\u0061me":"b"}}"#, "name"),
            (r#"{"method":"tools/call","params":{},"params":{}}"#, "params"),
            (r#"{"method":"tools/list","method":"tools/call","params":{}}"#, "method"),
        ] {
            assert_eq!(separate(call), Err(DuplicateMember(name.to_owned())), "{call}");
        }
        assert_eq!(
            arguments(r#"{"method":"tools/call","params":{"arguments":null}}"#).as_deref(),
            Some("null")
        );
    }
}
