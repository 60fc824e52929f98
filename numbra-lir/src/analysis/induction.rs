//! Induction variables: block parameters of a loop's header that change by the same amount in every iteration, what ends the
//! loop, and how many iterations there are.
//!
//! ```text
//! block1(v1: i64, v2: i64):        v1: +1, v2: +v0, for a v0 that the loop does not change
//!   ..
//!   v3 = iadd v1, v9   (v9 = 1)
//!   v4 = iadd v2, v0
//!   v5 = icmp slt v3, v6           the latch test: another iteration while v3 < v6
//!   brif v5, block1(v3, v4), block2
//! ```

use super::{Cfg, Loop, LoopId, Loops};
use crate::{BinaryOp, Block, BlockCall, Func, Inst, InstKind, IntCc, Terminator, Value, ValueDef};
use cranelift_entity::SecondaryMap;

/// What is added to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Addend {
    /// What is added, or taken away.
    pub value: Value,
    pub is_subtracted: bool,
    /// What is added, where that is a constant: negative where one is taken away.
    pub constant: Option<i128>,
}

/// An integer parameter of a loop's header to which each iteration adds the same, which the loop does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Induction {
    /// Position among the header's parameters.
    pub param: usize,
    /// What an iteration adds. Where it is a constant, each latch may have its own instruction for it.
    pub step: Addend,
}

/// The comparison by which the only latch of a loop decides on another iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LatchTest {
    pub latch: Block,
    /// Which side of the latch's branch leads back.
    pub back: usize,
    /// The comparison.
    pub inst: Inst,
    /// There is another iteration while `lhs cc rhs`.
    pub cc: IntCc,
    pub lhs: Value,
    pub rhs: Value,
}

/// A loop that ends when an induction variable comes to a bound: one latch, which leads back while `value cc bound`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    pub latch: Block,
    /// Which side of the latch's branch leads back; the other one leaves the loop.
    pub back: usize,
    /// The comparison, which stands in the latch.
    pub test: Inst,
    pub cc: IntCc,
    pub value: Value,
    /// What the loop does not define.
    pub bound: Value,
    /// The parameter of the header that counts, and what is added to it each iteration: towards the bound.
    pub param: usize,
    pub step: i128,
    /// `value` is the parameter after the addition.
    pub after: bool,
}

/// What is known of one loop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopInductions {
    /// One for each parameter of the header.
    vars: Vec<Option<Induction>>,
    test: Option<LatchTest>,
}

/// What is known of the loops of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Inductions {
    loops: SecondaryMap<LoopId, LoopInductions>,
}

impl Inductions {
    /// Looks at each loop once. Linear in the parameters of headers and their back edges.
    pub fn new(func: &Func, loops: &Loops) -> Inductions {
        let mut found = SecondaryMap::new();
        for (id, data) in loops.iter() {
            found[id] = LoopInductions::new(func, data);
        }
        Inductions { loops: found }
    }

    /// What is known of a loop.
    pub fn of(&self, id: LoopId) -> &LoopInductions {
        &self.loops[id]
    }
}

impl LoopInductions {
    /// Looks at one loop.
    pub fn new(func: &Func, data: &Loop) -> LoopInductions {
        let params = 0..func.blocks[data.header].params.len();
        LoopInductions {
            vars: params.map(|n| induction(func, data, n)).collect(),
            test: latch_test(func, data),
        }
    }

    /// Parameter `n` of the header, if it is an induction variable.
    pub fn var(&self, n: usize) -> Option<&Induction> {
        self.vars.get(n)?.as_ref()
    }

    /// What decides on another iteration.
    pub fn test(&self) -> Option<&LatchTest> {
        self.test.as_ref()
    }

    /// How the loop counts, if it does.
    pub fn counted(&self, func: &Func, data: &Loop) -> Option<Counted> {
        let test = self.test?;
        let targets = func.term(test.latch).targets();
        if data.contains(targets[1 - test.back].block) {
            return None;
        }
        let outside = |value| !func.is_defined_in(data, value);
        let (cc, value, bound) = match (outside(test.lhs), outside(test.rhs)) {
            (false, true) => (test.cc, test.lhs, test.rhs),
            (true, false) => (test.cc.swapped(), test.rhs, test.lhs),
            _ => return None,
        };
        // A value that stays in its block moves with it only if it is there: the test stands in the latch.
        if func.inst_block(test.inst) != Some(test.latch) {
            return None;
        }
        let params = &func.blocks[data.header].params;
        let position = |value: Value| params.iter().position(|&p| p == value);
        let (param, after) = match position(value) {
            Some(param) => (param, None),
            None => {
                let (of, step) = sum_with_constant(func, value)?;
                (position(of)?, Some(step))
            }
        };
        let step = self.var(param)?.step.constant?;
        let is_towards = match cc {
            IntCc::Slt | IntCc::Sle | IntCc::Ult | IntCc::Ule => step > 0,
            IntCc::Sgt | IntCc::Sge | IntCc::Ugt | IntCc::Uge => step < 0,
            IntCc::Ne => step != 0,
            IntCc::Eq => false,
        };
        (is_towards && after.is_none_or(|after| after == step)).then_some(Counted {
            latch: test.latch,
            back: test.back,
            test: test.inst,
            cc,
            value,
            bound,
            param,
            step,
            after: after.is_some(),
        })
    }
}

