//! Programs that mean something: loops, branches, protected regions, over a few variables.

use crate::random::Random;
use numbra_base::{Origin, Span};
use numbra_ir::{
    ArgKind, ArgSpec, BinOp, Block, Const, Expr, Func, Handler, Rhs, StmtKind, UnaryOp, Var,
};

/// `f(n: int64, x: none)`. Unless `initialised`, variables b..d may be unassigned on some paths.
pub(crate) fn program(random: &mut Random, initialised: bool) -> Func {
    let mut func = Func::new("f", Span::NONE);
    for name in ["n", "x"] {
        func.args.push(ArgSpec {
            name: name.into(),
            kind: ArgKind::PositionalOrKeyword,
            default: None,
        });
    }
    let vars: Vec<Var> = ["n", "x", "a", "b", "c", "d"]
        .map(|name| func.push_var(name))
        .to_vec();
    let entry = func.push_block();
    let mut maker = Maker {
        random,
        func,
        vars,
        at: entry,
        handler: None,
        loops: Vec::new(),
        budget: 40,
    };
    for (n, var) in maker.vars.clone().into_iter().take(2).enumerate() {
        maker.assign(var, Rhs::Arg(n as u32));
    }
    for i in 2..if initialised { 6 } else { 3 } {
        maker.assign(maker.vars[i], Rhs::Const(Const::Int(i as i64)));
    }
    maker.body(0);
    let result = maker.var();
    maker.push(StmtKind::Return(result));
    let mut func = maker.func;
    // As the builder leaves it: no unreachable blocks.
    let cfg = numbra_ir::analysis::Cfg::new(&func);
    func.layout.retain(|block| cfg.is_reachable(*block));
    drop_unassigned_uses(&mut func);
    func
}

/// A variable that is assigned nowhere before a use would break a rule: the entry assigns it `undefined`.
fn drop_unassigned_uses(func: &mut Func) {
    let errors = numbra_ir::verify::verify(func, numbra_ir::verify::Phase::Untyped).err();
    if errors.is_none() {
        return;
    }
    let Some(entry) = func.entry() else { return };
    for name in ["b", "c", "d"] {
        let Some(var) = func.vars.keys().find(|v| func.var_name(*v) == name) else {
            continue;
        };
        let kind = StmtKind::Assign {
            target: var,
            value: Rhs::Undefined,
        };
        let inst = func.push_stmt(entry, kind, Span::NONE, Origin::Text);
        func.blocks[entry].insts.pop();
        func.blocks[entry].insts.insert(0, inst);
    }
}

/// A check before each read, as the builder puts them where a variable may have no value; some variables are deleted.
pub(crate) fn guarded(random: &mut Random, initialised: bool) -> Func {
    let mut func = program(random, initialised);
    let named: Vec<Var> = func
        .vars
        .keys()
        .filter(|v| !func.vars[*v].is_temp())
        .collect();
    for block in func.layout.clone() {
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            let kind = func.insts[inst].kind.clone();
            let mut push = |kind| func.push_stmt(block, kind, Span::NONE, Origin::Text);
            let check = |var| StmtKind::CheckAssigned {
                var,
                name: "x".to_owned(),
                captured: false,
            };
            kind.for_each_use(|var| {
                if named.contains(&var) {
                    push(check(var));
                }
            });
            if !kind.is_terminator() && kind.def().is_none() && random.chance(3) {
                let var = *random.pick(&named[2..]);
                push(check(var));
                push(StmtKind::Assign {
                    target: var,
                    value: Rhs::Undefined,
                });
            }
            func.blocks[block].insts.push(inst);
        }
    }
    func
}

struct Maker<'a> {
    random: &'a mut Random,
    func: Func,
    vars: Vec<Var>,
    at: Block,
    handler: Option<Block>,
    /// Header and exit of each loop around.
    loops: Vec<(Block, Block)>,
    budget: u32,
}

