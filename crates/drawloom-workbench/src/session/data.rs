//! The product's own data in a session: any value, read by its type.

use std::any::{Any, type_name};
use std::fmt;
use std::sync::Arc;

use crate::contain::DropContained;

/// The data of a session, or none. Clones share the value.
#[derive(Clone, Default)]
pub(super) struct SessionData(Option<TypedData>);

#[derive(Clone)]
struct TypedData {
    value: DropContained<Arc<dyn Any + Send + Sync>>,
    type_name: &'static str,
}

/// The session has no data of the type that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session has no data of the type {wanted}{}", but_has(*.found))]
pub struct SessionDataAbsent {
    wanted: &'static str,
    found: Option<&'static str>,
}

fn but_has(type_name: Option<&'static str>) -> String {
    type_name.map(|found| format!("; its data is of the type {found}")).unwrap_or_default()
}

impl SessionData {
    pub(super) fn new<T: Any + Send + Sync>(data: T) -> Self {
        let value = DropContained::new("session data", Arc::new(data) as Arc<dyn Any + Send + Sync>);
        Self(Some(TypedData { value, type_name: type_name::<T>() }))
    }

    pub(super) fn get<T: Any>(&self) -> Result<&T, SessionDataAbsent> {
        let data = self.0.as_ref();
        let value = data.and_then(|data| data.value.get()).and_then(|value| value.downcast_ref());
        value.ok_or_else(|| SessionDataAbsent {
            wanted: type_name::<T>(),
            found: data.map(|data| data.type_name),
        })
    }

    /// Where the shared value is.
    fn address(&self) -> Option<*const ()> {
        Some(Arc::as_ptr(self.0.as_ref()?.value.get()?).cast())
    }
}

/// Whether both share one value.
impl PartialEq for SessionData {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }
}

impl Eq for SessionData {}

impl fmt::Debug for SessionData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_ref().map_or("none", |data| data.type_name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_read_as_its_own_type_and_as_no_other() {
        let data = SessionData::new(7_u8);
        assert_eq!(data.get::<u8>(), Ok(&7));
        assert_eq!(
            data.get::<u16>().unwrap_err().to_string(),
            "the session has no data of the type u16; its data is of the type u8"
        );
        let none = SessionData::default();
        assert_eq!(none.get::<u8>().unwrap_err().to_string(), "the session has no data of the type u8");
    }

    #[test]
    fn clones_are_equal_and_equal_values_are_not() {
        let data = SessionData::new(7_u8);
        assert_eq!(data, data.clone());
        assert_ne!(data, SessionData::new(7_u8));
        assert_ne!(data, SessionData::default());
        assert_eq!(SessionData::default(), SessionData::default());
        // Values without a size also have an address of their own.
        assert_ne!(SessionData::new(()), SessionData::new(()));
    }
}
