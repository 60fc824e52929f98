//! Parser of instructions and terminators.

use super::TextError;
use super::fields::Word;
use super::lexer::Tok;
use super::names::{FACTS, FAST};
use super::parser::Parser;
use crate::{BlockCall, Facts, FastMath, InstKind, MathFnName, Terminator, Ty, Value};

impl<'a> Parser<'_, 'a> {
    /// A terminator, or `None` if the line is an instruction.
    pub(super) fn terminator(&mut self) -> Result<Option<Terminator>, TextError> {
        let Tok::Ident(word) = self.peek() else {
            return Ok(None);
        };
        let term = match word {
            "jump" => {
                self.next();
                Terminator::Jump(self.target()?)
            }
            "brif" => {
                self.next();
                let cond = self.value()?;
                self.punct(',')?;
                let then = self.target()?;
                self.punct(',')?;
                let other = self.target()?;
                Terminator::Brif { cond, then, other }
            }
            "switch" => {
                self.next();
                let index = self.value()?;
                self.punct(',')?;
                let cases = self.list('[', ']', Parser::target)?;
                self.punct(',')?;
                let default = self.target()?;
                Terminator::Switch {
                    index,
                    cases,
                    default,
                }
            }
            "guard" => {
                self.next();
                let cond = self.value()?;
                let kind = self.named("a guard kind")?;
                self.punct(',')?;
                let ok = self.target()?;
                self.punct(',')?;
                let err = self.target()?;
                Terminator::Guard {
                    cond,
                    kind,
                    ok,
                    err,
                }
            }
            "return" => {
                self.next();
                Terminator::Return(self.values_or_none()?)
            }
            "fail" => {
                self.next();
                Terminator::Fail
            }
            _ => return Ok(None),
        };
        Ok(Some(term))
    }

    fn target(&mut self) -> Result<BlockCall, TextError> {
        let block = self.block()?;
        let args = if self.peek() == Tok::Punct('(') {
            self.args()?
        } else {
            Vec::new()
        };
        Ok(BlockCall { block, args })
    }

    /// `(v1, v2)`
    fn args(&mut self) -> Result<Vec<Value>, TextError> {
        self.list('(', ')', Parser::value)
    }

    /// `v1, v2`
    fn values(&mut self) -> Result<Vec<Value>, TextError> {
        let mut out = vec![self.value()?];
        while self.eat(Tok::Punct(',')) {
            out.push(self.value()?);
        }
        Ok(out)
    }

    pub(super) fn values_or_none(&mut self) -> Result<Vec<Value>, TextError> {
        match self.peek() {
            Tok::Ident(_) => self.values(),
            _ => Ok(Vec::new()),
        }
    }

    /// The operation of an instruction with its flags; `results` give the type of constants.
    pub(super) fn instruction(
        &mut self,
        results: &[(Value, Option<Ty>)],
    ) -> Result<(InstKind, Facts, FastMath), TextError> {
        self.result = results.first().and_then(|&(_, ty)| ty);
        let kind = self.kind()?;
        let (mut facts, mut fast) = (Facts::empty(), FastMath::empty());
        while let Tok::Ident(word) = self.peek() {
            if let Some((flag, _)) = FACTS.iter().find(|(_, name)| *name == word) {
                facts |= *flag;
            } else if let Some((flag, _)) = FAST.iter().find(|(_, name)| *name == word) {
                fast |= *flag;
            } else {
                return self.expected("a flag or end of line");
            }
            self.next();
        }
        Ok((kind, facts, fast))
    }

    /// What stands in the table of instructions between fields: the words and the punctuation of `text`.
    pub(crate) fn literal(&mut self, text: &str) -> Result<(), TextError> {
        let mut rest = text.trim();
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            if end == 0 {
                self.punct(first)?;
                rest = rest[first.len_utf8()..].trim_start();
            } else if self.eat_word(&rest[..end]) {
                rest = rest[end..].trim_start();
            } else {
                return self.expected(&format!("`{}`", &rest[..end]));
            }
        }
        Ok(())
    }

    /// The word that an instruction begins with, where the table has a type for it.
    pub(crate) fn first_word<T: Word>(&mut self) -> Result<T, TextError> {
        let found = match self.peek() {
            Tok::Ident(word) => T::from_word(word),
            _ => None,
        };
        match found {
            Some(member) => {
                self.next();
                Ok(member)
            }
            None => self.expected("an instruction"),
        }
    }

    fn kind(&mut self) -> Result<InstKind, TextError> {
        let word = match self.peek() {
            Tok::Ident(word) => word,
            _ => return self.expected("an instruction"),
        };
        let unknown = self.error(format!("unknown instruction `{word}`"));
        match InstKind::parse(word, self)? {
            Some(kind) => Ok(kind),
            None if MathFnName::has_library(word) => self.expected("a math function"),
            None => Err(unknown),
        }
    }
}
