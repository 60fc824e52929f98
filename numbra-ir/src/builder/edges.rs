//! Terminators, and the values that edges bring to block parameters.

use super::Builder;
use super::ops::call;
use crate::{Block, Const, Expr, Handler, Rhs, StmtKind, Var, steps};
use numbra_base::{Diagnostic, ErrorClass, FxHashSet, Span};
use numbra_bytecode::dfg::{Edge, Terminator, Test, ValueId, ValueKind};

impl Builder<'_> {
    pub(super) fn build_terminator(&mut self, term: &Terminator) -> Result<(), Box<Diagnostic>> {
        match term {
            Terminator::Jump(edge) => {
                self.assign_params(edge)?;
                let target = self.entries[edge.target.index()];
                self.emit(StmtKind::Jump(target));
            }
            Terminator::Branch {
                cond,
                test,
                then,
                other,
            } => {
                let cond = match test {
                    Test::HasItem => self.value(*cond)?,
                    Test::Truth => {
                        let func = self.builtin_var("bool");
                        let value = self.value(*cond)?;
                        self.temp(call(func, vec![value]))
                    }
                };
                let (to_then, to_other) = (self.edge_block(then), self.edge_block(other));
                self.emit(StmtKind::Branch {
                    cond,
                    then: to_then,
                    other: to_other,
                });
                // Blocks of their own for edges that bring values.
                for (edge, block) in [(then, to_then), (other, to_other)] {
                    if !edge.args.is_empty() {
                        self.handler = None;
                        self.start(block);
                        self.assign_params(edge)?;
                        let target = self.entries[edge.target.index()];
                        self.emit(StmtKind::Jump(target));
                    }
                }
            }
            Terminator::Return { value, .. } => {
                let value = self.value(*value)?;
                let cast = self.temp(Expr::Cast { value, to: None });
                self.emit(StmtKind::Return(cast));
            }
            Terminator::Raise {
                exception: None, ..
            } if self.dfg.blocks.iter().all(|block| block.caught.is_none()) => {
                // No handler anywhere: there is nothing to raise again.
                let class = self.builtin_var("RuntimeError");
                let text = Const::Str("No active exception to reraise".to_owned());
                let text = self.temp(Rhs::Const(text));
                let exception = self.temp(call(class, vec![text]));
                self.emit(StmtKind::Raise(Some(exception)));
            }
            Terminator::Raise {
                exception: None, ..
            } => {
                return Err(self.unsupported(
                    ErrorClass::UnsupportedBytecodeError,
                    self.span,
                    "re-raising an exception is not supported",
                    "The re-raising of an exception is not yet supported.",
                    "raise a new exception: `raise ValueError(\"...\")`",
                ));
            }
            Terminator::Raise {
                exception: Some(exception),
                cause,
            } => {
                let exception = self.value(*exception)?;
                match cause {
                    Some(cause) => self.raise_from(exception, *cause)?,
                    None => self.emit(StmtKind::Raise(Some(exception))),
                }
            }
            // The exception being handled flies on.
            Terminator::Reraise { exception, handled } => {
                if self.kept[exception.index()] {
                    self.emit_step(steps::RAISE_KEPT, *exception);
                }
                if let Some(handled) = handled {
                    self.emit_step(steps::ADD_CONTEXT, *handled);
                }
                self.emit(StmtKind::Raise(None));
            }
        }
        Ok(())
    }

    /// A step with an exception that is kept.
    fn emit_step(&mut self, step: &str, exception: ValueId) {
        let kept = self.param(exception);
        let step = self.step_var(step);
        self.temp(call(step, vec![kept]));
    }

    /// `raise exception from cause`: an exception is made by raising it.
    ///
    /// ```text
    ///   raise cause, to bb1
    /// bb1:
    ///   kept = keep()
    ///   raise exception, to bb2
    /// bb2:
    ///   set_cause(kept), or no_cause() from None
    ///   raise
    /// ```
    fn raise_from(&mut self, exception: Var, cause: ValueId) -> Result<(), Box<Diagnostic>> {
        let kept = match self.is_none(cause) {
            true => None,
            false => {
                let cause = self.value(cause)?;
                self.raise_to_next(cause);
                let keep = self.step_var(steps::KEEP_EXCEPTION);
                Some(self.temp(call(keep, Vec::new())))
            }
        };
        self.raise_to_next(exception);
        let (step, args) = match kept {
            Some(kept) => (steps::SET_CAUSE, vec![kept]),
            None => (steps::NO_CAUSE, Vec::new()),
        };
        let step = self.step_var(step);
        self.temp(call(step, args));
        self.emit(StmtKind::Raise(None));
        Ok(())
    }

    /// Raises an exception and goes on in a handler of it.
    fn raise_to_next(&mut self, exception: Var) {
        let (raising, next, outer) = (self.next_block(), self.next_block(), self.handler);
        self.emit(StmtKind::Jump(raising));
        self.handler = Some(Handler { block: next });
        self.start(raising);
        self.emit(StmtKind::Raise(Some(exception)));
        self.handler = outer;
        self.start(next);
    }

    fn is_none(&self, value: ValueId) -> bool {
        match self.dfg.value(value).kind {
            ValueKind::Const(id) => self.dfg.consts[id.0 as usize] == numbra_bytecode::Const::None,
            ValueKind::Result | ValueKind::Param | ValueKind::Caught => false,
        }
    }

    /// Where a branch goes: a new block if the edge brings values.
    fn edge_block(&mut self, edge: &Edge) -> Block {
        if edge.args.is_empty() {
            self.entries[edge.target.index()]
        } else {
            self.next_block()
        }
    }

    /// `parameter = argument` for each parameter of the target, as if at once.
    pub(super) fn assign_params(&mut self, edge: &Edge) -> Result<(), Box<Diagnostic>> {
        let params = &self.dfg.blocks[edge.target.index()].params;
        let mut targets: Vec<Var> = Vec::with_capacity(edge.args.len());
        let mut sources: Vec<Rhs> = Vec::with_capacity(edge.args.len());
        // Where the values are written: messages about variables with several values show those places.
        let mut places: Vec<(Span, u32)> = Vec::with_capacity(edge.args.len());
        let here = (self.span, self.offset);
        for (&param, &arg) in params.iter().zip(&edge.args) {
            if self.caught[param.index()] {
                if self.kept[param.index()] {
                    targets.push(self.param(param));
                    sources.push(Rhs::Var(self.param(arg)));
                    places.push(here);
                }
                continue;
            }
            targets.push(self.param(param));
            let data = *self.dfg.value(arg);
            places.push(match data.kind {
                ValueKind::Const(_) | ValueKind::Result => (data.span, data.offset),
                ValueKind::Param | ValueKind::Caught => here,
            });
            sources.push(match data.kind {
                ValueKind::Const(id) => {
                    Rhs::Const(self.constant(&self.dfg.consts[id.0 as usize], data.span)?)
                }
                ValueKind::Result | ValueKind::Param | ValueKind::Caught => {
                    Rhs::Var(self.value(arg)?)
                }
            });
        }
        // A parameter that an earlier assignment overwrites is copied first.
        let mut written: FxHashSet<Var> = FxHashSet::default();
        for i in 0..sources.len() {
            if let Rhs::Var(source) = sources[i]
                && written.contains(&source)
            {
                return self.assign_params_by_copy(&targets, sources);
            }
            written.insert(targets[i]);
        }
        for ((target, source), place) in targets.into_iter().zip(sources).zip(places) {
            if !matches!(source, Rhs::Var(var) if var == target) {
                self.at(place);
                self.assign(target, source);
            }
        }
        self.at(here);
        Ok(())
    }

    fn assign_params_by_copy(
        &mut self,
        targets: &[Var],
        sources: Vec<Rhs>,
    ) -> Result<(), Box<Diagnostic>> {
        let copies: Vec<Var> = sources
            .into_iter()
            .map(|source| self.temp(source))
            .collect();
        for (&target, copy) in targets.iter().zip(copies) {
            self.assign(target, Rhs::Var(copy));
        }
        Ok(())
    }
}

impl From<Const> for Rhs {
    fn from(constant: Const) -> Rhs {
        Rhs::Const(constant)
    }
}
