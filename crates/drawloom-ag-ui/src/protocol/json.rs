//! JSON text that is kept as it stands.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::decode::Reader;
use super::member::IntoOwned;

/// The most values that raw text is built into: members and items at all depths. An empty object of two bytes takes
/// several hundred in memory, so a limit to the bytes would not be enough.
const MAX_VALUES: usize = 250_000;

/// One JSON value as text: checked, and otherwise as its sender wrote it. Two are equal if their text is.
///
/// Content that nobody asks for stays in this form, so it costs neither memory nor depth. It has no half surrogate
/// pairs: where the sender wrote one, it is U+FFFD.
///
/// ```
/// use drawloom_ag_ui::protocol::Json;
///
/// let json = Json::new(r#"{"stars": 5}"#)?;
/// assert_eq!(json.get(), r#"{"stars": 5}"#);
/// assert_eq!(json.read::<serde_json::Value>()?, serde_json::json!({"stars": 5}));
/// # Ok::<(), drawloom_ag_ui::protocol::JsonError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Json<'a>(Cow<'a, str>);

/// Text is not JSON, or is not what it is read as.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is not one JSON value.
    #[error("the text is not one JSON value")]
    NotJson,
    /// The value has too many values in it to be built.
    #[error("the JSON holds more than {MAX_VALUES} values")]
    TooManyValues,
    /// The value is something else than was asked for, or is nested too deeply to be built.
    #[error("the JSON cannot be read: {0}")]
    Unreadable(serde_json::Error),
}

impl JsonError {
    /// A stable name for this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson => "not-json",
            Self::TooManyValues => "too-many-values",
            Self::Unreadable(_) => "unreadable-json",
        }
    }
}

impl<'a> Json<'a> {
    /// Takes one JSON value, and drops the whitespace around it.
    ///
    /// # Errors
    /// [`JsonError::NotJson`] if the text is anything else.
    pub fn new(text: &'a str) -> Result<Self, JsonError> {
        let mut reader = Reader::new(text);
        let json = reader.raw().map_err(|_fault| JsonError::NotJson)?;
        reader.end().map_err(|_fault| JsonError::NotJson)?;
        Ok(json)
    }

    /// INVARIANT: the text is one JSON value without half surrogate pairs.
    pub(crate) fn checked(text: Cow<'a, str>) -> Self {
        Self(text)
    }

    /// The text.
    pub fn get(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_text(self) -> Cow<'a, str> {
        self.0
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.0 == "null"
    }

    /// Builds the value.
    ///
    /// # Errors
    /// [`JsonError`] if the value is not a `T`, is nested more than 128 deep, or holds more than 250,000 values.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, JsonError> {
        let (mut values, mut is_text, mut is_escaped) = (0, false, false);
        for byte in self.0.bytes() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = is_text,
                b'"' => is_text = !is_text,
                b',' | b'[' | b'{' if !is_text => values += 1,
                _ => {}
            }
        }
        if values > MAX_VALUES {
            return Err(JsonError::TooManyValues);
        }
        serde_json::from_str(&self.0).map_err(JsonError::Unreadable)
    }

    /// The value on its own, which borrows nothing.
    pub fn into_owned(self) -> Json<'static> {
        Json(Cow::Owned(self.0.into_owned()))
    }
}

/// `null`.
impl Default for Json<'_> {
    fn default() -> Self {
        Self(Cow::Borrowed("null"))
    }
}

impl From<Value> for Json<'static> {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl From<&Value> for Json<'static> {
    fn from(value: &Value) -> Self {
        Self(Cow::Owned(value.to_string()))
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl IntoOwned for Json<'_> {
    type Owned = Json<'static>;
    fn into_owned(self) -> Json<'static> {
        self.into_owned()
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

// Through `Value`, because a `RawValue` cannot be read from what serde buffers (a flattened or tagged type).
impl<'de> Deserialize<'de> for Json<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}
