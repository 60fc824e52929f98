//! Checks the counting that `place_refs` places: on every path each count that the function gets is given up once.
//!
//! An abstract run of the function, as regalloc2's checker does it for registers. At each point a reference is, by its value:
//!
//! ```text
//! null           any number of counts, for null is counted nowhere: a failed call's result on the edge of its failure
//! held(n)        the function has n counts to give up; held(0), where nothing else is said
//! ```
//!
//! and a reference field of a slot is full, at first with null, or empty. Where paths meet, `meet(null, x) = x`,
//! `meet(x, x) = x`, and everything else is an error: the paths disagree. Instructions change a state by these rules, where
//! `give(v)` is held(n) -> held(n - 1), and an error for held(0):
//!
//! ```text
//! v = call ..                held(1) for v
//! v = ..                     held(0) for v; an error where v is held: it is lost
//! retain v                   held(n) -> held(n + 1)
//! release v                  give(v); where v is held(0) and was loaded from a full field: the field becomes empty
//! store v to a field         give(v); the field becomes full; where it was, what was loaded from it last becomes held
//! edge with v for a param    give(v), held(1) for the parameter, if it owns what it gets
//! return v                   give(v); then nothing is held, and all fields are empty
//! fail                       nothing is held, and all fields are empty
//! ```
//!
//! A parameter that always gets the same value is that value. Which others own what they get follows from where their values
//! come from (`ref_roots`).
//!
//! Accepted is what counts right, not what keeps every object alive while a pointer into it is used. Only functions that
//! `place_refs` has placed counts in are checked: what counts by hand may hold counts in memory.

use crate::refs::place_refs::{failed_call, is_null};
use crate::refs::ref_roots::{field_of, owned};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use numbra_lir::analysis::Cfg;
use numbra_lir::{Block, Func, Inst, InstKind, Module, Slot, Terminator, Ty, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A reference field of a slot: its offset.
type Field = (Slot, u32);

/// What is known of a reference; `Held(0)` is what is not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Count {
    Null,
    Held(u32),
}

/// What is held at a point of the function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    values: BTreeMap<Value, Count>,
    empty: BTreeSet<Field>,
}

/// Checks a function.
///
/// # Errors
/// The first count that is given up without being held, or not given up.
pub(crate) fn check_refs(func: &Func, module: &Module) -> Result<(), String> {
    let cfg = Cfg::new(func);
    let Some(same) = same_values(func, &cfg) else {
        return Ok(());
    };
    let mut checker = Checker {
        func,
        module,
        same,
        owned: owned(func, &cfg),
        entered: SecondaryMap::new(),
    };
    let mut work = vec![func.entry()];
    checker.entered[func.entry()] = Some(State::default());
    while let Some(block) = work.pop() {
        for to in checker.block(block)? {
            work.push(to);
        }
    }
    Ok(())
}

/// For each parameter that gets one value on all ways, that value. `None` where a slot's reference fields are at offsets that
/// are not constant.
fn same_values(func: &Func, cfg: &Cfg) -> Option<SecondaryMap<Value, PackedOption<Value>>> {
    let mut same: SecondaryMap<Value, PackedOption<Value>> = SecondaryMap::new();
    let mut params: Vec<(Value, Vec<Value>)> = Vec::new();
    for &block in cfg.rpo() {
        for (n, &param) in func.blocks[block].params.iter().enumerate() {
            if func.ty(param) == Ty::Ref && block != func.entry() {
                let mut given = Vec::new();
                for &pred in cfg.preds(block) {
                    let targets = func.term(pred).targets().into_iter();
                    given.extend(targets.filter(|to| to.block == block).map(|to| to.args[n]));
                }
                params.push((param, given));
            }
        }
        let mut insts = func.blocks[block].insts().iter();
        if insts.any(|&inst| field_of(func, &func.insts[inst].kind) == Some(None)) {
            return None;
        }
    }
    loop {
        let mut changed = false;
        for (param, given) in &params {
            if same[*param].is_some() {
                continue;
            }
            let given = given.iter().map(|&arg| resolve(&same, arg));
            let mut others = given.filter(|arg| arg != param);
            let is_same = |a, b| a == b || is_null(func, a) && is_null(func, b);
            if let Some(first) = others.next()
                && others.all(|arg| is_same(arg, first))
            {
                same[*param] = first.into();
                changed = true;
            }
        }
        if !changed {
            return Some(same);
        }
    }
}