impl Counted {
    /// True if the value that ends the loop is the bound, unless it begins beyond it.
    pub fn is_bound_final(&self) -> bool {
        matches!(
            (self.cc, self.step),
            (IntCc::Slt | IntCc::Ult | IntCc::Ne, 1) | (IntCc::Sgt | IntCc::Ugt | IntCc::Ne, -1)
        )
    }

    /// A number of iterations that is at most two above the true one, where all starts and the bound are constants.
    pub fn trip_count(&self, func: &Func, cfg: &Cfg, header: Block) -> Option<u64> {
        let bound = func.integer(self.bound)?;
        let mut most = 0;
        for &pred in cfg.preds(header).iter().filter(|&&p| p != self.latch) {
            for to in func.term(pred).targets() {
                if to.block == header {
                    let first = func.integer(to.args[self.param])?;
                    let far = bound.checked_sub(first)?;
                    // One that is stepped over is come to when the number wraps.
                    if self.cc == IntCc::Ne
                        && (far % self.step != 0 || far.signum() == -self.step.signum())
                    {
                        return None;
                    }
                    let far = far.unsigned_abs();
                    most = most.max(far / self.step.unsigned_abs() + 2);
                }
            }
        }
        most.try_into().ok()
    }
}

/// True for constants and for what a loop does not define.
pub fn is_fixed(func: &Func, data: &Loop, value: Value) -> bool {
    func.integer(value).is_some() || !func.is_defined_in(data, value)
}

/// Where a loop goes back to its header, one edge after the other.
pub fn back_edges<'a>(func: &'a Func, data: &'a Loop) -> impl Iterator<Item = &'a BlockCall> {
    let targets = data.latches.iter().flat_map(|&b| func.term(b).targets());
    targets.filter(|to| to.block == data.header)
}

/// What `sum` adds to `to`, if it is a sum or difference of it.
pub fn addend(func: &Func, to: Value, sum: Value) -> Option<Addend> {
    let &InstKind::Binary { op, lhs, rhs } = func.def(sum)? else {
        return None;
    };
    let (value, is_subtracted) = match op {
        BinaryOp::IAdd if lhs == to => (rhs, false),
        BinaryOp::IAdd if rhs == to => (lhs, false),
        BinaryOp::ISub if lhs == to => (rhs, true),
        _ => return None,
    };
    let constant = match (func.integer(value), is_subtracted) {
        (Some(n), true) => n.checked_neg(),
        (n, _) => n,
    };
    Some(Addend {
        value,
        is_subtracted,
        constant,
    })
}

/// The value and the constant of which another value is the sum or difference.
pub fn sum_with_constant(func: &Func, sum: Value) -> Option<(Value, i128)> {
    let &InstKind::Binary { op, lhs, rhs } = func.def(sum)? else {
        return None;
    };
    match op {
        BinaryOp::IAdd => match func.integer(rhs) {
            Some(n) => Some((lhs, n)),
            None => Some((rhs, func.integer(lhs)?)),
        },
        BinaryOp::ISub => Some((lhs, func.integer(rhs)?.checked_neg()?)),
        _ => None,
    }
}

fn induction(func: &Func, data: &Loop, n: usize) -> Option<Induction> {
    let param = func.blocks[data.header].params[n];
    func.ty(param).int_bits()?;
    let mut steps = back_edges(func, data).map(|to| addend(func, param, to.args[n]));
    let step = steps.next()??;
    let is_same = |other: Addend| match step.constant {
        Some(_) => other.constant == step.constant,
        None => (other.value, other.is_subtracted) == (step.value, step.is_subtracted),
    };
    let agree = steps.all(|other| other.is_some_and(is_same));
    (agree && is_fixed(func, data, step.value)).then_some(Induction { param: n, step })
}

