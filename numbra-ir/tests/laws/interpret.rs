//! What a program does: its prints and calls, and how it ends.

use numbra_ir::{BinOp, Block, Const, Expr, Func, Rhs, SecondaryMap, StmtKind, UnaryOp, Var};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// Not assigned, or computed from such.
    Undefined,
    None,
    Int(i64),
    Bool(bool),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    Print(Vec<Value>),
    Call(Value, Value),
    /// Every third call raises.
    Raised,
    Returned(Value),
    /// A branch on an unassigned variable: Python raises there.
    BranchOnUndefined,
    /// A loop that goes on.
    OutOfFuel,
    /// A read of a deleted variable, or a statement that programs here do not have: a bug.
    Wrong(String),
}

/// Runs `f(fuel-ish n = 2, x = None)`. What happens after `fuel` events does not count.
pub(crate) fn run(func: &Func, fuel: usize) -> Vec<Event> {
    let mut machine = Machine {
        func,
        env: SecondaryMap::with_default(Some(Value::Undefined)),
        events: Vec::new(),
        calls: 0,
    };
    let end = machine.go(fuel);
    machine.events.push(end);
    machine.events
}

/// Do two runs show the same? After a branch on an unassigned variable anything may happen; a run that was cut off
/// counts as far as it got.
pub(crate) fn same(expected: &[Event], found: &[Event]) -> bool {
    let open = |events: &[Event]| match events.last() {
        Some(Event::OutOfFuel) => Some(events.len() - 1),
        _ => None,
    };
    if expected.last() == Some(&Event::BranchOnUndefined) {
        return found.starts_with(&expected[..expected.len() - 1]);
    }
    match (open(expected), open(found)) {
        (None, None) => expected == found,
        (a, b) => {
            let shared = a.unwrap_or(expected.len()).min(b.unwrap_or(found.len()));
            expected[..shared] == found[..shared]
        }
    }
}

struct Machine<'f> {
    func: &'f Func,
    /// `None` is a deleted variable.
    env: SecondaryMap<Var, Option<Value>>,
    events: Vec<Event>,
    calls: u32,
}

enum Next {
    Go(Block),
    Raise,
    End(Event),
}

