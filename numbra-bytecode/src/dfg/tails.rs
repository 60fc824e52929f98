//! Merging of what the compiler duplicated.
//!
//! CPython copies loop tests to the end of the body (up to 3.13) and small exit blocks into the blocks that jump
//! to them, differently in each version. Copies have the same source position, so equal instructions at equal
//! positions that end in the same way are merged into one block. The merge is sound whatever the positions are.

use super::params::{for_each_use, new_param, out_edges};
use super::{BlockId, Dfg, DfgBlock, DfgInst, Edge, Terminator, Test, ValueId, ValueKind};
use crate::dfg::branches::may_raise;
use numbra_base::{FxHashMap, Span};
use std::collections::BTreeMap;

/// How a block ends; blocks that end alike may share their tail.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    ImplicitReturn,
    Return(Span),
    Raise(Span),
    Reraise(Span),
    Branch(BlockId, BlockId, Span, bool),
    /// The last instruction's position tells candidates apart.
    Jump(BlockId, Span),
}

fn ending(block: &DfgBlock) -> Option<Ending> {
    let span = block.span;
    let ending = match &block.term {
        Terminator::Return { implicit: true, .. } => return Some(Ending::ImplicitReturn),
        Terminator::Return { .. } => Ending::Return(span),
        Terminator::Raise { .. } => Ending::Raise(span),
        Terminator::Reraise { .. } => Ending::Reraise(span),
        Terminator::Branch {
            test, then, other, ..
        } => Ending::Branch(then.target, other.target, span, *test == Test::Truth),
        Terminator::Jump(edge) => {
            let last = block.insts.last()?;
            return last
                .span
                .is_known()
                .then_some(Ending::Jump(edge.target, last.span));
        }
    };
    span.is_known().then_some(ending)
}

/// Merges equal tails. One call handles every group of blocks that end alike; merged tails may make their
/// predecessors alike, so callers repeat until nothing changes.
pub(super) fn merge(dfg: &mut Dfg, live: &[bool], order: &[usize]) -> bool {
    let mut groups: BTreeMap<Ending, Vec<usize>> = BTreeMap::new();
    for &i in order {
        if let Some(ending) = ending(&dfg.blocks[i]) {
            groups.entry(ending).or_default().push(i);
        }
    }
    groups.retain(|_, blocks| blocks.len() > 1);
    if groups.is_empty() {
        return false;
    }
    let readers = readers(dfg, live);
    let mut changed = false;
    for blocks in groups.into_values() {
        let mut kept = blocks[0];
        for &other in &blocks[1..] {
            if let Some(tail) = common_tail(dfg, kept, other, &readers) {
                kept = share(dfg, kept, other, tail);
                changed = true;
            }
        }
    }
    changed
}

/// Which block reads each value: `None` for several or unread.
fn readers(dfg: &mut Dfg, live: &[bool]) -> Vec<Reader> {
    let mut readers = vec![Reader::Nobody; dfg.values.len()];
    for (i, block) in dfg.blocks.iter_mut().enumerate() {
        if live[i] {
            for_each_use(block, |value| {
                let reader = &mut readers[value.index()];
                *reader = match *reader {
                    Reader::Nobody => Reader::One(i),
                    Reader::One(one) if one == i => Reader::One(i),
                    Reader::One(_) | Reader::Several => Reader::Several,
                };
            });
        }
    }
    readers
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Nobody,
    One(usize),
    Several,
}

/// A tail that two blocks have in common.
struct Tail {
    /// Instructions in it.
    len: usize,
    /// Values from before the tail that differ: of the kept block, of the other one.
    inputs: Vec<(ValueId, ValueId)>,
}

fn alike(a: &DfgInst, b: &DfgInst) -> bool {
    a.op == b.op
        && a.span == b.span
        && a.operands.len() == b.operands.len()
        && a.results.len() == b.results.len()
}