fn latch_test(func: &Func, data: &Loop) -> Option<LatchTest> {
    let [latch] = data.latches[..] else {
        return None;
    };
    let Terminator::Brif { cond, then, other } = func.term(latch) else {
        return None;
    };
    let back = match (then.block == data.header, other.block == data.header) {
        (true, false) => 0,
        (false, true) => 1,
        _ => return None,
    };
    let ValueDef::Result(inst, _) = func.values[*cond].def else {
        return None;
    };
    let InstKind::Icmp { cc, lhs, rhs } = func.insts[inst].kind else {
        return None;
    };
    Some(LatchTest {
        latch,
        back,
        inst,
        cc: if back == 0 { cc } else { cc.negated() },
        lhs,
        rhs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Dominators, affine};
    use crate::text::parse;

    /// What is known of the only loop of a function, and its header's parameters.
    fn of(text: &str) -> (Func, Loop, LoopInductions) {
        let module = parse(text).expect("it is LIR");
        let mut bodies = module.functions.values().filter_map(|f| f.body.clone());
        let func = bodies.next().expect("it has a body");
        let cfg = Cfg::new(&func);
        let loops = Loops::new(&cfg, &Dominators::new(&cfg));
        let (id, data) = loops.iter().next().expect("it has a loop");
        let found = Inductions::new(&func, &loops).of(id).clone();
        (func, data.clone(), found)
    }

    /// A loop from `start` on that adds `step` and goes on while `test`; `v9` is a fixed stop.
    fn counting(start: i64, op: &str, step: i64, test: &str, sides: &str) -> String {
        format!(
            "function export @f(i64, i64) -> () {{\nblock0(v9: i64, v8: i64):\n  v1: i64 = iconst {start}\n  \
             v7: i64 = iconst {step}\n  v6: i64 = iconst 40\n  jump block1(v1, v1, v1)\n\
             block1(v2: i64, v3: i64, v4: i64):\n  v10 = {op} v2, v7\n  v11 = iadd v8, v3\n  v12 = imul v4, v8\n  \
             v13 = icmp {test}\n  brif v13, {sides}\nblock2:\n  return\n}}\n"
        )
    }

    const AGAIN_FIRST: &str = "block1(v10, v11, v12), block2";
    const AGAIN_LAST: &str = "block2, block1(v10, v11, v12)";

    #[test]
    fn sums_are_induction_variables_and_products_are_not() {
        let (_, _, found) = of(&counting(0, "iadd", 2, "slt v10, v9", AGAIN_FIRST));
        let steps = [0, 1, 2].map(|n| found.var(n).map(|var| var.step.constant));
        assert_eq!(steps, [Some(Some(2)), Some(None), None]);
        let (_, _, found) = of(&counting(0, "isub", 2, "sgt v10, v9", AGAIN_FIRST));
        let step = found.var(0).expect("it steps").step;
        assert_eq!((step.constant, step.is_subtracted), (Some(-2), true));
    }

    #[test]
    fn loops_count_towards_their_bound() {
        for (op, test, sides, expected) in [
            ("iadd", "slt v10, v9", AGAIN_FIRST, Some((IntCc::Slt, true))),
            ("iadd", "sge v10, v9", AGAIN_LAST, Some((IntCc::Slt, true))),
            ("iadd", "sgt v9, v2", AGAIN_FIRST, Some((IntCc::Slt, false))),
            ("isub", "ne v10, v9", AGAIN_FIRST, Some((IntCc::Ne, true))),
            ("isub", "slt v10, v9", AGAIN_FIRST, None),
            ("iadd", "slt v10, v11", AGAIN_FIRST, None),
            ("iadd", "slt v12, v9", AGAIN_FIRST, None),
        ] {
            let (func, data, found) = of(&counting(0, op, 2, test, sides));
            let counted = found.counted(&func, &data);
            let told = counted.map(|counted| (counted.cc, counted.after));
            assert_eq!(told, expected, "{op} {test}");
        }
    }

    #[test]
    fn trip_counts_of_constants() {
        for (start, step, test, most) in [
            (0, 2, "slt v10, v6", Some(22)),
            (10, 3, "slt v10, v6", Some(12)),
            (0, 7, "ne v10, v6", None),
            (0, 8, "ne v10, v6", Some(7)),
            (0, 2, "slt v10, v9", None),
        ] {
            let (func, data, found) = of(&counting(start, "iadd", step, test, AGAIN_FIRST));
            let counted = found.counted(&func, &data).expect("it counts");
            let trips = counted.trip_count(&func, &Cfg::new(&func), data.header);
            assert_eq!(trips, most, "from {start} by {step}");
        }
    }

    #[test]
    fn affine_forms_are_scale_and_offset() {
        let (func, data, _) = of("function export @f(i64) -> () {\nblock0(v9: i64):\n  \
             v1: i64 = iconst 3\n  v2: i64 = iconst 5\n  jump block1(v1)\nblock1(v3: i64):\n  v4 = isub v3, v1\n  \
             v5 = imul v2, v4\n  v6 = shl v5, v1\n  v7 = iadd v6, v2\n  v8 = iadd v7, v9\n  \
             v10 = icmp slt v8, v9\n  brif v10, block1(v7), block2\nblock2:\n  return\n}\n");
        let block = &func.blocks[data.header];
        let forms = block.insts().iter().map(|&inst| {
            let form = affine(&func, &data, func.insts[inst].results[0])?;
            assert_eq!(form.param, block.params[0]);
            Some((form.scale, form.offset))
        });
        let expected = [
            Some((1, -3)),
            Some((5, -15)),
            Some((40, -120)),
            Some((40, -115)),
            None,
            None,
        ];
        assert_eq!(forms.collect::<Vec<_>>(), expected);
    }
}