impl Machine<'_> {
    fn go(&mut self, fuel: usize) -> Event {
        let Some(mut block) = self.func.entry() else {
            return Event::Wrong("no entry".into());
        };
        let mut from: Option<Block> = None;
        // Loops without events end by this; passes may change how many blocks a round has.
        for _ in 0..5_000 {
            if self.events.len() >= fuel {
                return Event::OutOfFuel;
            }
            match self.block(block, from) {
                Next::Go(to) => {
                    from = Some(block);
                    block = to;
                }
                Next::Raise => {
                    self.events.push(Event::Raised);
                    let Some(handler) = self.func.blocks[block].handler else {
                        return Event::Returned(Value::Undefined);
                    };
                    from = Some(block);
                    block = handler.block;
                }
                Next::End(event) => return event,
            }
        }
        Event::OutOfFuel
    }

    fn block(&mut self, block: Block, from: Option<Block>) -> Next {
        let insts = &self.func.blocks[block].insts;
        // Phis read all at once.
        let mut phis = Vec::new();
        for inst in insts {
            if let StmtKind::Assign {
                target,
                value: Rhs::Expr(Expr::Phi(incoming)),
            } = &self.func.insts[*inst].kind
            {
                let value = incoming.iter().find(|(b, _)| Some(*b) == from);
                let value = match value {
                    Some((_, Some(var))) => self.env[*var],
                    Some((_, None)) => Some(Value::Undefined),
                    None => return Next::End(Event::Wrong("phi without a value".into())),
                };
                phis.push((*target, value));
            }
        }
        for (target, value) in phis {
            self.env[target] = value;
        }
        for inst in insts {
            let kind = &self.func.insts[*inst].kind;
            let mut deleted = None;
            let is_phi = matches!(
                kind,
                StmtKind::Assign {
                    value: Rhs::Expr(Expr::Phi(_)),
                    ..
                }
            );
            if is_phi {
                continue;
            }
            kind.for_each_use(|var| {
                if self.env[var].is_none() {
                    deleted = Some(var);
                }
            });
            if let Some(var) = deleted {
                let name = self.func.var_name(var);
                return Next::End(Event::Wrong(format!("{name} is deleted")));
            }
            match kind {
                StmtKind::Assign { target, value } => match self.rhs(value) {
                    Ok(value) => self.env[*target] = Some(value),
                    Err(next) => return next,
                },
                StmtKind::Print { args } => {
                    let values = args.iter().map(|var| self.get(*var)).collect();
                    self.events.push(Event::Print(values));
                }
                StmtKind::Del(var) => self.env[*var] = None,
                StmtKind::Return(var) => return Next::End(Event::Returned(self.get(*var))),
                StmtKind::Jump(to) => return Next::Go(*to),
                StmtKind::Branch { cond, then, other } => {
                    return match self.get(*cond) {
                        Value::Undefined => Next::End(Event::BranchOnUndefined),
                        value => Next::Go(if truth(value) { *then } else { *other }),
                    };
                }
                StmtKind::CheckAssigned { var, .. } => {
                    if self.get(*var) == Value::Undefined {
                        return Next::Raise;
                    }
                }
                StmtKind::StaticRaise { .. } => return Next::Raise,
                other => return Next::End(Event::Wrong(format!("{other:?}"))),
            }
        }
        Next::End(Event::Wrong("no terminator".into()))
    }

    fn get(&self, var: Var) -> Value {
        self.env[var].unwrap_or(Value::Undefined)
    }

    fn rhs(&mut self, rhs: &Rhs) -> Result<Value, Next> {
        Ok(match rhs {
            Rhs::Arg(0) => Value::Int(2),
            Rhs::Arg(_) => Value::None,
            Rhs::Const(Const::Int(i)) => Value::Int(*i),
            Rhs::Const(Const::Bool(b)) => Value::Bool(*b),
            Rhs::Const(Const::None) => Value::None,
            Rhs::Var(var) => self.get(*var),
            Rhs::Undefined => Value::Undefined,
            Rhs::Expr(Expr::Unary {
                op: UnaryOp::Not,
                value,
            }) => match self.get(*value) {
                Value::Undefined => Value::Undefined,
                value => Value::Bool(!truth(value)),
            },
            Rhs::Expr(
                Expr::BinOp { op, lhs, rhs, .. } | Expr::InplaceBinOp { op, lhs, rhs, .. },
            ) => binary(*op, self.get(*lhs), self.get(*rhs)),
            Rhs::Expr(Expr::Call { func, args, .. }) => {
                let (func, arg) = (self.get(*func), self.get(args[0]));
                self.events.push(Event::Call(func, arg));
                self.calls += 1;
                if self.calls % 3 == 2 {
                    return Err(Next::Raise);
                }
                Value::Int(i64::from(self.calls))
            }
            other => return Err(Next::End(Event::Wrong(format!("{other:?}")))),
        })
    }
}

fn truth(value: Value) -> bool {
    match value {
        Value::Undefined | Value::None => false,
        Value::Int(i) => i != 0,
        Value::Bool(b) => b,
    }
}

fn binary(op: BinOp, lhs: Value, rhs: Value) -> Value {
    let int = |value| match value {
        Value::Int(i) => Some(i),
        Value::Bool(b) => Some(i64::from(b)),
        Value::None => Some(-1),
        Value::Undefined => None,
    };
    if lhs == Value::Undefined || rhs == Value::Undefined {
        return Value::Undefined;
    }
    match (op, int(lhs), int(rhs)) {
        (BinOp::Is, ..) => Value::Bool((lhs == Value::None) == (rhs == Value::None)),
        (BinOp::IsNot, ..) => Value::Bool((lhs == Value::None) != (rhs == Value::None)),
        (BinOp::Add, Some(a), Some(b)) => Value::Int(a.wrapping_add(b)),
        (BinOp::Lt, Some(a), Some(b)) => Value::Bool(a < b),
        _ => Value::Undefined,
    }
}
