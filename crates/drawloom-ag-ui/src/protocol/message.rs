//! The messages of a conversation, and the calls in them.

use std::borrow::Cow;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::decode::{Next, Read, Reader};
use super::member::{Extra, IntoOwned, Member, members, read_list, read_object, read_text, write_extra};
use super::{Content, Json, Role, ToolMessage};

members! {
    /// One message of a conversation.
    ///
    /// ```
    /// use drawloom_ag_ui::protocol::{Message, Role};
    ///
    /// let text = r#"{"id":"m1","role":"critic","content":"dull","name":null,"stars":2}"#;
    /// let message: Message = serde_json::from_str(text)?;
    /// assert_eq!(message.role, Role::new("critic"));
    /// assert_eq!(message.text(), Some("dull"));
    /// assert_eq!(serde_json::to_string(&message)?, r#"{"id":"m1","role":"critic","content":"dull","stars":2}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct Message<'a> {
        /// The message's own id. Some agents give a message a new one in each snapshot.
        id: Cow<'a, str> = "id",
        /// Who it is from.
        role: Role<'a> = "role",
        /// What it says.
        content: Option<Content<'a>> = "content",
        /// The calls that an assistant makes in it.
        tool_calls: Vec<ToolCall<'a>> = "toolCalls",
        /// The call that a message of role `tool` answers.
        tool_call_id: Option<Cow<'a, str>> = "toolCallId",
        /// Why the tool gave no answer.
        error: Option<Cow<'a, str>> = "error",
        /// The name of its author.
        name: Option<Cow<'a, str>> = "name",
        /// The kind of activity, in a message of role `activity`.
        activity_type: Option<Cow<'a, str>> = "activityType",
        /// The subagent that it comes from.
        subagent_run_id: Option<Cow<'a, str>> = "subagentRunId",
        /// An opaque value of the provider, to be sent back as it is.
        encrypted_value: Option<Cow<'a, str>> = "encryptedValue",
        /// Further information.
        metadata: Option<Json<'a>> = "metadata";
        /// Members that this version does not know, in order.
        extra
    }
}

impl<'a> Message<'a> {
    /// A message of this role that says nothing yet.
    pub fn new(id: impl Into<Cow<'a, str>>, role: Role<'a>) -> Self {
        Self { id: id.into(), role, ..Self::default() }
    }

    /// What a person says.
    pub fn user(id: impl Into<Cow<'a, str>>, text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(id, Role::User).with_text(text)
    }

    /// Sets what it says to this text.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.content = Some(Content::Text(text.into()));
        self
    }

    /// What it says, if that is plain text.
    pub fn text(&self) -> Option<&str> {
        self.content.as_ref().and_then(Content::text)
    }

    /// The call that it answers, if it is of role `tool`.
    pub fn answered_call(&self) -> Option<&str> {
        self.tool_call_id.as_deref().filter(|_id| self.role == Role::Tool)
    }

    /// Reads one message; None if the text is not an object with a role.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Option<Self>> {
        if reader.next() != Next::Object {
            reader.skip()?;
            return Ok(None);
        }
        read_object(reader)
            .map(|message: Self| Some(message).filter(|message| !message.role.as_str().is_empty()))
    }
}

impl From<ToolMessage> for Message<'static> {
    fn from(message: ToolMessage) -> Self {
        Self {
            tool_call_id: Some(Cow::Owned(message.tool_call_id.as_str().to_owned())),
            error: message.error.map(Cow::Owned),
            ..Self::new(message.id, Role::Tool).with_text(message.content)
        }
    }
}

impl<'a> Member<'a> for Vec<Message<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        read_list(reader, Message::read)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

impl<'de> Deserialize<'de> for Message<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let message = Message::read(&mut Reader::new(json.get())).ok().flatten();
        message
            .map(Message::into_owned)
            .ok_or_else(|| D::Error::custom("a message must be an object with a \"role\""))
    }
}

