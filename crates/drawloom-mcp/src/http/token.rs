//! The secret by which a client says whose it is.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::server::BuildError;

/// How many characters a token has at least.
const SHORTEST: usize = 32;
/// How many characters a token has at most.
const LONGEST: usize = 512;

/// A secret that a client sends with each request, as `Authorization: Bearer …`. Whoever knows it acts as the person it
/// belongs to.
///
/// It is not shown by `Debug`. [`BearerToken::as_str`] gives the text, for the person alone.
#[derive(Clone, PartialEq, Eq)]
pub struct BearerToken(String);

/// A text that is not a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// It can be guessed, or it does not fit into a header.
    #[error("a token has {SHORTEST} to {LONGEST} characters; let the application generate it")]
    Length,
    /// It has a character that a header cannot carry.
    #[error("a token has letters, digits and -._~+/= only")]
    Character,
}

impl BearerToken {
    /// A new token with 256 random bits.
    ///
    /// # Errors
    /// [`BuildError::Randomness`] if the system gives no random numbers.
    pub fn generate() -> Result<Self, BuildError> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(|error| BuildError::Randomness(error.to_string()))?;
        Ok(Self(random.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// A token that the application made. Its text must be random, because whoever guesses it acts as the person.
    ///
    /// # Errors
    /// [`TokenError`] if the text is too short or too long, or does not fit into a header.
    ///
    /// ```
    /// use drawloom_mcp::{BearerToken, TokenError};
    ///
    /// assert_eq!(BearerToken::new("secret"), Err(TokenError::Length));
    /// ```
    pub fn new(text: impl Into<String>) -> Result<Self, TokenError> {
        let text = text.into();
        if !(SHORTEST..=LONGEST).contains(&text.len()) {
            return Err(TokenError::Length);
        }
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if !text.bytes().all(is_allowed) {
            return Err(TokenError::Character);
        }
        Ok(Self(text))
    }

    /// The text of the token.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken(…)")
    }
}

/// What is stored of a token and compared: a digest under a key of the server.
///
/// The duration of a comparison says how far two digests agree. Who does not know the key cannot choose a token by its
/// digest, and learns nothing of another token.
pub(crate) type TokenDigest = [u8; 32];

/// The key of a server under which tokens are compared.
#[derive(Clone)]
pub(crate) struct TokenKey([u8; 32]);

impl TokenKey {
    pub(crate) fn generate() -> Result<Self, BuildError> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| BuildError::Randomness(error.to_string()))?;
        Ok(Self(key))
    }

    pub(crate) fn digest(&self, token: &str) -> TokenDigest {
        let inner = Sha256::new().chain_update(self.0).chain_update(token).finalize();
        Sha256::new().chain_update(self.0).chain_update(inner).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_random_and_not_shown() {
        let token = BearerToken::generate().unwrap();
        assert_eq!(token.as_str().len(), 64);
        assert_ne!(token, BearerToken::generate().unwrap());
        assert!(!format!("{token:?}").contains(token.as_str()));
        assert_eq!(BearerToken::new(token.as_str()), Ok(token));
    }

    #[test]
    fn what_a_header_cannot_carry_is_no_token() {
        assert_eq!(BearerToken::new("x".repeat(31)), Err(TokenError::Length));
        assert_eq!(BearerToken::new("x".repeat(513)), Err(TokenError::Length));
        assert_eq!(BearerToken::new("x".repeat(32) + " y"), Err(TokenError::Character));
        assert_eq!(BearerToken::new("x".repeat(32) + "\r\n"), Err(TokenError::Character));
    }
}
