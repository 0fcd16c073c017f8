//! A finding's message values as one JSON object, in their order.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::text::interned;

/// Names and values.
pub(crate) struct Params<'a>(pub(crate) &'a [(&'static str, String)]);

impl Serialize for Params<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// What [`Params`] wrote.
pub(crate) struct OwnedParams(pub(crate) Vec<(&'static str, String)>);

impl<'de> Deserialize<'de> for OwnedParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OwnedParams, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = OwnedParams;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OwnedParams, A::Error> {
                let mut pairs = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    pairs.push((interned(&name), value));
                }
                Ok(OwnedParams(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}
