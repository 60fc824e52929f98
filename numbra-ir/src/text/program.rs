//! Typed programs as text.
//!
//! ```text
//! program fn0
//!
//! fn0 = dispatcher 3
//! function f(x: int64) -> int64:
//! bb0:
//!   ...
//!
//! fn1 = prelude numpy.sum#0
//! function sum(a: array(float64, 1d, C)) -> float64:
//!   ...
//! ```
//!
//! Other origins: `overload 5`, `closure "g"`, `text "name"`.

use super::checked::FuncLines;
use super::cursor::{Cursor, Parse, ParseError};
use super::names::RowNames;
use super::parse::{Lines, function};
use super::parse_stmt::parse_row;
use super::print::{PrintOptions, Printer, callee_text};
use crate::{
    Callee, DispatcherId, EntityRef, Instance, InstanceOrigin, PrimaryMap, TypedProgram, Types,
};
use std::fmt::Write;

/// The text of a program.
pub fn print_program(
    program: &TypedProgram,
    types: &Types,
    rows: &dyn RowNames,
    options: PrintOptions,
) -> String {
    let mut out = format!("program {}\n", program.root);
    for (instance, (origin, typed)) in &program.functions {
        let origin = match origin {
            InstanceOrigin::Dispatcher(id) => format!("dispatcher {}", id.0),
            InstanceOrigin::Prelude(row, body) => {
                format!("prelude {}", callee_text(Callee::Row(*row, *body), rows))
            }
            InstanceOrigin::Overload(id) => format!("overload {id}"),
            InstanceOrigin::Closure(name) => format!("closure {name:?}"),
            InstanceOrigin::Text(name) => format!("text {name:?}"),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n{instance} = {origin}");
        Printer::new(&typed.func, Some(typed), types, rows, options).function(&mut out, 0);
    }
    out
}

/// Reads a program. A text that starts with a function is a program of that function alone.
pub fn parse_program(
    text: &str,
    types: &Types,
    rows: &dyn RowNames,
) -> Result<TypedProgram, ParseError> {
    program_with_lines(text, types, rows).map(|(program, _)| program)
}

/// As [`parse_program`], with where its functions stand.
pub(super) fn program_with_lines(
    text: &str,
    types: &Types,
    rows: &dyn RowNames,
) -> Parse<(TypedProgram, Vec<FuncLines>)> {
    let mut lines = Lines::new(text);
    let Some(first) = lines.peek() else {
        return lines.error_at_end("expected a program, found the end of the text");
    };
    let mut functions = PrimaryMap::new();
    if first.peek_word() == Some("function") {
        let line = first.line();
        let mut parsed = function(&mut lines, types, rows, 0)?;
        let places = std::mem::take(&mut parsed.lines);
        let typed = parsed.into_typed(line)?;
        if let Some(line) = lines.next() {
            return line.error("text after the function; several functions need a `program` line");
        }
        let origin = InstanceOrigin::Text(typed.func.name.clone());
        let root = functions.push((origin, typed));
        return Ok((TypedProgram { functions, root }, places));
    }
    let Some(mut line) = lines.next_if("program") else {
        return first_error(&mut lines);
    };
    let at = line.clone();
    let root = Instance::new(line.entity("fn", "a function such as `fn0`")? as usize);
    line.end()?;
    let mut places = Vec::new();
    while let Some(mut line) = lines.next() {
        let start = line.clone();
        let instance = line.entity("fn", "a function such as `fn0`")?;
        if instance as usize != functions.len() {
            let expected = functions.len();
            return start.error(format!(
                "functions are listed in order: expected `fn{expected}`"
            ));
        }
        line.expect("=")?;
        let origin = origin(&mut line, rows)?;
        line.end()?;
        let mut parsed = function(&mut lines, types, rows, 0)?;
        places.append(&mut parsed.lines);
        let typed = parsed.into_typed(line.line())?;
        functions.push((origin, typed));
    }
    if !functions.is_valid(root) {
        return at.error(format!("{root} is not defined"));
    }
    Ok((TypedProgram { functions, root }, places))
}

fn first_error<T>(lines: &mut Lines<'_>) -> Parse<T> {
    match lines.next() {
        Some(line) => line.error("expected `program` or `function`"),
        None => lines.error_at_end("expected `program` or `function`"),
    }
}

fn origin(c: &mut Cursor<'_>, rows: &dyn RowNames) -> Parse<InstanceOrigin> {
    let start = c.clone();
    Ok(match c.word() {
        Some("dispatcher") => {
            InstanceOrigin::Dispatcher(DispatcherId(c.number("a dispatcher number")?))
        }
        Some("prelude") => {
            let (row, body) = parse_row(c, rows)?;
            InstanceOrigin::Prelude(row, body)
        }
        Some("overload") => InstanceOrigin::Overload(c.number("an overload number")?),
        Some("closure") => InstanceOrigin::Closure(c.quoted('"')?),
        Some("text") => InstanceOrigin::Text(c.quoted('"')?),
        _ => return start.error("expected an origin, such as `dispatcher 0`"),
    })
}