impl Maker<'_> {
    fn push(&mut self, kind: StmtKind) {
        self.func.push_stmt(self.at, kind, Span::NONE, Origin::Text);
    }

    fn assign(&mut self, target: Var, value: Rhs) {
        self.push(StmtKind::Assign { target, value });
    }

    fn block(&mut self) -> Block {
        let block = self.func.push_block();
        self.func.blocks[block].handler = self.handler.map(|block| Handler { block });
        block
    }

    fn var(&mut self) -> Var {
        *self.random.pick(&self.vars.clone())
    }

    fn target(&mut self) -> Var {
        *self.random.pick(&self.vars.clone()[2..])
    }

    fn temp(&mut self, value: Rhs) -> Var {
        let temp = self.func.push_temp();
        self.assign(temp, value);
        temp
    }

    fn int(&mut self, value: i64) -> Var {
        self.temp(Rhs::Const(Const::Int(value)))
    }

    fn body(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(5) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth);
        }
    }

    fn binary(&mut self, op: BinOp, lhs: Var, rhs: Var) -> Rhs {
        let static_rhs = None;
        Rhs::Expr(if self.random.chance(2) || op.inplace_name().is_none() {
            Expr::BinOp {
                op,
                lhs,
                rhs,
                static_rhs,
            }
        } else {
            Expr::InplaceBinOp {
                op,
                lhs,
                rhs,
                static_rhs,
            }
        })
    }

    fn condition(&mut self) -> Var {
        let lhs = self.var();
        match self.random.below(4) {
            0 => {
                let none = self.temp(Rhs::Const(Const::None));
                let op = *self.random.pick(&[BinOp::Is, BinOp::IsNot]);
                let rhs = self.binary(op, lhs, none);
                self.temp(rhs)
            }
            1 => {
                let constant = self.random.chance(2);
                let flag = self.temp(Rhs::Const(Const::Bool(constant)));
                self.temp(Rhs::Expr(Expr::Unary {
                    op: UnaryOp::Not,
                    value: flag,
                }))
            }
            _ => {
                let limit = self.random.below(5) as i64;
                let rhs = self.int(limit);
                let rhs = self.binary(BinOp::Lt, lhs, rhs);
                self.temp(rhs)
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        let target = self.target();
        match self.random.below(if depth > 3 { 6 } else { 11 }) {
            0 => {
                let value = self.random.below(4) as i64;
                self.assign(target, Rhs::Const(Const::Int(value)));
            }
            1 => {
                let from = self.var();
                self.assign(target, Rhs::Var(from));
            }
            2 => {
                let (lhs, rhs) = (self.var(), self.var());
                let value = self.binary(BinOp::Add, lhs, rhs);
                self.assign(target, value);
            }
            3 => {
                let args = vec![self.var()];
                self.push(StmtKind::Print { args });
            }
            4 | 5 => {
                // A call may raise.
                let (func, arg) = (self.var(), self.var());
                let call = Rhs::Expr(Expr::Call {
                    func,
                    args: vec![arg],
                    kws: Vec::new(),
                    vararg: None,
                });
                if self.random.chance(2) {
                    self.assign(target, call);
                } else {
                    let temp = self.temp(call);
                    self.assign(target, Rhs::Var(temp));
                }
            }
            6 | 7 => self.branch(depth),
            8 => self.repeat(depth),
            9 => self.protect(depth),
            _ => self.leave_loop(),
        }
    }

    fn branch(&mut self, depth: u32) {
        let cond = self.condition();
        let (then, other, join) = (self.block(), self.block(), self.block());
        self.push(StmtKind::Branch { cond, then, other });
        for side in [then, other] {
            self.at = side;
            if self.random.chance(4) {
                // An empty arm.
            } else {
                self.body(depth + 1);
            }
            self.push(StmtKind::Jump(join));
        }
        self.at = join;
    }

    fn repeat(&mut self, depth: u32) {
        let (header, body, exit) = (self.block(), self.block(), self.block());
        self.push(StmtKind::Jump(header));
        self.at = header;
        let cond = self.condition();
        self.push(StmtKind::Branch {
            cond,
            then: body,
            other: exit,
        });
        self.at = body;
        self.loops.push((header, exit));
        self.body(depth + 1);
        self.loops.pop();
        self.push(StmtKind::Jump(header));
        self.at = exit;
    }

    fn leave_loop(&mut self) {
        let Some(&(header, exit)) = self.loops.last() else {
            return;
        };
        // `break` or `continue` under a condition.
        let cond = self.condition();
        let (away, stay) = (self.block(), self.block());
        self.push(StmtKind::Branch {
            cond,
            then: away,
            other: stay,
        });
        self.at = away;
        let to = if self.random.chance(2) { header } else { exit };
        self.push(StmtKind::Jump(to));
        self.at = stay;
    }

    fn protect(&mut self, depth: u32) {
        let outer = self.handler;
        let handler = self.block();
        let after = self.block();
        self.handler = Some(handler);
        let body = self.block();
        self.push(StmtKind::Jump(body));
        self.at = body;
        // Jumps out of the region are left to other tests.
        let loops = std::mem::take(&mut self.loops);
        self.body(depth + 1);
        self.push(StmtKind::Jump(after));
        self.handler = outer;
        self.at = handler;
        self.body(depth + 1);
        self.push(StmtKind::Jump(after));
        self.loops = loops;
        self.at = after;
    }
}
