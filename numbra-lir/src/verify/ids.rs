//! Rule `ids`: what has to hold before anything else can look at a module.

use super::{Location, VerifyError};
use crate::{FuncRef, Module, Value, ValueDef};

/// Checks that every id is in range and every value is defined once, where it says.
pub fn check_ids(module: &Module) -> Result<(), VerifyError> {
    module
        .functions
        .keys()
        .try_for_each(|id| check_function(module, id))
}

pub(super) fn check_function(module: &Module, id: FuncRef) -> Result<(), VerifyError> {
    let error = |place: Location, message: String| {
        Err(VerifyError {
            rule: "ids",
            place,
            message,
        })
    };
    let Some(func) = module.functions.get(id).and_then(|decl| decl.body.as_ref()) else {
        return Ok(());
    };
    let whole = Location::Function(id);
    if func.layout.is_empty() {
        return error(whole, "no blocks".to_owned());
    }
    for variable in func.debug.iter().flat_map(|debug| &debug.variables) {
        if !func.slots.is_valid(variable.slot) {
            let (name, slot) = (&variable.name, variable.slot);
            return error(
                whole,
                format!("the variable `{name}` is in {slot}, which does not exist"),
            );
        }
    }
    let mut inst_seen = vec![false; func.insts.len()];
    let mut defined = vec![false; func.values.len()];
    for block in &func.layout {
        let Some(data) = func.blocks.get(block) else {
            return error(whole, format!("layout names {block}, which does not exist"));
        };
        let mut define = |value: Value, def: ValueDef, place: Location| {
            let Some(data) = func.values.get(value) else {
                return error(place, format!("{value} does not exist"));
            };
            if data.def != def {
                return error(place, format!("{value} says that it is defined elsewhere"));
            }
            if std::mem::replace(&mut defined[value.as_u32() as usize], true) {
                return error(place, format!("{value} is defined twice"));
            }
            Ok(())
        };
        for (n, &param) in data.params.iter().enumerate() {
            define(
                param,
                ValueDef::Param(block, n as u16),
                Location::Block(id, block),
            )?;
        }
        for &inst in data.insts() {
            let place = Location::Inst(id, inst);
            let Some(inst_data) = func.insts.get(inst) else {
                return error(Location::Block(id, block), format!("{inst} does not exist"));
            };
            if std::mem::replace(&mut inst_seen[inst.as_u32() as usize], true) {
                return error(place, "the instruction stands twice".to_owned());
            }
            if func.inst_block(inst) != Some(block) {
                return error(
                    place,
                    "the instruction says that it stands elsewhere".to_owned(),
                );
            }
            for (n, &result) in inst_data.results.iter().enumerate() {
                define(result, ValueDef::Result(inst, n as u16), place)?;
            }
        }
    }
    for block in &func.layout {
        let data = &func.blocks[block];
        let check = |value: Value, place: Location| match defined.get(value.as_u32() as usize) {
            Some(true) => Ok(()),
            _ => error(place, format!("{value} is not defined")),
        };
        for &inst in data.insts() {
            let place = Location::Inst(id, inst);
            let mut result = Ok(());
            func.insts[inst].kind.visit_operands(|v| {
                if result.is_ok() {
                    result = check(v, place);
                }
            });
            result?;
            let known = func.insts[inst].kind.names_exist(module, func);
            if !known {
                return error(place, "names something that does not exist".to_owned());
            }
        }
        if let Some(term) = &data.term {
            let place = Location::Term(id, block);
            let mut result = Ok(());
            term.visit_operands(|v| {
                if result.is_ok() {
                    result = check(v, place);
                }
            });
            result?;
            for target in term.targets() {
                if !func.layout.contains(target.block) {
                    return error(place, format!("{} is not in the layout", target.block));
                }
            }
        }
    }
    Ok(())
}
