//! How deep a source nests, told from its tokens. A parser of Rust works by recursion, so what nests too deeply is
//! reported and never parsed.

use std::iter::Peekable;

use proc_macro2::{Delimiter, TokenStream, TokenTree, token_stream};

/// How many brackets may stand inside each other.
const BRACKETS: usize = 128;
/// How many tokens may follow each other on the way to a token, without a `;`, a `,` or the end of an item between
/// them. What nests without brackets (types, operators, calls of methods) takes at least one token for each level.
const RUN: usize = 4_096;
/// How many tokens a file may have.
const TOKENS: usize = 2_000_000;

/// Why a source is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooDeep {
    Brackets,
    Run,
    Tokens,
}

impl TooDeep {
    pub(crate) fn message(self) -> String {
        match self {
            Self::Brackets => {
                format!("it nests more than {BRACKETS} brackets, so it was not judged: it nests too deeply")
            }
            Self::Run => format!(
                "it has an expression or a type of more than {RUN} tokens in a row, so it was not judged: it nests too deeply"
            ),
            Self::Tokens => format!("it has more than {TOKENS} tokens, so it was not judged"),
        }
    }
}

/// Checks the tokens of a source, without recursion.
pub(crate) fn check(tokens: &TokenStream) -> Result<(), TooDeep> {
    check_up_to(TOKENS, tokens)
}

fn check_up_to(most: usize, tokens: &TokenStream) -> Result<(), TooDeep> {
    let mut count = 0_usize;
    let mut frames = vec![Frame::new(tokens.clone(), 0)];
    while let Some(frame) = frames.last_mut() {
        let Some((token, run)) = frame.next() else {
            frames.pop();
            continue;
        };
        count += 1;
        if count > most {
            return Err(TooDeep::Tokens);
        }
        if run > RUN {
            return Err(TooDeep::Run);
        }
        if let TokenTree::Group(group) = token {
            if frames.len() > BRACKETS {
                return Err(TooDeep::Brackets);
            }
            frames.push(Frame::new(group.stream(), run));
        }
    }
    Ok(())
}

/// The tokens within one pair of brackets.
struct Frame {
    tokens: Peekable<token_stream::IntoIter>,
    /// How many tokens in a row lead to these.
    base: usize,
    /// How many of these follow each other up to now.
    run: usize,
    /// How many `<` are open, or were operators.
    angles: usize,
    /// How many closures began, each of which contains what follows it.
    closures: usize,
    /// Whether a `|` would begin a closure here.
    begins: bool,
    /// The `-` or `=` before a `>` that closes nothing.
    is_arrow: bool,
}

/// Keywords that an expression may follow.
const BEFORE_EXPRESSION: [&str; 9] =
    ["async", "break", "else", "in", "match", "move", "return", "static", "yield"];

impl Frame {
    fn new(tokens: TokenStream, base: usize) -> Self {
        let tokens = tokens.into_iter().peekable();
        Self { tokens, base, run: 0, angles: 0, closures: 0, begins: true, is_arrow: false }
    }

    /// The next token, and how many tokens in a row lead to it.
    fn next(&mut self) -> Option<(TokenTree, usize)> {
        let token = self.tokens.next()?;
        self.run += 1;
        let run = self.base + self.run + self.closures;
        match &token {
            TokenTree::Punct(punct) => {
                let character = punct.as_char();
                match character {
                    ';' => self.end(),
                    // Within `<…>` a comma leads on to what nests as deep.
                    ',' if self.angles == 0 => self.run = 0,
                    '<' => self.angles += 1,
                    '>' if !self.is_arrow => self.angles = self.angles.saturating_sub(1),
                    '|' if self.begins => self.closures += 1,
                    _ => {}
                }
                self.is_arrow = matches!(character, '-' | '=');
                self.begins = !matches!(character, '>' | '?') || self.is_arrow;
            }
            // A block that is not part of an expression ends an item or a statement.
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && self.ends_here() => {
                self.end()
            }
            TokenTree::Ident(ident) => {
                self.begins = BEFORE_EXPRESSION.iter().any(|keyword| ident == keyword);
            }
            TokenTree::Group(_) | TokenTree::Literal(_) => self.begins = false,
        }
        Some((token, run))
    }

    /// Whether what follows a block is not a part of the same expression.
    fn ends_here(&mut self) -> bool {
        match self.tokens.peek() {
            None | Some(TokenTree::Literal(_)) => true,
            Some(TokenTree::Punct(next)) => next.as_char() == '#',
            Some(TokenTree::Ident(next)) => next != "else" && next != "as",
            Some(TokenTree::Group(next)) => next.delimiter() == Delimiter::Brace,
        }
    }

    fn end(&mut self) {
        (self.run, self.angles, self.closures, self.begins) = (0, 0, 0, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(source: &str) -> Result<(), TooDeep> {
        check(&source.parse().unwrap())
    }

    #[test]
    fn what_nests_is_told_from_what_is_long() {
        let many = |part: &str| part.repeat(10_000);
        for long in [
            format!("const A: [u8; 1] = [{}];", many("1,")),
            format!("fn f() {{ {} }}", many("a(b);")),
            many("fn f() {}"),
            many("#[a] struct A { b: C<D, E>, }"),
            format!("fn f() {{ match a {{ {} }} }}", many("B | C => d(|e, f| g),")),
            format!("fn f() {{ {} }}", many("if a < b { c } else { d }")),
        ] {
            assert_eq!(checked(&long), Ok(()), "{}", long.get(..60).unwrap());
        }
    }

    #[test]
    fn what_nests_too_deeply_is_told() {
        let deep = |part: &str| part.repeat(5_000);
        for run in [
            format!("type A = {}u8{};", deep("B<"), deep(">")),
            // Without the closing brackets, which would be a run of their own.
            format!("type A = {};", deep("B<C, ")),
            format!("fn f() {{ a{}; }}", deep(".b()")),
            format!("fn f() {{ {}a; }}", deep("!")),
            format!("fn f() {{ {}a; }}", deep("|a, b| ")),
            format!("fn f() {{ {}a; }}", deep("move |a, b| ")),
            format!("fn f() {{ {} {{}} }}", deep("if a { b } else ")),
            format!("type A = {}u8;", deep("&*const ")),
            format!("fn f() {{ a{}; }}", deep(" + b")),
        ] {
            assert_eq!(checked(&run), Err(TooDeep::Run), "{}", run.get(..60).unwrap());
        }
        let brackets = format!("fn f() {{ {}a{} }}", "(".repeat(200), ")".repeat(200));
        assert_eq!(checked(&brackets), Err(TooDeep::Brackets));
        let twelve = "a;".repeat(6).parse().unwrap();
        assert_eq!((check_up_to(12, &twelve), check_up_to(11, &twelve)), (Ok(()), Err(TooDeep::Tokens)));
    }
}
