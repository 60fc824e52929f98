//! Functions and programs from files: read, and verified before anything else looks at them.

use super::cursor::ParseError;
use super::names::{NoRows, RowNames};
use super::parse::{parse_func_with_types, untyped};
use super::print::Location;
use super::program::program_with_lines;
use crate::verify::{Phase, VerifyError, phase_of, verify_program};
use crate::{Block, Func, Inst, TypedProgram, Types};
use numbra_base::FxHashMap;

/// The lines on which a function and its parts stand.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct FuncLines {
    pub(super) qualname: String,
    pub(super) line: u32,
    pub(super) blocks: FxHashMap<Block, u32>,
    pub(super) insts: FxHashMap<Inst, u32>,
}

impl FuncLines {
    fn of(&self, place: Location) -> Option<u32> {
        match place {
            Location::Func => Some(self.line),
            Location::Block(block) => self.blocks.get(&block).copied(),
            Location::Inst(inst) => self.insts.get(&inst).copied(),
        }
    }
}

/// Reads an untyped function that what follows may take: verified, with the phase whose rules it keeps.
pub fn read_func(text: &str, types: &Types) -> Result<(Func, Phase), ParseError> {
    let parsed = parse_func_with_types(text, types, &NoRows)?;
    let lines = parsed.lines.clone();
    let func = untyped(parsed)?;
    match phase_of(&func) {
        Ok(phase) => Ok((func, phase)),
        Err(errors) => Err(first_error(text, &lines, &errors)),
    }
}

/// As [`read_func`], for typed programs.
pub fn read_program(
    text: &str,
    types: &Types,
    rows: &dyn RowNames,
) -> Result<TypedProgram, ParseError> {
    let (program, lines) = program_with_lines(text, types, rows)?;
    match verify_program(&program, types) {
        Ok(()) => Ok(program),
        Err(errors) => Err(first_error(text, &lines, &errors)),
    }
}

/// The first broken rule where the text has what breaks it, or where its function begins.
fn first_error(text: &str, lines: &[FuncLines], errors: &[VerifyError]) -> ParseError {
    let (line, message) = errors.first().map_or((1, ""), |error| {
        let named = || lines.iter().filter(|func| func.qualname == error.func);
        let line = named()
            .find_map(|func| func.of(error.place))
            .or_else(|| named().next().map(|func| func.line));
        (line.unwrap_or(1), error.message.as_str())
    });
    let start = text.lines().nth(line as usize - 1).unwrap_or_default();
    let blanks = start.chars().count() - start.trim_start().chars().count();
    ParseError {
        line,
        col: blanks as u32 + 1,
        message: message.to_owned(),
    }
}
