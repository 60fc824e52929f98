//! Comprehensions of CPython 3.11, which are calls of a nested function, become loops as in 3.12 (PEP 709).
//!
//! ```text
//! before                                    after
//!   v0 = function <code <listcomp>>           v1 = iter v9
//!   v1 = iter v9                              v3 = list()
//!   v2 = call v0(v1)                          jump bb1 ...
//! ```

use super::params::{Substitution, for_each_use, use_counts};
use super::{
    BlockId, ConstId, Dfg, DfgBlock, DfgInst, DfgOp, Edge, Terminator, ValueId, ValueKind,
    Variable, VariableId, VariableKind,
};
use crate::code::{CodeFlags, CodeObject, Const};
use crate::error::Error;
use numbra_base::{FxHashMap, FxHashSet, Span};

/// Nesting beyond this stays a call.
const MAX_DEPTH: u32 = 16;

/// A call that can be replaced: positions in its block, and what the nested function sees.
struct Site {
    make: usize,
    call: usize,
    iterator: ValueId,
    /// Variables of this function behind the nested one's free variables.
    cells: Vec<VariableId>,
    inner: Dfg,
}

/// Variables of this function that a comprehension reads, with the places where it does.
pub(super) type Captured = FxHashSet<(VariableId, Span)>;

/// Inlines every comprehension call, if there is one. `depth` counts enclosing comprehensions.
pub(super) fn inline(dfg: &mut Dfg, depth: u32) -> Result<Option<Captured>, Error> {
    if depth >= MAX_DEPTH
        || !dfg
            .consts
            .iter()
            .any(|c| matches!(c, Const::Code(code) if is_comprehension(code)))
    {
        return Ok(None);
    }
    let counts = use_counts(dfg, &vec![true; dfg.blocks.len()]);
    let mut names: FxHashSet<String> = dfg.variables.iter().map(|v| v.name.clone()).collect();
    let mut subst = Vec::new();
    let mut captured = None;
    let mut work: Vec<usize> = (0..dfg.blocks.len()).rev().collect();
    while let Some(block) = work.pop() {
        if let Some(site) = find_site(dfg, block, &counts, depth)? {
            let captured = captured.get_or_insert_with(Captured::default);
            work.push(splice(dfg, block, site, &mut names, &mut subst, captured));
        }
    }
    let mut all = Substitution::new(dfg.values.len());
    for (from, to) in subst {
        all.set(from, to);
    }
    all.apply(&mut dfg.blocks);
    Ok(captured)
}

fn is_comprehension(code: &CodeObject) -> bool {
    matches!(
        code.name.as_str(),
        "<listcomp>" | "<setcomp>" | "<dictcomp>"
    ) && code.argcount == 1
        && code.kwonlyargcount == 0
        && code.varnames.first().is_some_and(|name| name == ".0")
        && !code.flags.intersects(
            CodeFlags::GENERATOR
                | CodeFlags::COROUTINE
                | CodeFlags::ASYNC_GENERATOR
                | CodeFlags::VARARGS
                | CodeFlags::VARKEYWORDS,
        )
}

fn find_site(dfg: &Dfg, block: usize, counts: &[u32], depth: u32) -> Result<Option<Site>, Error> {
    let insts = &dfg.blocks[block].insts;
    let made: FxHashMap<ValueId, usize> = insts
        .iter()
        .enumerate()
        .flat_map(|(i, inst)| inst.results.iter().map(move |&r| (r, i)))
        .collect();
    for (call, inst) in insts.iter().enumerate() {
        let (DfgOp::Call { kwnames }, &[function, iterator]) = (&inst.op, inst.operands.as_slice())
        else {
            continue;
        };
        let Some(&make) = made.get(&function) else {
            continue;
        };
        let DfgOp::MakeFunction {
            code,
            defaults: false,
            kwdefaults: false,
            closure,
        } = insts[make].op
        else {
            continue;
        };
        let Const::Code(code) = &dfg.consts[code.0 as usize] else {
            continue;
        };
        // Values made by an inlined comprehension have no count and are no functions to call.
        if !kwnames.is_empty()
            || counts.get(function.index()) != Some(&1)
            || !is_comprehension(code)
        {
            continue;
        }
        let cells = if closure {
            insts[make]
                .operands
                .first()
                .and_then(|v| made.get(v))
                .copied()
        } else {
            None
        };
        let cells: Option<Vec<VariableId>> = match cells.map(|at| &insts[at]) {
            Some(DfgInst {
                op: DfgOp::BuildTuple { star },
                operands,
                ..
            }) if star.is_empty() => operands
                .iter()
                .map(|v| match made.get(v).map(|&at| &insts[at].op) {
                    Some(DfgOp::LoadCell(variable)) => Some(*variable),
                    _ => None,
                })
                .collect(),
            Some(_) => None,
            None => (!closure).then(Vec::new),
        };
        let Some(cells) = cells.filter(|c| c.len() == code.freevars.len()) else {
            continue;
        };
        let inner = Dfg::of_code_at(code, dfg.span.file, depth + 1)?;
        let plain = inner.blocks.iter().all(|b| {
            b.handler.is_none()
                && b.caught.is_none()
                && !b.insts.iter().any(|i| {
                    matches!(i.op, DfgOp::StoreVariable(v) | DfgOp::DeleteVariable(v) | DfgOp::LoadCell(v) if v.0 == 0)
                })
        });
        if plain {
            return Ok(Some(Site {
                make,
                call,
                iterator,
                cells,
                inner,
            }));
        }
    }
    Ok(None)
}

