//! A loop with the functions that it calls in place of their calls.
//!
//! What iterations do with arrays is asked of one function, whichever of the user's functions does it. The copy is for questions
//! only: the loop is lowered as it stands. Statements, variables and blocks of the function keep their numbers; library bodies
//! and functions that call themselves stay calls.

use super::context::Context;
use numbra_base::FxHashSet;
use numbra_ir::{
    Block, BlockData, CallArg, CallSite, Callee, Const, Expr, Handler, Inst, Instance,
    InstanceOrigin, Rhs, Stmt, StmtKind, TypedFunc, Var,
};
use std::collections::BTreeMap;

/// Depth of calls in calls that are replaced.
const MAX_DEPTH: usize = 8;
/// Statements that are copied for one loop.
const MAX_STATEMENTS: usize = 10_000;

/// The function with the calls of one loop replaced.
pub(super) struct WithCallees {
    pub(super) typed: TypedFunc,
    pub(super) inside: FxHashSet<Block>,
    pub(super) body: Vec<Block>,
    copied: usize,
}

impl Context<'_> {
    /// None if the loop calls no function whose statements can stand in it.
    pub(super) fn with_callees(
        &self,
        body: &[Block],
        inside: &FxHashSet<Block>,
    ) -> Option<WithCallees> {
        let mut whole: Option<WithCallees> = None;
        let mut work: Vec<(Block, Vec<Instance>)> =
            body.iter().map(|block| (*block, Vec::new())).collect();
        while let Some((block, callers)) = work.pop() {
            let typed = whole.as_ref().map_or(self.typed, |whole| &whole.typed);
            let Some((at, call)) = self.first_call(typed, block, &callers) else {
                continue;
            };
            let callee = &self.program.functions[call].1;
            let whole = whole.get_or_insert_with(|| WithCallees {
                typed: self.typed.clone(),
                inside: inside.clone(),
                body: body.to_vec(),
                copied: 0,
            });
            if whole.copied + callee.func.insts.len() > MAX_STATEMENTS {
                break;
            }
            let (new, after) = whole.replace(block, at, callee);
            let deeper: Vec<Instance> = callers.iter().copied().chain([call]).collect();
            work.extend(new.into_iter().map(|block| (block, deeper.clone())));
            work.push((after, callers));
        }
        whole
    }

    /// The first call of a block that can be replaced: its place in the block, and what it calls.
    fn first_call(
        &self,
        typed: &TypedFunc,
        block: Block,
        callers: &[Instance],
    ) -> Option<(usize, Instance)> {
        if callers.len() >= MAX_DEPTH {
            return None;
        }
        let insts = typed.func.blocks[block].insts.iter().enumerate();
        let mut calls = insts.filter_map(|(at, inst)| {
            let site = typed.calls[*inst].as_ref()?;
            let Callee::Instance(instance) = site.callee else {
                return None;
            };
            let assigns = matches!(typed.func.insts[*inst].kind, StmtKind::Assign { .. });
            let known = assigns && site.args.iter().all(is_plain);
            known.then_some((at, instance))
        });
        calls.find(|(_, instance)| {
            let Some((origin, callee)) = self.program.functions.get(*instance) else {
                return false;
            };
            let func = &callee.func;
            let returns =
                |block: &Block| matches!(func.terminator(*block), Some(StmtKind::Return(_)));
            !matches!(origin, InstanceOrigin::Prelude(..))
                && !func.is_generator
                && !callers.contains(instance)
                && *instance != self.program.root
                && func.layout.iter().any(returns)
        })
    }
}

fn is_plain(arg: &CallArg) -> bool {
    match arg {
        CallArg::Var(_) | CallArg::Item(..) | CallArg::Default(_) => true,
        CallArg::Tuple(items) => items.iter().all(|item| matches!(item, CallArg::Var(_))),
    }
}

impl WithCallees {
    /// Replaces the statement at a place of a block by the callee's; gives the new blocks, and that of what comes after.
    fn replace(&mut self, block: Block, at: usize, callee: &TypedFunc) -> (Vec<Block>, Block) {
        let func = &mut self.typed.func;
        let mut rest = func.blocks[block].insts.split_off(at);
        let call = rest[0];
        let handler = func.blocks[block].handler;
        let after = func.blocks.push(BlockData {
            insts: Vec::new(),
            handler,
        });
        func.layout.push(after);
        let mut copy = Copy {
            vars: BTreeMap::new(),
            blocks: BTreeMap::new(),
            args: self.typed.calls[call]
                .take()
                .map_or_else(Vec::new, |site| site.args),
            after,
            results: Vec::new(),
        };
        for (old, data) in &callee.func.vars {
            let new = func.vars.push(data.clone());
            if let Some(of) = data.version_of.and_then(|of| copy.vars.get(&of)) {
                func.vars[new].version_of = Some(*of);
            }
            self.typed.var_types[new] = callee.var_types[old];
            copy.vars.insert(old, new);
        }
        for &old in &callee.func.layout {
            let new = func.push_block();
            copy.blocks.insert(old, new);
        }
        let mut new_blocks = Vec::new();
        for &old in &callee.func.layout {
            let new = copy.blocks[&old];
            let own = callee.func.blocks[old].handler;
            func.blocks[new].handler = match own {
                Some(own) => copy
                    .blocks
                    .get(&own.block)
                    .map(|block| Handler { block: *block }),
                None => handler,
            };
            for &inst in &callee.func.blocks[old].insts {
                let stmt = &callee.func.insts[inst];
                let kind = copy.kind(&stmt.kind, new);
                let made = func.insts.push(Stmt {
                    kind,
                    ..stmt.clone()
                });
                func.blocks[new].insts.push(made);
                self.typed.calls[made] = callee.calls[inst].as_ref().map(|site| copy.site(site));
                self.copied += 1;
            }
            new_blocks.push(new);
        }
        if let StmtKind::Assign { value, .. } = &mut func.insts[call].kind {
            *value = match copy.results.as_slice() {
                [(_, one)] => Rhs::Var(*one),
                many => {
                    let many = many.iter().map(|(block, var)| (*block, Some(*var)));
                    Rhs::Expr(Expr::Phi(many.collect()))
                }
            };
        }
        self.come_from(block, after, &rest);
        self.typed.func.blocks[after].insts.append(&mut rest);
        self.jump(block, new_blocks[0], call);
        self.inside
            .extend(new_blocks.iter().copied().chain([after]));
        self.body.extend(new_blocks.iter().copied().chain([after]));
        (new_blocks, after)
    }

