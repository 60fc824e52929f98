//! The canonical form of a data-flow graph.

use super::branches::{join_chains, thread};
use super::comprehension::unique_name;
use super::contexts::pass_by;
use super::params::{for_each_use, simplify, use_counts};
use super::tails::{merge, reachable};
use super::{
    BlockId, ConstId, Dfg, DfgInst, DfgOp, Terminator, Test, Value, ValueId, ValueKind, Variable,
    VariableId, VariableKind,
};
use numbra_base::{FxHashMap, FxHashSet};

/// Rounds after which a graph is taken as it is. Each nesting level of loops needs about two.
const MAX_ROUNDS: usize = 64;

/// Brings the graph to the form that the module documentation of [`super`] promises.
pub(super) fn canonicalise(dfg: &mut Dfg) {
    let (live, _) = reachable(dfg);
    simplify(dfg, &live);
    pass_by(dfg);
    for _ in 0..MAX_ROUNDS {
        let (live, _) = reachable(dfg);
        simplify(dfg, &live);
        let mut changed = thread(dfg, &live);
        let (live, order) = reachable(dfg);
        changed |= join_chains(dfg, &live, &order);
        let (live, order) = reachable(dfg);
        simplify(dfg, &live);
        order_stores(dfg);
        positive_tests(dfg, &live);
        changed |= merge(dfg, &live, &order);
        if !changed {
            break;
        }
    }
}

/// Puts assignments to locals that follow each other in the order of the variables; of two to the same variable the
/// last one counts. Compilers differ in how they unpack `a, b = x, y`.
fn order_stores(dfg: &mut Dfg) {
    let is_store = |inst: &DfgInst| matches!(inst.op, DfgOp::StoreVariable(_));
    for block in &mut dfg.blocks {
        if !block.insts.windows(2).any(|pair| pair.iter().all(is_store)) {
            continue;
        }
        let mut insts: Vec<DfgInst> = Vec::with_capacity(block.insts.len());
        let mut run: Vec<DfgInst> = Vec::new();
        for inst in std::mem::take(&mut block.insts) {
            if is_store(&inst) {
                run.push(inst);
            } else {
                insts.append(&mut ordered(&mut run));
                insts.push(inst);
            }
        }
        insts.append(&mut ordered(&mut run));
        block.insts = insts;
    }
}

fn ordered(run: &mut Vec<DfgInst>) -> Vec<DfgInst> {
    let mut seen = FxHashSet::default();
    let mut kept: Vec<DfgInst> = run
        .drain(..)
        .rev()
        .filter(|inst| seen.insert(inst.op.clone()))
        .collect();
    kept.reverse();
    kept.sort_by_key(|inst| {
        if let DfgOp::StoreVariable(v) = inst.op {
            v.0
        } else {
            0
        }
    });
    kept
}

/// A branch on `not in` or `is not` becomes one on `in` or `is` with its targets exchanged.
fn positive_tests(dfg: &mut Dfg, live: &[bool]) {
    let counts = use_counts(dfg, live);
    for block in &mut dfg.blocks {
        let Terminator::Branch {
            cond,
            test: Test::Truth,
            then,
            other,
        } = &mut block.term
        else {
            continue;
        };
        if counts[cond.index()] != 1 {
            continue;
        }
        let Some(inst) = block
            .insts
            .iter_mut()
            .rev()
            .find(|inst| inst.results.contains(cond))
        else {
            continue;
        };
        inst.op = match inst.op {
            DfgOp::NotIn => DfgOp::In,
            DfgOp::IsNot => DfgOp::Is,
            _ => continue,
        };
        std::mem::swap(then, other);
    }
}