fn common_tail(dfg: &Dfg, kept: usize, other: usize, readers: &[Reader]) -> Option<Tail> {
    let (a, b) = (&dfg.blocks[kept], &dfg.blocks[other]);
    let mut len = a
        .insts
        .iter()
        .rev()
        .zip(b.insts.iter().rev())
        .take_while(|(x, y)| alike(x, y))
        .count();
    // Each retry starts after an instruction whose operands do not correspond.
    for _ in 0..8 {
        match correspond(dfg, a, b, len) {
            Ok(inputs) => {
                let (tail_a, tail_b) = (
                    &a.insts[a.insts.len() - len..],
                    &b.insts[b.insts.len() - len..],
                );
                let whole = matches!(a.term, Terminator::Jump(_)) && len == 0;
                let removed_stay_inside = tail_b.iter().flat_map(|i| &i.results).all(|r| {
                    matches!(readers[r.index()], Reader::Nobody)
                        || readers[r.index()] == Reader::One(other)
                });
                let raises = tail_a.iter().any(|i| i.op.may_raise())
                    || matches!(
                        a.term,
                        Terminator::Raise { .. } | Terminator::Reraise { .. }
                    );
                let same_handler = !raises || a.handler == b.handler;
                return (!whole && removed_stay_inside && same_handler)
                    .then_some(Tail { len, inputs });
            }
            Err(shorter) if shorter < len => len = shorter,
            Err(_) => return None,
        }
    }
    None
}

/// Do the last `len` instructions and the terminators read corresponding values? Gives the pairs of values from
/// outside, or a length that may work instead.
fn correspond(
    dfg: &Dfg,
    a: &DfgBlock,
    b: &DfgBlock,
    len: usize,
) -> Result<Vec<(ValueId, ValueId)>, usize> {
    let (tail_a, tail_b) = (
        &a.insts[a.insts.len() - len..],
        &b.insts[b.insts.len() - len..],
    );
    let mut inside: FxHashMap<ValueId, Option<ValueId>> = FxHashMap::default();
    let mut outside: Vec<(ValueId, ValueId)> = Vec::new();
    let mut seen: FxHashMap<(ValueId, ValueId), ()> = FxHashMap::default();
    for (x, y) in tail_a.iter().zip(tail_b) {
        inside.extend(
            x.results
                .iter()
                .zip(&y.results)
                .map(|(&r, &s)| (r, Some(s))),
        );
        inside.extend(y.results.iter().map(|&s| (s, None)));
    }
    let mut pair = |x: ValueId, y: ValueId| -> bool {
        match (inside.get(&x), inside.get(&y)) {
            (Some(&Some(of_b)), Some(_)) => of_b == y,
            (None, None) => {
                let same = x == y || same_constant(dfg, x, y);
                if !same && seen.insert((x, y), ()).is_none() {
                    outside.push((x, y));
                }
                true
            }
            _ => false,
        }
    };
    for (i, (x, y)) in tail_a.iter().zip(tail_b).enumerate() {
        if !x
            .operands
            .iter()
            .zip(&y.operands)
            .all(|(&p, &q)| pair(p, q))
        {
            return Err(len - i - 1);
        }
    }
    let arg_count = |block: &DfgBlock| {
        block
            .term
            .edges()
            .iter()
            .map(|e| e.args.len())
            .collect::<Vec<_>>()
    };
    let values = |block: &DfgBlock| -> Vec<ValueId> {
        let args = block
            .term
            .edges()
            .into_iter()
            .flat_map(|e| e.args.iter().copied())
            .collect::<Vec<_>>();
        block.term.operands().into_iter().chain(args).collect()
    };
    let (of_a, of_b) = (values(a), values(b));
    let fits = of_a.len() == of_b.len()
        && arg_count(a) == arg_count(b)
        && of_a.into_iter().zip(of_b).all(|(x, y)| pair(x, y));
    // A shorter tail would not help: the terminator is always in it.
    if fits { Ok(outside) } else { Err(len) }
}