/// Replaces the call; returns the block that continues after it.
fn splice(
    dfg: &mut Dfg,
    block: usize,
    site: Site,
    names: &mut FxHashSet<String>,
    subst: &mut Vec<(ValueId, ValueId)>,
    captured: &mut Captured,
) -> usize {
    let Site {
        make,
        call,
        iterator,
        cells,
        inner,
    } = site;
    let first_value = dfg.values.len() as u32;
    let first_block = dfg.blocks.len() as u32;
    let continuation = BlockId(first_block + inner.blocks.len() as u32);
    let at = dfg.blocks[block].insts[call].offset;

    let variables: Vec<VariableId> = inner
        .variables
        .iter()
        .map(|variable| match variable.kind {
            VariableKind::Free(i) => cells[i as usize],
            VariableKind::Local | VariableKind::Cell | VariableKind::Comprehension => {
                let base = variable.name.split('$').next().unwrap_or(&variable.name);
                dfg.variables.push(Variable {
                    name: unique_name(base, names),
                    kind: VariableKind::Comprehension,
                });
                VariableId(dfg.variables.len() as u32 - 1)
            }
        })
        .collect();
    let consts: Vec<ConstId> = inner
        .consts
        .into_iter()
        .map(|constant| {
            dfg.consts.push(constant);
            ConstId(dfg.consts.len() as u32 - 1)
        })
        .collect();
    for mut value in inner.values {
        if let ValueKind::Const(id) = &mut value.kind {
            *id = consts[id.0 as usize];
        }
        value.offset = at;
        dfg.values.push(value);
    }
    let moved = |value: &mut ValueId| value.0 += first_value;

    let rest = dfg.blocks[block].insts.split_off(call + 1);
    let result = dfg.blocks[block]
        .insts
        .pop()
        .and_then(|inst| inst.results.first().copied());
    dfg.blocks[block].insts.remove(make);
    let source = &mut dfg.blocks[block];
    let entry = Edge {
        target: BlockId(first_block),
        args: Vec::new(),
    };
    let tail = DfgBlock {
        params: result.into_iter().collect(),
        caught: None,
        insts: rest,
        term: std::mem::replace(&mut source.term, Terminator::Jump(entry)),
        span: source.span,
        offset: source.offset,
        handler: source.handler.clone(),
    };
    let handler = source.handler.clone();
    if let Some(result) = result {
        dfg.values[result.index()].kind = ValueKind::Param;
    }
    for mut new in inner.blocks {
        for_each_use(&mut new, moved);
        new.params.iter_mut().for_each(moved);
        new.term
            .edges_mut()
            .into_iter()
            .for_each(|edge| edge.target.0 += first_block);
        for inst in &mut new.insts {
            inst.results.iter_mut().for_each(moved);
            inst.offset = at;
            if let DfgOp::LoadVariable(v) = inst.op
                && matches!(inner.variables[v.0 as usize].kind, VariableKind::Free(_))
            {
                captured.insert((variables[v.0 as usize], inst.span));
            }
            match &mut inst.op {
                DfgOp::LoadVariable(v) if v.0 == 0 => {
                    subst.extend(inst.results.iter().map(|&loaded| (loaded, iterator)));
                    v.0 = u32::MAX;
                }
                DfgOp::LoadVariable(v)
                | DfgOp::StoreVariable(v)
                | DfgOp::DeleteVariable(v)
                | DfgOp::CheckVariable { variable: v, .. }
                | DfgOp::LoadCell(v) => {
                    *v = variables[v.0 as usize];
                }
                DfgOp::MakeFunction { code, .. } => *code = consts[code.0 as usize],
                _ => {}
            }
        }
        new.insts
            .retain(|inst| !matches!(inst.op, DfgOp::LoadVariable(v) if v.0 == u32::MAX));
        if let Terminator::Return { value, .. } = new.term {
            let args = result.map(|_| value).into_iter().collect();
            new.term = Terminator::Jump(Edge {
                target: continuation,
                args,
            });
        }
        new.handler = handler.clone();
        new.offset = at;
        dfg.blocks.push(new);
    }
    dfg.blocks.push(tail);
    continuation.index()
}

/// `x$comp`, `x$comp2`, ...: a name that no variable has.
pub(super) fn unique_name(base: &str, names: &mut FxHashSet<String>) -> String {
    let mut name = format!("{base}$comp");
    let mut n = 1;
    while !names.insert(name.clone()) {
        n += 1;
        name = format!("{base}$comp{n}");
    }
    name
}