fn resolve(same: &SecondaryMap<Value, PackedOption<Value>>, mut value: Value) -> Value {
    while let Some(next) = same[value].expand() {
        value = next;
    }
    value
}

struct Checker<'a> {
    func: &'a Func,
    module: &'a Module,
    same: SecondaryMap<Value, PackedOption<Value>>,
    owned: SecondaryMap<Value, bool>,
    /// The states in which blocks are entered.
    entered: SecondaryMap<Block, Option<State>>,
}

impl Checker<'_> {
    /// Runs a block; the blocks that are entered in another state now.
    fn block(&mut self, block: Block) -> Result<Vec<Block>, String> {
        let Some(mut state) = self.entered[block].clone() else {
            return Ok(Vec::new());
        };
        let mut loaded: BTreeMap<Field, Value> = BTreeMap::new();
        for &inst in self.func.blocks[block].insts() {
            self.inst(inst, &mut state, &mut loaded)
                .map_err(|what| format!("{inst} in {block} {what}"))?;
        }
        let term = self.func.term(block);
        let failed = failed_call(self.func, self.module, term);
        let mut changed = Vec::new();
        let at_end = |what: String| format!("the end of {block} {what}");
        match term {
            Terminator::Return(values) => {
                for &value in values.iter().filter(|&&v| self.func.ty(v) == Ty::Ref) {
                    self.give(value, &mut state).map_err(at_end)?;
                }
                self.nothing_left(&state).map_err(at_end)?;
            }
            Terminator::Fail => self.nothing_left(&state).map_err(at_end)?,
            Terminator::Jump(_)
            | Terminator::Brif { .. }
            | Terminator::Switch { .. }
            | Terminator::Guard { .. } => {
                for (n, to) in term.targets().into_iter().enumerate() {
                    let mut state = state.clone();
                    if let Some((call, edge)) = failed
                        && edge == n
                    {
                        let refs = self.func.insts[call].results.iter();
                        for &result in refs.filter(|&&v| self.func.ty(v) == Ty::Ref) {
                            state.values.insert(result, Count::Null);
                        }
                    }
                    self.hand_over(to, &mut state).map_err(at_end)?;
                    if self.enter(to.block, state)? {
                        changed.push(to.block);
                    }
                }
            }
        }
        Ok(changed)
    }

    fn inst(
        &self,
        inst: Inst,
        state: &mut State,
        loaded: &mut BTreeMap<Field, Value>,
    ) -> Result<(), String> {
        let data = &self.func.insts[inst];
        let field = field_of(self.func, &data.kind).flatten();
        match data.kind {
            InstKind::Retain(value) => self.take(value, state),
            InstKind::Release(value) => {
                let held = self.count(value, state) != Count::Held(0);
                let from = loaded
                    .iter()
                    .find(|&(field, &of)| !held && of == value && !state.empty.contains(field));
                match from {
                    Some((&field, _)) => {
                        state.empty.insert(field);
                    }
                    None => self.give(value, state)?,
                }
            }
            InstKind::Store { value, .. } if let Some(field) = field => {
                self.give(value, state)?;
                if !state.empty.remove(&field) {
                    let old = loaded.remove(&field);
                    let old = old.ok_or("overwrites a reference that nothing releases")?;
                    self.take(old, state);
                }
            }
            _ => {}
        }
        let at_birth = match data.kind {
            InstKind::Call { .. } | InstKind::CallIndirect { .. } | InstKind::CallNative { .. } => {
                1
            }
            _ => 0,
        };
        for &result in data.results.iter().filter(|&&v| self.func.ty(v) == Ty::Ref) {
            self.define(result, Count::Held(at_birth), state)?;
            if let (InstKind::Load { .. }, Some(field)) = (&data.kind, field) {
                loaded.insert(field, result);
            }
        }
        Ok(())
    }

    /// Counts what an edge hands to the parameters of its target.
    fn hand_over(&self, to: &numbra_lir::BlockCall, state: &mut State) -> Result<(), String> {
        let params = &self.func.blocks[to.block].params;
        let pairs = params.iter().zip(&to.args);
        let owns = |param: Value| self.owned[param] && self.same[param].is_none();
        let mut given = Vec::new();
        for (&param, &arg) in pairs.filter(|&(&param, _)| owns(param)) {
            let null = self.count(arg, state) == Count::Null;
            self.give(arg, state)?;
            given.push((param, if null { Count::Null } else { Count::Held(1) }));
        }
        for (param, count) in given {
            self.define(param, count, state)?;
        }
        Ok(())
    }

    /// Takes a state to the start of a block; true if what holds there has changed.
    fn enter(&mut self, block: Block, state: State) -> Result<bool, String> {
        let Some(known) = &mut self.entered[block] else {
            self.entered[block] = Some(state);
            return Ok(true);
        };
        if known.empty != state.empty {
            return Err(format!(
                "a slot's reference is released on some ways to {block}"
            ));
        }
        let before = known.clone();
        for &value in state.values.keys() {
            known.values.entry(value).or_insert(Count::Held(0));
        }
        for (&value, count) in &mut known.values {
            let other = state.values.get(&value).copied();
            *count = match (*count, other.unwrap_or(Count::Held(0))) {
                (Count::Null, other) => other,
                (count, Count::Null) => count,
                (count, other) if count == other => count,
                (Count::Held(n), Count::Held(m)) => {
                    return Err(format!(
                        "{value} is held {n} times on one way to {block}, {m} on another"
                    ));
                }
            };
        }
        known.values.retain(|_, count| *count != Count::Held(0));
        Ok(*known != before)
    }

    /// A new value; the one of an iteration before must not be held any more.
    fn define(&self, value: Value, count: Count, state: &mut State) -> Result<(), String> {
        if let Some(Count::Held(1..)) = state.values.remove(&value) {
            return Err(format!("loses {value}, which is held"));
        }
        if count != Count::Held(0) {
            state.values.insert(value, count);
        }
        Ok(())
    }

    fn take(&self, value: Value, state: &mut State) {
        if let Count::Held(n) = self.count(value, state) {
            let value = resolve(&self.same, value);
            state.values.insert(value, Count::Held(n + 1));
        }
    }

    fn give(&self, value: Value, state: &mut State) -> Result<(), String> {
        let root = resolve(&self.same, value);
        match self.count(value, state) {
            Count::Null => {}
            Count::Held(0) => return Err(format!("gives up {value}, which is not held")),
            Count::Held(1) => {
                state.values.remove(&root);
            }
            Count::Held(n) => {
                state.values.insert(root, Count::Held(n - 1));
            }
        }
        Ok(())
    }

    fn count(&self, value: Value, state: &State) -> Count {
        let value = resolve(&self.same, value);
        if is_null(self.func, value) {
            return Count::Null;
        }
        let known = state.values.get(&value).copied();
        known.unwrap_or(Count::Held(0))
    }

    /// Whether all is given up where the function is left.
    fn nothing_left(&self, state: &State) -> Result<(), String> {
        let mut held = state.values.iter();
        if let Some((value, _)) = held.find(|(_, count)| **count != Count::Null) {
            return Err(format!("still holds {value}"));
        }
        for (slot, data) in self.func.slots.iter() {
            if let Some(at) = data
                .refs
                .iter()
                .find(|&&at| !state.empty.contains(&(slot, at)))
            {
                return Err(format!("does not release the reference at {at} of {slot}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pass;
    use numbra_lir::text::parse;

    /// A reference made in each iteration and handed to the next, one that a branch decides on, and a call that may fail.
    const LOOP: &str = "function local @g(ref) -> (ref) raises {\nblock0(v0: ref):\n  return v0\n}\n\
        function export @f(ref, i64, i1) -> (ref) raises {\nblock0(v0: ref, v1: i64, v2: i1):\n  v3: i64 = iconst 8\n  \
        v4 = call_native @numbra_rt_alloc(v1, v3)\n  jump block1(v4, v1)\n\
        block1(v5: ref, v6: i64):\n  v7, v8 = call @g(v5)\n  v9: i32 = iconst 0\n  v10 = icmp eq v7, v9\n  \
        guard v10 status, block2, block6\n\
        block2:\n  v11: i64 = iconst 1\n  v12 = isub v6, v11\n  v13: i64 = iconst 0\n  brif v2, block3(v8), block3(v0)\n\
        block3(v14: ref):\n  v15: ptr = ref_to_ptr v14\n  v16: i64 = load v15+24 header align 8\n  \
        v17 = icmp sgt v12, v16\n  brif v17, block1(v8, v12), block5\n\
        block5:\n  return v5\n\
        block6 cold:\n  fail\n}\n";

    /// A reference in a slot's field, which a store replaces.
    const SLOT: &str = "function export @f(ref, i64, i1) -> () raises {\n  slot0 = slot 8 align 8 refs 0\n\
        block0(v0: ref, v1: i64, v2: i1):\n  v3: ptr = slot_addr slot0\n  v4: i64 = iconst 8\n  \
        v5 = call_native @numbra_rt_alloc(v1, v4)\n  store v3, v5 stack align 8\n  brif v2, block1, block2\n\
        block1:\n  store v3, v0 stack align 8\n  jump block2\n\
        block2:\n  return\n}\n";

    /// Two ways on which null is handed on in the place of what is borrowed, to a block that both share.
    const NULLS: &str = "function export @f(ptr, ref, i64, i1, i1) -> (i64) {\n\
        block0(v0: ptr, v1: ref, v2: i64, v3: i1, v4: i1):\n  v5: i64 = iconst 8\n  \
        v6 = call_native @numbra_rt_alloc(v2, v5)\n  v7: ptr = ref_to_ptr v6\n  \
        brif v3, block1, block3(v0, v1)\n\
        block1:\n  v8: i64 = load v7+24 header align 8\n  brif v4, block2, block3(v0, v1)\n\
        block2:\n  v9 = call_native @numbra_rt_alloc(v8, v5)\n  v10: ptr = ref_to_ptr v9\n  \
        jump block3(v10, v9)\n\
        block3(v11: ptr, v12: ref):\n  v13: i64 = load v11+24 array align 8\n  keep v12\n  \
        return v13\n}\n";

    /// What `place_refs` makes of the functions.
    fn placed(text: &str) -> Module {
        let mut module = parse(text).expect("it is LIR");
        assert!(Pass::PlaceRefs.run(&mut module));
        module
    }

    fn check(module: &Module) -> Result<(), String> {
        let bodies = module.functions.values().filter_map(|f| f.body.as_ref());
        bodies
            .into_iter()
            .try_for_each(|func| check_refs(func, module))
    }

    fn counts(func: &Func) -> Vec<Inst> {
        let insts = func.layout.iter().flat_map(|b| func.blocks[b].insts());
        let counts = insts.filter(|&&inst| {
            let kind = &func.insts[inst].kind;
            matches!(kind, InstKind::Retain(_) | InstKind::Release(_))
        });
        counts.copied().collect()
    }

    /// Each module that one change to a `retain` or `release` makes.
    fn changed(module: &Module, change: impl Fn(&mut Func, Inst)) -> Vec<Module> {
        let mut out = Vec::new();
        for (id, decl) in module.functions.iter() {
            for inst in decl.body.iter().flat_map(counts) {
                let mut module = module.clone();
                let body = module.functions[id].body.as_mut();
                change(body.expect("it has the instruction"), inst);
                out.push(module);
            }
        }
        out
    }

    #[test]
    fn what_is_placed_counts_right() {
        for text in [LOOP, SLOT, NULLS] {
            assert_eq!(check(&placed(text)), Ok(()));
        }
    }

    /// Asserts that the checker refuses what one change to any `retain` or `release` makes of a function.
    fn assert_refused(change: impl Fn(&mut Func, Inst)) {
        for text in [LOOP, SLOT, NULLS] {
            let broken = changed(&placed(text), &change);
            assert!(broken.len() > 2);
            for broken in broken {
                let form = numbra_lir::text::Form::Plain;
                let shown = numbra_lir::text::print(&broken, form);
                assert!(check(&broken).is_err(), "{shown}");
            }
        }
    }

    /// A dropped `retain`; a dropped `release`, which is on one arm of a branch where it stands in one.
    #[test]
    fn none_can_be_left_out() {
        assert_refused(|func, inst| func.remove_inst(inst));
    }

    #[test]
    fn none_can_be_there_twice() {
        assert_refused(|func, inst| {
            let data = func.insts[inst].clone();
            let again = func.make_inst(data.kind, &[], data.span, data.origin);
            let (block, at) = (func.inst_block(inst), func.inst_index(inst));
            func.insert_inst(block.expect("it stands"), at.expect("it stands"), again);
        });
    }

    #[test]
    fn the_error_says_what_and_where() {
        let text = "function export @f(ref, i1) -> () {\nblock0(v0: ref, v1: i1):\n  brif v1, block1, block2\n\
            block1:\n  retain v0\n  jump block2\nblock2:\n  return\n}\n";
        let module = parse(text).expect("it is LIR");
        let error = check(&module).expect_err("one way retains");
        assert_eq!(
            error,
            "v0 is held 0 times on one way to block2, 1 on another"
        );
        let module = parse(&text.replace("retain", "release")).expect("it is LIR");
        let error = check(&module).expect_err("what is borrowed is released");
        assert_eq!(error, "inst0 in block1 gives up v0, which is not held");
    }
}