/// A call that an assistant's message contains. It is identified by its own id, never by its message.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolCall<'a> {
    /// The call.
    pub id: Cow<'a, str>,
    /// The tool that it calls.
    pub name: Cow<'a, str>,
    /// The text of the arguments, as the agent sent it.
    pub arguments: Cow<'a, str>,
    /// Members of the call that this version does not know, in order.
    pub extra: Vec<(Cow<'a, str>, Json<'a>)>,
    /// Members of its `function` that this version does not know, in order.
    pub function_extra: Vec<(Cow<'a, str>, Json<'a>)>,
}

impl<'a> ToolCall<'a> {
    /// A call of this tool with this text of arguments.
    pub fn new(
        id: impl Into<Cow<'a, str>>,
        name: impl Into<Cow<'a, str>>,
        arguments: impl Into<Cow<'a, str>>,
    ) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), ..Self::default() }
    }

    /// The call on its own, which borrows nothing.
    pub fn into_owned(self) -> ToolCall<'static> {
        IntoOwned::into_owned(self)
    }

    /// Reads one call; None if it is not an object with an id and a `function`.
    fn read(reader: &mut Reader<'a>) -> Read<Option<Self>> {
        if reader.next() != Next::Object {
            reader.skip()?;
            return Ok(None);
        }
        let mut call = Self::default();
        let mut has_function = false;
        let mut inside = reader.object()?;
        while let Some(name) = reader.key(&mut inside)? {
            match &*name {
                "id" => call.id = Member::read(reader)?,
                // There is only one type of call.
                "type" => reader.skip()?,
                "function" => has_function = call.read_function(reader)?,
                _ => {
                    reader.count()?;
                    call.extra.push((name, reader.raw()?));
                }
            }
        }
        Ok(Some(call).filter(|call| has_function && !call.id.is_empty()))
    }

    fn read_function(&mut self, reader: &mut Reader<'a>) -> Read<bool> {
        if reader.next() != Next::Object {
            reader.skip()?;
            return Ok(false);
        }
        (self.name, self.arguments, self.function_extra) = Default::default();
        let mut inside = reader.object()?;
        while let Some(name) = reader.key(&mut inside)? {
            match &*name {
                "name" => self.name = Member::read(reader)?,
                "arguments" => self.arguments = read_arguments_text(reader)?,
                _ => {
                    reader.count()?;
                    self.function_extra.push((name, reader.raw()?));
                }
            }
        }
        Ok(true)
    }
}

/// The text of arguments. Some agents send the object itself instead of its text. Any other value is kept as it stands
/// too: read as nothing, it would be a call without arguments, which may run.
fn read_arguments_text<'a>(reader: &mut Reader<'a>) -> Read<Cow<'a, str>> {
    match reader.next() {
        Next::Text | Next::Null => read_text(reader).map(Option::unwrap_or_default),
        Next::Object | Next::List | Next::Other => reader.raw().map(Json::into_text),
    }
}

impl IntoOwned for ToolCall<'_> {
    type Owned = ToolCall<'static>;
    fn into_owned(self) -> ToolCall<'static> {
        ToolCall {
            id: IntoOwned::into_owned(self.id),
            name: IntoOwned::into_owned(self.name),
            arguments: IntoOwned::into_owned(self.arguments),
            extra: IntoOwned::into_owned(self.extra),
            function_extra: IntoOwned::into_owned(self.function_extra),
        }
    }
}

impl<'a> Member<'a> for Vec<ToolCall<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        read_list(reader, ToolCall::read)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        if self.is_empty() { Ok(()) } else { map.serialize_entry(name, self) }
    }
}

impl Serialize for ToolCall<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("type", "function")?;
        map.serialize_entry("function", &Function(self))?;
        write_extra(&self.extra, &mut map)?;
        map.end()
    }
}

/// The `function` of a call.
struct Function<'c>(&'c ToolCall<'c>);

impl Serialize for Function<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.0.name)?;
        map.serialize_entry("arguments", &self.0.arguments)?;
        let extra: &Extra<'_> = &self.0.function_extra;
        write_extra(extra, &mut map)?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for ToolCall<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        let call = ToolCall::read(&mut Reader::new(json.get())).ok().flatten();
        call.map(ToolCall::into_owned)
            .ok_or_else(|| D::Error::custom("a call must be an object with an \"id\" and a \"function\""))
    }
}

#[cfg(test)]
mod tests;
