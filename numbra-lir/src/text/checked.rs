//! Modules from files: read, and verified before anything else looks at them.

use super::{Lines, TextError, from_json, parse_with_lines};
use crate::Module;
use crate::verify::{Location, Phase, VerifyError, verify};

impl Lines {
    /// The line of what an error of the verifier is about: the nearest that the text names.
    pub fn of(&self, place: Location) -> u32 {
        let (line, func) = match place {
            Location::Module => return 1,
            Location::Function(func) => (None, func),
            Location::Block(func, block) => (self.blocks.get(&(func, block)), func),
            Location::Inst(func, inst) => (self.insts.get(&(func, inst)), func),
            Location::Term(func, block) => {
                let term = self.terms.get(&(func, block));
                (term.or_else(|| self.blocks.get(&(func, block))), func)
            }
        };
        line.or_else(|| self.functions.get(&func))
            .copied()
            .unwrap_or(1)
    }
}

/// Reads a text that what follows may take: a verified module, and whether its functions count references.
pub fn read(text: &str) -> Result<(Module, Phase), TextError> {
    let (module, lines) = parse_with_lines(text)?;
    match phase_of(&module) {
        Ok(phase) => Ok((module, phase)),
        Err(error) => {
            let line = lines.of(error.place);
            let start = text.lines().nth(line as usize - 1).unwrap_or_default();
            let blanks = start.len() - start.trim_start().len();
            Err(TextError {
                line,
                col: blanks as u32 + 1,
                message: format!("{} [{}]", error.message, error.rule),
            })
        }
    }
}

/// As [`read`], for the JSON form.
pub fn read_json(text: &str) -> Result<(Module, Phase), String> {
    let module = from_json(text)?;
    match phase_of(&module) {
        Ok(phase) => Ok((module, phase)),
        Err(error) => Err(error.to_string()),
    }
}

/// The first phase whose rules hold, or what breaks those of the last.
fn phase_of(module: &Module) -> Result<Phase, VerifyError> {
    if verify(module, Phase::Built).is_ok() {
        return Ok(Phase::Built);
    }
    match verify(module, Phase::Placed) {
        Ok(()) => Ok(Phase::Placed),
        Err(errors) => Err(errors.into_iter().next().unwrap_or(VerifyError {
            rule: "ids",
            place: Location::Module,
            message: "a rule is broken".to_owned(),
        })),
    }
}