/// Blocks in reverse post-order, values and constants in order of appearance; what is unreachable goes.
pub(super) fn number(dfg: &mut Dfg) {
    let (_, order) = reachable(dfg);
    let mut position = vec![BlockId(0); dfg.blocks.len()];
    for (new, &old) in order.iter().enumerate() {
        position[old] = BlockId(new as u32);
    }
    let mut slots: Vec<_> = std::mem::take(&mut dfg.blocks)
        .into_iter()
        .map(Some)
        .collect();
    dfg.blocks = order.iter().filter_map(|&old| slots[old].take()).collect();

    let mut values = Numbering {
        old: &dfg.values,
        map: FxHashMap::default(),
        new: Vec::new(),
    };
    let mut consts: Vec<ConstId> = Vec::new();
    let mut const_map: FxHashMap<ConstId, ConstId> = FxHashMap::default();
    let mut renumber_const = |id: ConstId| {
        *const_map.entry(id).or_insert_with(|| {
            consts.push(id);
            ConstId(consts.len() as u32 - 1)
        })
    };
    for block in &mut dfg.blocks {
        block.params.iter_mut().for_each(|v| *v = values.number(*v));
        block.caught.iter_mut().for_each(|v| *v = values.number(*v));
        for inst in &mut block.insts {
            inst.results.iter_mut().for_each(|v| *v = values.number(*v));
        }
    }
    for block in &mut dfg.blocks {
        for_each_use(block, |v| *v = values.number(*v));
        for edge in block.term.edges_mut().into_iter().chain(&mut block.handler) {
            edge.target = position[edge.target.index()];
        }
    }
    let mut new = values.new;
    for value in &mut new {
        if let ValueKind::Const(id) = &mut value.kind {
            *id = renumber_const(*id);
        }
    }
    for block in &mut dfg.blocks {
        for inst in &mut block.insts {
            if let DfgOp::MakeFunction { code, .. } = &mut inst.op {
                *code = renumber_const(*code);
            }
        }
    }
    dfg.values = new;
    name_comprehension_variables(dfg);
    // A variable that only inlined comprehensions shared is no cell any more.
    let cells: FxHashSet<VariableId> = dfg
        .blocks
        .iter()
        .flat_map(|b| &b.insts)
        .filter_map(|i| {
            if let DfgOp::LoadCell(v) = i.op {
                Some(v)
            } else {
                None
            }
        })
        .collect();
    for (i, variable) in dfg.variables.iter_mut().enumerate() {
        if variable.kind == VariableKind::Cell && !cells.contains(&VariableId(i as u32)) {
            variable.kind = VariableKind::Local;
        }
    }
    dfg.consts = consts
        .into_iter()
        .map(|id| dfg.consts[id.0 as usize].clone())
        .collect();
}

/// Comprehension variables in order of appearance, `x$comp`, `x$comp2`, ...; unused ones go.
fn name_comprehension_variables(dfg: &mut Dfg) {
    let first = dfg
        .variables
        .iter()
        .position(|v| v.kind == VariableKind::Comprehension);
    let first = first.unwrap_or(dfg.variables.len());
    let old = dfg.variables.split_off(first);
    let mut names: FxHashSet<String> = dfg.variables.iter().map(|v| v.name.clone()).collect();
    let mut position: Vec<Option<VariableId>> = vec![None; old.len()];
    let Dfg {
        blocks, variables, ..
    } = dfg;
    for inst in blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if let DfgOp::LoadVariable(v)
        | DfgOp::StoreVariable(v)
        | DfgOp::DeleteVariable(v)
        | DfgOp::CheckVariable { variable: v, .. }
        | DfgOp::LoadCell(v) = &mut inst.op
            && let Some(i) = (v.0 as usize).checked_sub(first)
        {
            *v = *position[i].get_or_insert_with(|| {
                let base = old[i].name.split('$').next().unwrap_or(&old[i].name);
                variables.push(Variable {
                    name: unique_name(base, &mut names),
                    kind: old[i].kind,
                });
                VariableId(variables.len() as u32 - 1)
            });
        }
    }
}

struct Numbering<'a> {
    old: &'a [Value],
    map: FxHashMap<ValueId, ValueId>,
    new: Vec<Value>,
}

impl Numbering<'_> {
    fn number(&mut self, value: ValueId) -> ValueId {
        *self.map.entry(value).or_insert_with(|| {
            self.new.push(self.old[value.index()]);
            ValueId(self.new.len() as u32 - 1)
        })
    }
}
