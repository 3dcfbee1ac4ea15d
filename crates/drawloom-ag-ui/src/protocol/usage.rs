//! How many tokens a run took.

use std::borrow::Cow;

use serde::ser::SerializeMap;

use super::decode::{Next, Read, Reader};
use super::member::{Member, members, read_list, read_object};

members! {
    /// Token counts for one provider and model. The parts (reasoning, cached, cache write) are contained in the totals.
    pub struct TokenUsage<'a> {
        /// The provider.
        provider: Option<Cow<'a, str>> = "provider",
        /// The model.
        model: Option<Cow<'a, str>> = "model",
        /// All tokens of the input.
        input_tokens: Option<u64> = "inputTokens",
        /// All tokens of the output.
        output_tokens: Option<u64> = "outputTokens",
        /// Both together.
        total_tokens: Option<u64> = "totalTokens",
        /// Those of the output that were reasoning.
        reasoning_tokens: Option<u64> = "reasoningTokens",
        /// Those of the input that came from a cache.
        cached_input_tokens: Option<u64> = "cachedInputTokens",
        /// Those of the input that were written to a cache.
        cache_write_input_tokens: Option<u64> = "cacheWriteInputTokens";
        /// Members that this version does not know, in order.
        extra
    }
}

impl<'a> Member<'a> for Vec<TokenUsage<'a>> {
    fn read(reader: &mut Reader<'a>) -> Read<Self> {
        read_list(reader, |reader| {
            if reader.next() == Next::Object {
                return read_object(reader).map(Some);
            }
            reader.skip()?;
            Ok(None)
        })
    }

    fn write<M: SerializeMap>(&self, name: &'static str, map: &mut M) -> Result<(), M::Error> {
        if self.is_empty() { Ok(()) } else { map.serialize_entry(name, self) }
    }
}
