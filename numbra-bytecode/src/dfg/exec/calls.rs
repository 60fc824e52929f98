//! Calls, and functions made here.

use super::frame::Frame;
use super::{Exec, Slot};
use crate::code::Const;
use crate::dfg::{DfgOp, ValueKind};
use crate::error::{Error, Malformed};
use crate::op::FunctionParts;
use numbra_base::FxHashSet;

impl Exec<'_> {
    pub(super) fn make_function(
        &mut self,
        frame: &mut Frame,
        parts: FunctionParts,
    ) -> Result<(), Error> {
        let code = frame.pop()?;
        let ValueKind::Const(code) = self.dfg.value(code).kind else {
            return Err(frame.malformed(Malformed::Operand));
        };
        if !matches!(self.dfg.consts[code.0 as usize], Const::Code(_)) {
            return Err(frame.malformed(Malformed::Operand));
        }
        let mut operands = frame.pop_n(parts.bits().count_ones())?;
        let (defaults, kwdefaults) = (
            parts.contains(FunctionParts::DEFAULTS),
            parts.contains(FunctionParts::KWDEFAULTS),
        );
        if parts.contains(FunctionParts::ANNOTATE) {
            operands.pop();
        }
        if parts.contains(FunctionParts::ANNOTATIONS) {
            operands.remove(usize::from(defaults) + usize::from(kwdefaults));
        }
        let closure = parts.contains(FunctionParts::CLOSURE);
        let op = DfgOp::MakeFunction {
            code,
            defaults,
            kwdefaults,
            closure,
        };
        let function = self.emit(frame, op, operands);
        frame.push(function);
        frame.mark_fresh();
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        frame: &mut Frame,
        count: u32,
        kwnames: Vec<String>,
    ) -> Result<(), Error> {
        let args = frame.pop_n(count)?;
        if kwnames.len() > args.len() || repeats(&kwnames) {
            return Err(frame.malformed(Malformed::KeywordNames));
        }
        let operands = frame.pop_callee()?.into_iter().chain(args).collect();
        let result = self.emit(frame, DfgOp::Call { kwnames }, operands);
        frame.push(result);
        Ok(())
    }

    pub(super) fn call_ex(&mut self, frame: &mut Frame, has_kwargs: bool) -> Result<(), Error> {
        let kwargs = match has_kwargs {
            true if frame.slot(1)? == Slot::Null => {
                frame.pop_slot()?;
                None
            }
            true => Some(frame.pop_fresh()?),
            false => None,
        };
        let (tuple, tuple_display) = frame.pop_fresh()?;
        let callee = frame.pop_callee()?;
        let &[function] = callee.as_slice() else {
            return Err(frame.malformed(Malformed::StackKind));
        };

        // Keyword arguments that are spelled out (calls with many of them build a dict first).
        let mut kwnames = Vec::new();
        let mut kwvalues = Vec::new();
        let mut mapping = kwargs.map(|(value, _)| value);
        if let Some((_, Some(at))) = kwargs
            && let DfgOp::BuildMap { star } = &frame.insts[at].op
            && star.is_empty()
        {
            let pairs = &frame.insts[at].operands;
            let names: Option<Vec<String>> = pairs
                .chunks_exact(2)
                .map(|pair| match self.dfg.constant(pair[0]) {
                    Some(Const::Str(name)) => Some(name.clone()),
                    _ => None,
                })
                .collect();
            if let Some(names) = names {
                if repeats(&names) {
                    return Err(frame.malformed(Malformed::KeywordNames));
                }
                kwnames = names;
                kwvalues = pairs.chunks_exact(2).map(|pair| pair[1]).collect();
                mapping = None;
                frame.insts[at].results.clear();
            }
        }
        let spelled_out = tuple_display.filter(
            |&at| matches!(&frame.insts[at].op, DfgOp::BuildTuple { star } if star.is_empty()),
        );
        let empty =
            matches!(self.dfg.constant(tuple), Some(Const::Tuple(items)) if items.is_empty());
        let (op, operands) = match spelled_out {
            Some(at) if mapping.is_none() => {
                frame.insts[at].results.clear();
                let args = std::mem::take(&mut frame.insts[at].operands);
                (
                    DfgOp::Call { kwnames },
                    [function].into_iter().chain(args).chain(kwvalues).collect(),
                )
            }
            _ if empty && mapping.is_none() => (
                DfgOp::Call { kwnames },
                [function].into_iter().chain(kwvalues).collect(),
            ),
            _ => {
                let kwargs = mapping.is_some();
                let operands = [function, tuple]
                    .into_iter()
                    .chain(kwvalues)
                    .chain(mapping)
                    .collect();
                (DfgOp::CallEx { kwnames, kwargs }, operands)
            }
        };
        let result = self.emit(frame, op, operands);
        frame.push(result);
        Ok(())
    }
}

/// 3.13 and later attach parts one by one to the function just made.
pub(super) fn set_function_attribute(frame: &mut Frame, part: FunctionParts) -> Result<(), Error> {
    let (function, made) = frame.pop_fresh()?;
    let value = frame.pop()?;
    let Some(at) = made else {
        return Err(frame.malformed(Malformed::Operand));
    };
    let DfgOp::MakeFunction {
        defaults,
        kwdefaults,
        closure,
        ..
    } = &mut frame.insts[at].op
    else {
        return Err(frame.malformed(Malformed::Operand));
    };
    // Operands stay in the order of the flags. Annotations say nothing to the compiler.
    let position = match part {
        FunctionParts::DEFAULTS => {
            *defaults = true;
            0
        }
        FunctionParts::KWDEFAULTS => {
            *kwdefaults = true;
            usize::from(*defaults)
        }
        FunctionParts::CLOSURE => {
            *closure = true;
            usize::from(*defaults) + usize::from(*kwdefaults)
        }
        _ => usize::MAX,
    };
    let operands = &mut frame.insts[at].operands;
    if position <= operands.len() {
        operands.insert(position, value);
    }
    frame.push(function);
    frame.fresh.insert(function, at);
    Ok(())
}

fn repeats(names: &[String]) -> bool {
    let mut seen = FxHashSet::default();
    !names.iter().all(|name| seen.insert(name))
}
