//! What a message says: text, or a list of parts.

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Json;
use super::decode::{Next, Read, Reader};
use super::member::{IntoOwned, Member, members, read_list, read_object};

/// What a message or the result of a call says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A list of parts, as raw text. [`Content::parts`] reads it.
    Parts(Json<'a>),
    /// Something else: the object of an activity, or what the protocol does not provide for.
    Other(Json<'a>),
}

/// One part of a content.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContentPart<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// An image, audio, a video or a document.
    Media {
        /// What it is.
        kind: MediaKind,
        /// Where its bytes are.
        source: PartSource<'a>,
    },
    /// A part that this version does not know.
    Unknown(Json<'a>),
}

/// What kind of media a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MediaKind {
    /// An image.
    Image,
    /// Audio.
    Audio,
    /// A video.
    Video,
    /// A document.
    Document,
}

members! {
    /// Where the bytes of a part are.
    pub struct PartSource<'a> {
        /// What `value` is: `data` (the bytes in base64), `url`, `file` (a handle of the provider), or a later kind.
        kind: Cow<'a, str> = "type",
        /// The bytes, the address or the handle.
        value: Cow<'a, str> = "value",
        /// The media type.
        mime_type: Option<Cow<'a, str>> = "mimeType" or "mime_type",
        /// The provider whose handle it is.
        provider: Option<Cow<'a, str>> = "provider";
        /// Members that this version does not know.
        extra
    }
}

impl<'a> Content<'a> {
    /// The text, if the content is plain text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Parts(_) | Self::Other(_) => None,
        }
    }

    /// The parts of it. Plain text is one part.
    pub fn parts(&self) -> Vec<ContentPart<'_>> {
        match self {
            Self::Text(text) => vec![ContentPart::Text(Cow::Borrowed(text))],
            Self::Parts(json) => {
                // INVARIANT: the text is a JSON list, so only the limit to its items can be exceeded.
                read_list(&mut Reader::new(json.get()), |reader| ContentPart::read(reader).map(Some))
                    .unwrap_or_default()
            }
            Self::Other(json) => vec![ContentPart::Unknown(json.clone())],
        }
    }

    /// The text of all text parts, one after another.
    ///
    /// ```
    /// use drawloom_ag_ui::protocol::{Event, EventKind};
    ///
    /// let text = r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c",
    ///     "content":[{"type":"text","text":"two "},{"type":"image","source":{}},{"type":"text","text":"notes"}]}"#;
    /// let EventKind::ToolCallResult(result) = Event::parse(text)?.kind else { panic!("not a result") };
    /// assert_eq!(result.content.all_text(), "two notes");
    /// # Ok::<(), drawloom_ag_ui::protocol::EventError>(())
    /// ```
    pub fn all_text(&self) -> Cow<'_, str> {
        if let Self::Text(text) = self {
            return Cow::Borrowed(text);
        }
        let mut all = String::new();
        for part in self.parts() {
            if let ContentPart::Text(text) = part {
                all.push_str(&text);
            }
        }
        Cow::Owned(all)
    }

    /// Whether it is empty text.
    pub fn is_empty(&self) -> bool {
        self.text().is_some_and(str::is_empty)
    }

    /// The content on its own, which borrows nothing.
    pub fn into_owned(self) -> Content<'static> {
        IntoOwned::into_owned(self)
    }
}

impl<'a> ContentPart<'a> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let mark = reader.mark();
        if reader.next() == Next::Object {
            let (mut kind, mut text, mut source) = (Cow::Borrowed(""), Cow::Borrowed(""), None);
            let mut inside = reader.object()?;
            while let Some(name) = reader.key(&mut inside)? {
                match &*name {
                    "type" => kind = Member::read(reader)?,
                    "text" => text = Member::read(reader)?,
                    "source" => source = Member::read(reader)?,
                    _ => reader.skip()?,
                }
            }
            let kind = match &*kind {
                "text" => return Ok(Self::Text(text)),
                "image" => Some(MediaKind::Image),
                "audio" => Some(MediaKind::Audio),
                "video" => Some(MediaKind::Video),
                "document" => Some(MediaKind::Document),
                _ => None,
            };
            if let (Some(kind), Some(source)) = (kind, source) {
                return Ok(Self::Media { kind, source });
            }
        }
        reader.rewind(mark);
        reader.raw().map(Self::Unknown)
    }
}

/// Empty text.
impl Default for Content<'_> {
    fn default() -> Self {
        Self::Text(Cow::Borrowed(""))
    }
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Content<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(json) | Self::Other(json) => json.serialize(serializer),
        }
    }
}

impl IntoOwned for Content<'_> {
    type Owned = Content<'static>;
    fn into_owned(self) -> Content<'static> {
        match self {
            Self::Text(text) => Content::Text(IntoOwned::into_owned(text)),
            Self::Parts(json) => Content::Parts(json.into_owned()),
            Self::Other(json) => Content::Other(json.into_owned()),
        }
    }
}

impl<'a> Member<'a> for Option<Content<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Ok(match reader.next() {
            Next::Text => Some(Content::Text(reader.text()?)),
            Next::List => Some(Content::Parts(reader.raw()?)),
            Next::Object | Next::Other => Some(Content::Other(reader.raw()?)),
            Next::Null => {
                reader.skip()?;
                None
            }
        })
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |content| map.serialize_entry(name, content))
    }
}

impl<'a> Member<'a> for Content<'a> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        Option::<Self>::read(reader).map(Option::unwrap_or_default)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(name, self)
    }
}

impl<'a> Member<'a> for Option<PartSource<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        if reader.next() == Next::Object {
            return read_object(reader).map(Some);
        }
        reader.skip()?;
        Ok(None)
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        self.as_ref().map_or(Ok(()), |source| map.serialize_entry(name, source))
    }
}