    fn jump(&mut self, from: Block, to: Block, like: Inst) {
        let func = &mut self.typed.func;
        let (span, origin) = (func.insts[like].span, func.insts[like].origin);
        func.push_stmt(from, StmtKind::Jump(to), span, origin);
    }

    /// Renames a predecessor in the phis of the blocks that `rest` branches to.
    fn come_from(&mut self, before: Block, now: Block, rest: &[Inst]) {
        let func = &mut self.typed.func;
        let Some(last) = rest.last() else { return };
        let targets = match &func.insts[*last].kind {
            StmtKind::Jump(to) => vec![*to],
            StmtKind::Branch { then, other, .. } => vec![*then, *other],
            _ => Vec::new(),
        };
        for target in targets {
            for inst in func.blocks[target].insts.clone() {
                if let StmtKind::Assign {
                    value: Rhs::Expr(Expr::Phi(incoming)),
                    ..
                } = &mut func.insts[inst].kind
                {
                    for (block, _) in incoming {
                        if *block == before {
                            *block = now;
                        }
                    }
                }
            }
        }
    }
}

/// Numbers of the callee in terms of the caller.
struct Copy {
    vars: BTreeMap<Var, Var>,
    blocks: BTreeMap<Block, Block>,
    args: Vec<CallArg>,
    after: Block,
    /// What it returns, and from where.
    results: Vec<(Block, Var)>,
}

impl Copy {
    fn var(&self, var: Var) -> Var {
        self.vars.get(&var).copied().unwrap_or(var)
    }

    fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(self.after)
    }

    fn kind(&mut self, kind: &StmtKind, block: Block) -> StmtKind {
        let mut kind = kind.clone();
        if let StmtKind::Assign { target, value } = &mut kind {
            *target = self.var(*target);
            if let Rhs::Arg(index) = value {
                *value = self.arg(*index as usize);
                return kind;
            }
        }
        kind.for_each_use_mut(|var| *var = self.var(*var));
        match &mut kind {
            StmtKind::Return(result) => {
                self.results.push((block, *result));
                kind = StmtKind::Jump(self.after);
            }
            StmtKind::Jump(to) => *to = self.block(*to),
            StmtKind::Branch { then, other, .. } => {
                (*then, *other) = (self.block(*then), self.block(*other));
            }
            StmtKind::Assign {
                value: Rhs::Expr(Expr::Phi(incoming)),
                ..
            } => {
                for (from, _) in incoming {
                    *from = self.block(*from);
                }
            }
            _ => {}
        }
        kind
    }

    /// What the caller gives for a parameter.
    fn arg(&self, index: usize) -> Rhs {
        match self.args.get(index) {
            Some(CallArg::Var(var)) => Rhs::Var(*var),
            Some(CallArg::Item(tuple, item)) => Rhs::Expr(Expr::StaticGetItem {
                value: *tuple,
                index: Const::Int(i64::from(*item)),
                index_var: None,
            }),
            Some(CallArg::Default(known)) => Rhs::Const(known.clone()),
            Some(CallArg::Tuple(items)) => {
                let vars = items.iter().filter_map(|item| match item {
                    CallArg::Var(var) => Some(*var),
                    _ => None,
                });
                Rhs::Expr(Expr::BuildTuple(vars.collect()))
            }
            None => Rhs::Undefined,
        }
    }

    fn site(&self, site: &CallSite) -> CallSite {
        CallSite {
            callee: site.callee,
            sig: site.sig.clone(),
            args: site.args.iter().map(|arg| self.call_arg(arg)).collect(),
        }
    }

    fn call_arg(&self, arg: &CallArg) -> CallArg {
        match arg {
            CallArg::Var(var) => CallArg::Var(self.var(*var)),
            CallArg::Item(var, item) => CallArg::Item(self.var(*var), *item),
            CallArg::Default(known) => CallArg::Default(known.clone()),
            CallArg::Tuple(items) => {
                CallArg::Tuple(items.iter().map(|item| self.call_arg(item)).collect())
            }
        }
    }
}
