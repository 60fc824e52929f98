//! What is known of a function between passes.
//!
//! Passes ask [`Analyses`] instead of computing graphs of their own. A pass says what it has changed ([`Changed`]), and what
//! does not hold any more is dropped. A pass that found nothing to do on a function is not run on it again before the function
//! changes: it would find nothing again.
//!
//! Where modules are verified after each pass, all of this is checked: an analysis that is handed out a second time is
//! computed again and compared, and what would be left out is run and must change nothing.

use crate::Pass;
use cranelift_entity::SecondaryMap;
use numbra_lir::analysis::{Cfg, DefUse, Dominators, Inductions, Loops};
use numbra_lir::{Func, FuncRef};
use std::ops::BitOr;
use std::rc::Rc;

/// What a pass has changed of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Changed {
    Nothing,
    /// Something, and the pass has told [`Analyses::note`] of each change: what they hold is of the function as it is now.
    Noted,
    /// Instructions, parameters or the order of blocks; which blocks follow which is as before.
    Insts,
    /// Anything.
    Flow,
}

impl Changed {
    pub(crate) fn insts(changed: bool) -> Changed {
        match changed {
            true => Changed::Insts,
            false => Changed::Nothing,
        }
    }

    pub(crate) fn flow(changed: bool) -> Changed {
        match changed {
            true => Changed::Flow,
            false => Changed::Nothing,
        }
    }

    pub(crate) fn noted(changed: bool) -> Changed {
        match changed {
            true => Changed::Noted,
            false => Changed::Nothing,
        }
    }

    pub(crate) fn any(self) -> bool {
        self != Changed::Nothing
    }
}

/// The greater change.
impl BitOr for Changed {
    type Output = Changed;

    fn bitor(self, other: Changed) -> Changed {
        self.max(other)
    }
}

/// Analyses of one function, each made when it is asked for and kept until it does not hold any more.
#[derive(Clone, Default)]
pub(crate) struct Analyses {
    cfg: Option<Rc<Cfg>>,
    doms: Option<Rc<Dominators>>,
    loops: Option<Rc<Loops>>,
    uses: Option<Rc<DefUse>>,
    inductions: Option<Rc<Inductions>>,
    check: Check,
    /// What a pass found wrong with its own result.
    fault: Option<String>,
}

/// Whether what is kept is compared, and whether it was wrong.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Check {
    #[default]
    Off,
    Right,
    Wrong,
}

impl Analyses {
    pub(crate) fn cfg(&mut self, func: &Func) -> Rc<Cfg> {
        if self.check != Check::Off {
            self.compare_cfg(func);
        }
        Rc::clone(self.cfg.get_or_insert_with(|| Rc::new(Cfg::new(func))))
    }

    pub(crate) fn doms(&mut self, func: &Func) -> Rc<Dominators> {
        let cfg = self.cfg(func);
        Rc::clone(
            self.doms
                .get_or_insert_with(|| Rc::new(Dominators::new(&*cfg))),
        )
    }

    pub(crate) fn loops(&mut self, func: &Func) -> Rc<Loops> {
        let (cfg, doms) = (self.cfg(func), self.doms(func));
        Rc::clone(
            self.loops
                .get_or_insert_with(|| Rc::new(Loops::new(&*cfg, &doms))),
        )
    }

    pub(crate) fn uses(&mut self, func: &Func) -> Rc<DefUse> {
        if self.check != Check::Off {
            self.compare_uses(func);
        }
        Rc::clone(self.uses.get_or_insert_with(|| Rc::new(DefUse::new(func))))
    }

    pub(crate) fn inductions(&mut self, func: &Func) -> Rc<Inductions> {
        let loops = self.loops(func);
        if self.check != Check::Off {
            self.compare_inductions(func);
        }
        let made = || Rc::new(Inductions::new(func, &loops));
        Rc::clone(self.inductions.get_or_insert_with(made))
    }

    /// Has a pass check its result, where modules are verified.
    pub(crate) fn check(&mut self, check: impl FnOnce() -> Result<(), String>) {
        if self.check != Check::Off {
            self.fault = check().err();
        }
    }

    /// The function has changed.
    pub(crate) fn note(&mut self, changed: Changed) {
        match changed {
            Changed::Nothing | Changed::Noted => {}
            Changed::Insts => (self.uses, self.inductions) = (None, None),
            Changed::Flow => {
                *self = Analyses {
                    check: self.check,
                    fault: self.fault.take(),
                    ..Analyses::default()
                };
            }
        }
    }

    /// Takes away a wrong graph, and remembers that it was wrong. Dominators and loops follow from it.
    fn compare_cfg(&mut self, func: &Func) {
        let kept = self.cfg.as_ref();
        if kept.is_some_and(|kept| !kept.is_same(&Cfg::new(func))) {
            self.note(Changed::Flow);
            self.check = Check::Wrong;
        }
    }