fn same_constant(dfg: &Dfg, a: ValueId, b: ValueId) -> bool {
    matches!((dfg.value(a).kind, dfg.value(b).kind), (ValueKind::Const(x), ValueKind::Const(y)) if x == y)
}

/// Moves the tail of `kept` to a new block that both jump to.
fn share(dfg: &mut Dfg, kept: usize, other: usize, tail: Tail) -> usize {
    let shared = dfg.blocks.len();
    let target = BlockId(shared as u32);
    let params: Vec<ValueId> = tail
        .inputs
        .iter()
        .map(|&(of_kept, _)| new_param(dfg, of_kept))
        .collect();
    let (args_kept, args_other): (Vec<_>, Vec<_>) = tail.inputs.iter().copied().unzip();

    let source = &mut dfg.blocks[kept];
    let at = source.insts.len() - tail.len;
    let insts = source.insts.split_off(at);
    let term = std::mem::replace(
        &mut source.term,
        Terminator::Jump(Edge {
            target,
            args: args_kept.clone(),
        }),
    );
    let mut block = DfgBlock {
        params: Vec::new(),
        caught: None,
        insts,
        term,
        span: source.span,
        offset: source.offset,
        handler: source.handler.clone(),
    };
    if !may_raise(&block) {
        block.handler = None;
    }
    assign_inputs(dfg, &mut block, other, &tail, &params);
    block.params = params;
    if !may_raise(&dfg.blocks[kept]) {
        dfg.blocks[kept].handler = None;
    }
    let rest = &mut dfg.blocks[other];
    let at = rest.insts.len() - tail.len;
    rest.insts.truncate(at);
    rest.term = Terminator::Jump(Edge {
        target,
        args: args_other,
    });
    if !may_raise(rest) {
        rest.handler = None;
    }
    dfg.blocks.push(block);
    shared
}

/// Replaces the reads that differ by parameters. Reads are compared pairwise with the other block's tail, which
/// still is in place: one value here may stand for several there.
fn assign_inputs(dfg: &Dfg, block: &mut DfgBlock, other: usize, tail: &Tail, params: &[ValueId]) {
    let theirs = &dfg.blocks[other];
    let skip = theirs.insts.len() - tail.len;
    let of_pair: FxHashMap<(ValueId, ValueId), ValueId> = tail
        .inputs
        .iter()
        .copied()
        .zip(params.iter().copied())
        .collect();
    let replace = |value: &mut ValueId, their: ValueId| {
        if let Some(&param) = of_pair.get(&(*value, their)) {
            *value = param;
        }
    };
    for (inst, their) in block.insts.iter_mut().zip(&theirs.insts[skip..]) {
        for (value, &other) in inst.operands.iter_mut().zip(&their.operands) {
            replace(value, other);
        }
    }
    for (value, other) in block
        .term
        .operands_mut()
        .into_iter()
        .zip(theirs.term.operands())
    {
        replace(value, other);
    }
    for (edge, their) in block.term.edges_mut().into_iter().zip(theirs.term.edges()) {
        for (value, &other) in edge.args.iter_mut().zip(&their.args) {
            replace(value, other);
        }
    }
}

/// Blocks that the entry reaches, and a reverse post-order in which the true branch comes before the false one and
/// handlers come last.
pub(super) fn reachable(dfg: &Dfg) -> (Vec<bool>, Vec<usize>) {
    let mut live = vec![false; dfg.blocks.len()];
    let mut order = Vec::with_capacity(dfg.blocks.len());
    let mut stack = Vec::new();
    if let Some(entry) = dfg.blocks.first() {
        live[0] = true;
        stack.push((0, out_edges(entry)));
    }
    while let Some((block, edges)) = stack.last_mut() {
        match edges.pop().map(|edge| edge.target.index()) {
            Some(next) => {
                if let Some(data) = dfg.blocks.get(next)
                    && !std::mem::replace(&mut live[next], true)
                {
                    stack.push((next, out_edges(data)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    (live, order)
}