    fn compare_inductions(&mut self, func: &Func) {
        let kept = self.inductions.clone();
        if kept.is_some_and(|kept| *kept != Inductions::new(func, &self.loops(func))) {
            self.note(Changed::Insts);
            self.check = Check::Wrong;
        }
    }

    fn compare_uses(&mut self, func: &Func) {
        let kept = self.uses.as_ref();
        if kept.is_some_and(|kept| **kept != DefUse::new(func)) {
            self.note(Changed::Insts);
            self.check = Check::Wrong;
        }
    }
}

/// What is known of all functions of a module while passes run on them.
#[derive(Default)]
pub(crate) struct Known {
    of: SecondaryMap<FuncRef, Option<Box<KnownFunc>>>,
    /// Whether modules are verified.
    checks: bool,
    wrong: bool,
    fault: Option<(FuncRef, String)>,
}

#[derive(Clone, Default)]
struct KnownFunc {
    analyses: Analyses,
    /// The passes that found nothing to do on the function as it is.
    idle: u64,
}

impl Known {
    /// Compares what is handed out with what it should be.
    pub(crate) fn checked() -> Known {
        Known {
            checks: true,
            ..Known::default()
        }
    }

    /// Runs a pass on a function, unless it is known to find nothing; true if it changed something.
    pub(crate) fn run(
        &mut self,
        pass: Pass,
        id: FuncRef,
        func: &mut Func,
        run: impl FnOnce(&mut Func, &mut Analyses) -> Changed,
    ) -> bool {
        let known = self.of[id].get_or_insert_default();
        let bit = 1 << pass as u32;
        let idle = known.idle & bit != 0;
        if idle && !self.checks {
            return false;
        }
        if self.checks {
            known.analyses.check = Check::Right;
        }
        let changed = run(func, &mut known.analyses);
        known.analyses.note(changed);
        known.idle = match changed.any() {
            true => 0,
            false => known.idle | bit,
        };
        if self.checks {
            known.analyses.compare_cfg(func);
            known.analyses.compare_uses(func);
            known.analyses.compare_inductions(func);
            if let Some(fault) = known.analyses.fault.take() {
                self.fault.get_or_insert((id, fault));
            }
            self.wrong |= known.analyses.check == Check::Wrong || (idle && changed.any());
        }
        changed.any()
    }

    /// A pass over the module has changed something.
    pub(crate) fn forget(&mut self) {
        self.of.clear();
    }

    /// What a pass found wrong with its own result, since the last question.
    pub(crate) fn take_fault(&mut self) -> Option<(FuncRef, String)> {
        self.fault.take()
    }

    /// True if something that was known turned out to be wrong, since the last question.
    pub(crate) fn take_wrong(&mut self) -> bool {
        std::mem::take(&mut self.wrong)
    }
}

const _: () = assert!(Pass::ALL.len() <= u64::BITS as usize, "a pass has a bit");

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;
    use numbra_lir::text::parse;
    use numbra_lir::{Module, Terminator};

    fn branches() -> Module {
        parse(
            "function export @f(i1) -> () {\nblock0(v0: i1):\n  brif v0, block1, block2\n\
             block1:\n  return\nblock2:\n  return\n}\n",
        )
        .expect("it is LIR")
    }

    /// Sends the branch to its first side, and says that this is `changed`.
    fn decide(known: &mut Known, func: &mut Func, changed: Changed) {
        known.run(Pass::Guards, FuncRef::new(0), func, |func, analyses| {
            analyses.cfg(func);
            let entry = func.entry();
            let to = func.term(entry).targets()[0].clone();
            func.blocks[entry].term = Some(Terminator::Jump(to));
            changed
        });
    }

    #[test]
    fn what_a_pass_does_not_say_is_noticed() {
        for (changed, wrong) in [
            (Changed::Nothing, true),
            (Changed::Noted, true),
            (Changed::Insts, true),
            (Changed::Flow, false),
        ] {
            let mut module = branches();
            let func = module.functions[FuncRef::new(0)].body.as_mut();
            let mut known = Known::checked();
            decide(&mut known, func.expect("it has a body"), changed);
            assert_eq!(known.take_wrong(), wrong, "{changed:?}");
        }
    }

    #[test]
    fn idle_passes_are_left_out_until_something_changes() {
        let mut module = branches();
        let func = module.functions[FuncRef::new(0)].body.as_mut();
        let func = func.expect("it has a body");
        let mut known = Known::default();
        let mut runs = 0;
        let mut run = |known: &mut Known, pass, changed| {
            known.run(pass, FuncRef::new(0), func, |_, _| {
                runs += 1;
                changed
            });
            runs
        };
        assert_eq!(run(&mut known, Pass::Gvn, Changed::Nothing), 1);
        assert_eq!(run(&mut known, Pass::Gvn, Changed::Nothing), 1);
        assert_eq!(run(&mut known, Pass::Dce, Changed::Insts), 2);
        assert_eq!(run(&mut known, Pass::Gvn, Changed::Nothing), 3);
        known.forget();
        assert_eq!(run(&mut known, Pass::Gvn, Changed::Nothing), 4);
    }
}
