//! Strip-mines inner loops that LIR leaves whole, with a poll between two strips.
//!
//! A poll in a short inner loop costs a tenth of its time, most of it because LLVM then knows less of the loop. Here LLVM
//! has optimised: the loop, vectorised or not, gets a nearer bound, and where it reaches that it polls, and goes on with
//! the next strip unless the bound was its own.
//!
//! ```text
//! before                                after
//!                                         %most = umin(%n, STRIP_ITERATIONS * 8)
//!   br %loop                              br %loop
//! loop:                                 loop:
//!   %i = phi [0], [%next, %loop]          %i = phi [0], [%next, %again]
//!                                         %limit = phi [%most], [%onward, %again]
//!   ...                                   ...
//!   %next = add %i, 8                     %next = add %i, 8
//!   br (%next == %n), %end, %loop         br (%next == %limit), %after, %again
//!                                       again:
//!                                         %onward = phi [%limit, %loop], [%further, %between]
//!                                         br %loop
//!                                       after:
//!                                         br (%limit == %n), %end, %poll
//!                                       poll:
//!                                         br (load volatile word == 0), %between, %ask
//!                                       ask:
//!                                         br (call numbra_rt_interrupt() == 0), %between, %fail
//!                                       between:
//!                                         %further = %limit + umin(%n - %limit, STRIP_ITERATIONS * 8)
//!                                         br %again
//! ```
//!
//! The poll exits as the next poll after the loop does, and makes the releases that are made on the way there. The loop
//! stays whole where other references are counted on that way, where the exit would need values that the loop does not
//! have, and where no induction variable ends it. The pass of this name does the same to LIR, for Cranelift.

use crate::walk::called_name;
use llvm_sys::core::{
    LLVMAddIncoming, LLVMBuildAdd, LLVMBuildAnd, LLVMBuildBr, LLVMBuildCall2, LLVMBuildCondBr,
    LLVMBuildICmp, LLVMBuildLoad2, LLVMBuildPhi, LLVMBuildSelect, LLVMBuildSub, LLVMConstInt,
    LLVMConstIntGetSExtValue, LLVMCountIncoming, LLVMCreateBuilderInContext, LLVMDisposeBuilder,
    LLVMGetBasicBlockParent, LLVMGetBasicBlockTerminator, LLVMGetCondition, LLVMGetFirstBasicBlock,
    LLVMGetFirstFunction, LLVMGetFirstInstruction, LLVMGetFirstUse, LLVMGetFunctionCallConv,
    LLVMGetGlobalParent, LLVMGetICmpPredicate, LLVMGetIncomingBlock, LLVMGetIncomingValue,
    LLVMGetInstructionOpcode, LLVMGetInstructionParent, LLVMGetIntTypeWidth,
    LLVMGetMDKindIDInContext, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString,
    LLVMGetMetadata, LLVMGetModuleContext, LLVMGetNamedFunction, LLVMGetNamedGlobal,
    LLVMGetNextBasicBlock, LLVMGetNextFunction, LLVMGetNextInstruction, LLVMGetNextUse,
    LLVMGetNumOperands, LLVMGetNumSuccessors, LLVMGetOperand, LLVMGetSuccessor, LLVMGetTypeKind,
    LLVMGetUser, LLVMGlobalGetValueType, LLVMInsertBasicBlockInContext,
    LLVMInstructionEraseFromParent, LLVMInt32TypeInContext, LLVMIsACallInst, LLVMIsAConstantInt,
    LLVMIsAInstruction, LLVMIsAMDNode, LLVMIsAMDString, LLVMIsAPHINode, LLVMMDNodeInContext2,
    LLVMMDStringInContext2, LLVMMetadataAsValue, LLVMMoveBasicBlockAfter, LLVMPointerTypeInContext,
    LLVMPositionBuilderAtEnd, LLVMPositionBuilderBefore, LLVMReplaceAllUsesWith, LLVMSetAlignment,
    LLVMSetCondition, LLVMSetInstructionCallConv, LLVMSetMetadata, LLVMSetSuccessor,
    LLVMSetVolatile, LLVMTypeOf, LLVMValueAsMetadata,
};
use llvm_sys::prelude::{
    LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMModuleRef, LLVMValueRef,
};
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind};
use numbra_abi::INTERRUPT_CELL;
use numbra_base::{FxHashMap, FxHashSet};
use numbra_graph::{Digraph, Dominators, EntityRef, Loops, Node};
use numbra_lir::analysis::native_effects;
use numbra_lir::{MathLib, NativeFn};
use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char};

/// The property of inner loops that LIR leaves without a poll.
const INNER_LOOP: &str = "numbra.inner_loop";
/// The property of vectorised loops and of their epilogues.
const VECTORIZED: &str = "llvm.loop.isvectorized";
/// The runtime's function that a poll calls: whether this thread is to exit.
const INTERRUPT: &CStr = c"numbra_rt_interrupt";
const RELEASE: &CStr = c"numbra_rt_release";
/// Iterations of a strip: some ten microseconds, some ten milliseconds where each iteration misses all caches.
const STRIP_ITERATIONS: i64 = 1 << 13;
/// Branch weights of a loop of unknown trip count, as LLVM has them: it repeats, it ends.
const REPEAT_WEIGHTS: [u64; 2] = [31, 1];
/// Instructions of an iteration that is quick, at most.
const MAX_QUICK_INSTS: usize = 48;
const EQ: LLVMIntPredicate = LLVMIntPredicate::LLVMIntEQ;
const NO_NAME: *const c_char = c"".as_ptr();
/// Blocks after a loop that are searched for a poll, at most.
const MAX_SEARCHED_BLOCKS: usize = 64;

/// Strip-mines the marked loops of a module.
///
/// # Safety
/// `module` is live and well formed, and nobody else uses its context.
pub(crate) unsafe fn strip_mine_for_polls(module: LLVMModuleRef) {
    // SAFETY: by contract; the builder is disposed of.
    unsafe {
        let ask = LLVMGetNamedFunction(module, INTERRUPT.as_ptr());
        let cell = CString::new(INTERRUPT_CELL).unwrap_or_default();
        let cell = LLVMGetNamedGlobal(module, cell.as_ptr());
        if ask.is_null() || cell.is_null() {
            return;
        }
        let polls = Polls {
            context: LLVMGetModuleContext(module),
            ask,
            cell,
        };
        let builder = LLVMCreateBuilderInContext(polls.context);
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            let exits = polls.poll_exits(function);
            if !exits.is_empty() {
                let graph = Graph::new(function);
                // The graph is that of the function as it was: what one loop gets leaves what is asked about the next as it is.
                let mut replaced = Replaced::default();
                for inner in graph.inner_loops(&polls, &exits) {
                    polls.strip_mine(builder, &inner, &mut replaced);
                }
                replaced.erase();
            }
            function = LLVMGetNextFunction(function);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// An inner loop with an induction variable, and what its poll does on an interrupt.
struct InnerLoop {
    latch: LLVMBasicBlockRef,
    header: LLVMBasicBlockRef,
    /// What the loop tests at the end of an iteration: it repeats while `value repeats_while bound`.
    value: LLVMValueRef,
    repeats_while: LLVMIntPredicate,
    bound: LLVMValueRef,
    /// The induction variable, and its step.
    counter: LLVMValueRef,
    step: i64,
    exit: PollExit,
}

/// How a poll exits: to the block `to`, whose block parameters are those of the edge from `from`, after the releases.
#[derive(Clone)]
struct PollExit {
    releases: Vec<LLVMValueRef>,
    from: LLVMBasicBlockRef,
    to: LLVMBasicBlockRef,
}

struct Polls {
    context: LLVMContextRef,
    ask: LLVMValueRef,
    /// It has the address of the interrupt word.
    cell: LLVMValueRef,
}

/// The blocks of a function.
struct Graph {
    blocks: Vec<LLVMBasicBlockRef>,
    number: FxHashMap<LLVMBasicBlockRef, Node>,
    edges: Digraph<Node>,
    dominators: Dominators<Node>,
    loops: Loops<Node>,
}

impl Graph {
    unsafe fn new(function: LLVMValueRef) -> Graph {
        // SAFETY: of a live function with a body.
        unsafe {
            let (mut blocks, mut number) = (Vec::new(), FxHashMap::default());
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                number.insert(block, Node::new(blocks.len()));
                blocks.push(block);
                block = LLVMGetNextBasicBlock(block);
            }
            let nodes = (0..blocks.len()).map(Node::new);
            let edges = Digraph::new(blocks.len(), Some(Node::new(0)), nodes, |node, out| {
                let next = successors(blocks[node.index()]).into_iter();
                out.extend(next.map(|next| number[&next]));
            });
            let dominators = Dominators::new(&edges);
            let loops = Loops::new(&edges, &dominators);
            Graph {
                blocks,
                number,
                edges,
                dominators,
                loops,
            }
        }
    }

    fn successors(&self, block: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMBasicBlockRef> {
        let next = self.edges.succs(self.number[&block]).iter();
        next.map(|node| self.blocks[node.index()])
    }

    fn predecessors(&self, block: LLVMBasicBlockRef) -> Vec<LLVMBasicBlockRef> {
        let before = self.edges.preds(self.number[&block]).iter();
        before.map(|node| self.blocks[node.index()]).collect()
    }

    fn dominates(&self, over: LLVMBasicBlockRef, block: LLVMBasicBlockRef) -> bool {
        self.dominators
            .dominates(self.number[&over], self.number[&block])
    }

    /// The marked loops that can be strip-mined.
    unsafe fn inner_loops(
        &self,
        polls: &Polls,
        exits: &FxHashMap<LLVMBasicBlockRef, PollExit>,
    ) -> Vec<InnerLoop> {
        let blocks = self.blocks.iter();
        // SAFETY: of live blocks.
        let found = blocks.map(|&latch| unsafe { self.inner_loop(polls, latch, exits) });
        found.flatten().collect()
    }

    unsafe fn inner_loop(
        &self,
        polls: &Polls,
        latch: LLVMBasicBlockRef,
        exits: &FxHashMap<LLVMBasicBlockRef, PollExit>,
    ) -> Option<InnerLoop> {
        // SAFETY: of live blocks and values; operands are those that the opcodes have.
        unsafe {
            let end = LLVMGetBasicBlockTerminator(latch);
            if !polls.has_property(end, INNER_LOOP) || LLVMGetNumSuccessors(end) != 2 {
                return None;
            }
            let ways = [LLVMGetSuccessor(end, 0), LLVMGetSuccessor(end, 1)];
            let header = ways.into_iter().find(|&to| self.dominates(to, latch))?;
            let outside = ways.into_iter().find(|&to| to != header)?;
            let before = self.predecessors(header);
            if before.len() != 2 {
                return None;
            }
            let inside = self.blocks_of_loop(header);
            if inside.iter().any(|block| exits.contains_key(block)) {
                return None;
            }
            let test = LLVMGetCondition(end);
            if opcode(test) != Some(LLVMOpcode::LLVMICmp) || inside.contains(&outside) {
                return None;
            }
            let (lhs, rhs) = (LLVMGetOperand(test, 0), LLVMGetOperand(test, 1));
            let is_inside = |value| home(value).is_some_and(|block| inside.contains(&block));
            let mut repeats_while = LLVMGetICmpPredicate(test);
            if LLVMGetSuccessor(end, 0) != header {
                repeats_while = opposite(repeats_while);
            }
            let (value, bound) = match (is_inside(lhs), is_inside(rhs)) {
                (true, false) => (lhs, rhs),
                (false, true) => {
                    repeats_while = swapped(repeats_while);
                    (rhs, lhs)
                }
                _ => return None,
            };
            let ty = LLVMTypeOf(value);
            if LLVMGetTypeKind(ty) != LLVMTypeKind::LLVMIntegerTypeKind
                || !matches!(LLVMGetIntTypeWidth(ty), 32 | 64)
            {
                return None;
            }
            let (counter, step) = induction(value, header, latch)?;
            let is_towards_bound = match repeats_while {
                LLVMIntPredicate::LLVMIntNE => true,
                LLVMIntPredicate::LLVMIntSLT | LLVMIntPredicate::LLVMIntULT => step > 0,
                LLVMIntPredicate::LLVMIntSGT | LLVMIntPredicate::LLVMIntUGT => step < 0,
                _ => false,
            };
            if !is_towards_bound {
                return None;
            }
            let start = incoming(counter, before.into_iter().find(|&block| block != latch)?)?;
            // An epilogue has few iterations, unless arrays overlap: then it takes long only if its iterations do.
            let quick = || {
                let insts = inside.iter().flat_map(|&block| instructions(block));
                insts.take(MAX_QUICK_INSTS + 1).count() <= MAX_QUICK_INSTS
            };
            if constant(start).is_none() && polls.has_property(end, VECTORIZED) && quick() {
                return None;
            }
            if let (Some(from), Some(to)) = (constant(start), constant(bound))
                && to.wrapping_sub(from).unsigned_abs() / step.unsigned_abs()
                    <= STRIP_ITERATIONS as u64
            {
                return None;
            }
            Some(InnerLoop {
                latch,
                header,
                value,
                repeats_while,
                bound,
                counter,
                step,
                exit: self.poll_exit(polls, outside, header, &inside, exits)?,
            })
        }
    }

    /// The blocks of the natural loop with this header.
    fn blocks_of_loop(&self, header: LLVMBasicBlockRef) -> FxHashSet<LLVMBasicBlockRef> {
        let around = self.loops.innermost(self.number[&header]);
        let blocks = around.map(|id| self.loops.get(id).blocks.iter());
        let nodes = blocks.into_iter().flatten();
        nodes.map(|node| self.blocks[node.index()]).collect()
    }

    /// How the next poll after a loop exits, if that needs nothing but values that the loop has.
    unsafe fn poll_exit(
        &self,
        polls: &Polls,
        after: LLVMBasicBlockRef,
        header: LLVMBasicBlockRef,
        inside: &FxHashSet<LLVMBasicBlockRef>,
        exits: &FxHashMap<LLVMBasicBlockRef, PollExit>,
    ) -> Option<PollExit> {
        // SAFETY: of live blocks.
        unsafe {
            let before = |&value: &LLVMValueRef| {
                home(value)
                    .is_none_or(|home| !inside.contains(&home) && self.dominates(home, header))
            };
            let mut seen = FxHashSet::default();
            let mut todo = VecDeque::from([(after, Vec::new())]);
            while let Some((block, mut releases)) = todo.pop_front() {
                if seen.len() > MAX_SEARCHED_BLOCKS
                    || inside.contains(&block)
                    || !seen.insert(block)
                {
                    continue;
                }
                if let Some(exit) = exits.get(&block) {
                    if releases.iter().all(before) && self.is_usable(exit, header, inside) {
                        return Some(PollExit {
                            releases,
                            ..exit.clone()
                        });
                    }
                } else if !polls.collect_releases(block, &mut releases) {
                    continue;
                }
                let next = self.successors(block);
                todo.extend(next.map(|block| (block, releases.clone())));
            }
            None
        }
    }

    /// True if all values that the exit needs dominate the loop.
    unsafe fn is_usable(
        &self,
        exit: &PollExit,
        header: LLVMBasicBlockRef,
        inside: &FxHashSet<LLVMBasicBlockRef>,
    ) -> bool {
        let mut out = FxHashSet::default();
        let mut todo = vec![exit.to];
        while let Some(block) = todo.pop() {
            if out.insert(block) {
                todo.extend(self.successors(block));
            }
        }
        if out
            .iter()
            .any(|block| inside.contains(block) || self.successors(*block).any(|to| to == exit.to))
        {
            return false;
        }
        let has = |value: LLVMValueRef| {
            // SAFETY: of a live value.
            let home = unsafe { home(value) };
            home.is_none_or(|home| {
                !inside.contains(&home) && (out.contains(&home) || self.dominates(home, header))
            })
        };
        // SAFETY: of live blocks and instructions; operands are those that they have.
        unsafe {
            out.iter().all(|&block| {
                instructions(block).all(|inst| {
                    if LLVMIsAPHINode(inst).is_null() {
                        operands(inst).all(has)
                    } else if block == exit.to {
                        incoming(inst, exit.from).is_some_and(has)
                    } else {
                        let ways = 0..LLVMCountIncoming(inst);
                        ways.filter(|&i| out.contains(&LLVMGetIncomingBlock(inst, i)))
                            .all(|i| has(LLVMGetIncomingValue(inst, i)))
                    }
                })
            })
        }
    }
}

impl Polls {
    /// The blocks of a function that poll, each with its exit.
    unsafe fn poll_exits(&self, function: LLVMValueRef) -> FxHashMap<LLVMBasicBlockRef, PollExit> {
        let mut found = FxHashMap::default();
        // SAFETY: of live values; the uses of a function that are calls are in blocks.
        unsafe {
            let mut next = LLVMGetFirstUse(self.ask);
            while !next.is_null() {
                let call = LLVMGetUser(next);
                next = LLVMGetNextUse(next);
                if LLVMIsACallInst(call).is_null() {
                    continue;
                }
                let from = LLVMGetInstructionParent(call);
                let end = LLVMGetBasicBlockTerminator(from);
                if LLVMGetBasicBlockParent(from) != function
                    || opcode(end) != Some(LLVMOpcode::LLVMBr)
                    || LLVMGetNumSuccessors(end) != 2
                {
                    continue;
                }
                let test = LLVMGetCondition(end);
                if opcode(test) != Some(LLVMOpcode::LLVMICmp)
                    || LLVMGetOperand(test, 0) != call
                    || constant(LLVMGetOperand(test, 1)) != Some(0)
                {
                    continue;
                }
                let exit_edge = match LLVMGetICmpPredicate(test) {
                    LLVMIntPredicate::LLVMIntEQ => 1,
                    LLVMIntPredicate::LLVMIntNE => 0,
                    _ => continue,
                };
                let to = LLVMGetSuccessor(end, exit_edge);
                if LLVMGetSuccessor(end, 1 - exit_edge) != to {
                    let releases = Vec::new();
                    found.insert(from, PollExit { releases, from, to });
                }
            }
        }
        found
    }

    /// Adds the references that a block releases; false if it counts others.
    unsafe fn collect_releases(
        &self,
        block: LLVMBasicBlockRef,
        out: &mut Vec<LLVMValueRef>,
    ) -> bool {
        // SAFETY: of a live block; calls of the runtime's function have its argument.
        unsafe {
            instructions(block)
                .filter(|&inst| !LLVMIsACallInst(inst).is_null())
                .all(|call| {
                    let name = called_name(call);
                    if name == RELEASE.to_bytes() {
                        out.push(LLVMGetOperand(call, 0));
                        return true;
                    }
                    let counts = |name| {
                        let native = NativeFn::named(name);
                        native.is_none_or(|native| native_effects(&native).counts)
                    };
                    name.starts_with(b"llvm.")
                        || name.starts_with(b"_ZGV")
                        || name.starts_with(MathLib::Numbra.symbol_prefix().as_bytes())
                        || str::from_utf8(name).is_ok_and(|name| !counts(name))
                })
        }
    }

    /// True if the branch repeats a loop that has a property.
    unsafe fn has_property(&self, branch: LLVMValueRef, property: &str) -> bool {
        // SAFETY: of a live instruction; the buffers are as long as they are said to be.
        unsafe {
            let node = LLVMGetMetadata(branch, self.kind("llvm.loop"));
            if node.is_null() {
                return false;
            }
            fields(node).into_iter().skip(1).any(|field| {
                !field.is_null()
                    && !LLVMIsAMDNode(field).is_null()
                    && fields(field).first().is_some_and(|&name| {
                        if name.is_null() || LLVMIsAMDString(name).is_null() {
                            return false;
                        }
                        let mut length = 0;
                        let text = LLVMGetMDString(name, &raw mut length);
                        let text = std::slice::from_raw_parts(text.cast::<u8>(), length as usize);
                        text == property.as_bytes()
                    })
            })
        }
    }

    unsafe fn kind(&self, name: &str) -> u32 {
        // SAFETY: a name of that length.
        unsafe { LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), name.len() as u32) }
    }

    /// Has a branch take its first way nearly always.
    unsafe fn expect(&self, branch: LLVMValueRef) {
        // SAFETY: by contract.
        unsafe { self.weigh(branch, [2000, 1]) }
    }

    /// Says how often a branch takes either way.
    unsafe fn weigh(&self, branch: LLVMValueRef, ways: [u64; 2]) {
        let name = "branch_weights";
        // SAFETY: nodes of this context.
        unsafe {
            let word = LLVMInt32TypeInContext(self.context);
            let weight = |n| LLVMValueAsMetadata(LLVMConstInt(word, n, 0));
            let name = LLVMMDStringInContext2(self.context, name.as_ptr().cast(), name.len());
            let mut fields = [name, weight(ways[0]), weight(ways[1])];
            let node = LLVMMDNodeInContext2(self.context, fields.as_mut_ptr(), fields.len());
            let node = LLVMMetadataAsValue(self.context, node);
            LLVMSetMetadata(branch, self.kind("prof"), node);
        }
    }

    unsafe fn strip_mine(
        &self,
        builder: LLVMBuilderRef,
        inner: &InnerLoop,
        replaced: &mut Replaced,
    ) {
        // SAFETY: of live values of one function; what is built has its operands in blocks that dominate it.
        unsafe {
            let [value, bound, counter] =
                [inner.value, inner.bound, inner.counter].map(|value| replaced.now(value));
            let ty = LLVMTypeOf(value);
            let end = LLVMGetBasicBlockTerminator(inner.latch);
            let back = u32::from(LLVMGetSuccessor(end, 1) == inner.header);
            let outside = LLVMGetSuccessor(end, 1 - back);
            let ways = 0..LLVMCountIncoming(counter);
            let mut ways = ways.map(|i| LLVMGetIncomingBlock(counter, i));
            let Some(before) = ways.find(|&block| block != inner.latch) else {
                return;
            };
            let Some(start) = incoming(counter, before) else {
                return;
            };
            let new = |name: &CStr, place| {
                let block =
                    LLVMInsertBasicBlockInContext(self.context, inner.header, name.as_ptr());
                LLVMMoveBasicBlockAfter(block, place);
                block
            };
            let again = new(c"again", inner.latch);
            let after = new(c"after", again);
            let poll = new(c"poll", after);
            let ask = new(c"ask", poll);
            let between = new(c"between", ask);

            // Once for all entries of the loop, where its trip count is the same. Vectorised loops compute it anew: it was a value on the stack that took
            // longer to load.
            let once = constant(start).filter(|_| !self.has_property(end, VECTORIZED));
            let place = match (once, home(bound)) {
                (None, _) => LLVMGetBasicBlockTerminator(before),
                (Some(_), None) => {
                    let entry = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(inner.header));
                    LLVMGetBasicBlockTerminator(entry)
                }
                (Some(_), Some(home)) => match opcode(bound) {
                    Some(LLVMOpcode::LLVMPHI) => after_phis(home),
                    _ => LLVMGetNextInstruction(bound),
                },
            };
            LLVMPositionBuilderBefore(builder, place);
            let first = limit(builder, inner, start, bound);
            for phi in replaced.phis(inner.header) {
                if let Some(value) = incoming(phi, inner.latch) {
                    replaced.set_incoming(builder, phi, inner.latch, (value, again));
                }
            }
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(inner.header));
            let now = LLVMBuildPhi(builder, ty, NO_NAME);
            add_incoming(now, first, before);
            LLVMPositionBuilderAtEnd(builder, again);
            let onward = LLVMBuildPhi(builder, ty, NO_NAME);
            LLVMBuildBr(builder, inner.header);
            add_incoming(now, onward, again);
            add_incoming(onward, now, inner.latch);

            LLVMPositionBuilderBefore(builder, end);
            let value = replaced.now(value);
            let predicate = match back {
                0 => inner.repeats_while,
                _ => opposite(inner.repeats_while),
            };
            let test = LLVMBuildICmp(builder, predicate, value, now, NO_NAME);
            let whole = LLVMGetCondition(end);
            LLVMSetCondition(end, test);
            if LLVMGetFirstUse(whole).is_null() {
                LLVMInstructionEraseFromParent(whole);
            }
            LLVMSetSuccessor(end, back, again);
            LLVMSetSuccessor(end, 1 - back, after);
            // What LLVM takes for a loop's way back is none of this branch any more: both ways stay in the loop.
            if LLVMGetMetadata(end, self.kind("prof")).is_null() {
                let mut ways = REPEAT_WEIGHTS;
                ways.rotate_left(back as usize);
                self.weigh(end, ways);
            }
            for phi in replaced.phis(outside) {
                if let Some(value) = incoming(phi, inner.latch) {
                    replaced.set_incoming(builder, phi, inner.latch, (value, after));
                }
            }

            LLVMPositionBuilderAtEnd(builder, after);
            // A counter that goes on until it is equal stands at the limit.
            let at = match inner.repeats_while {
                LLVMIntPredicate::LLVMIntNE => now,
                _ => value,
            };
            let done = LLVMBuildICmp(builder, opposite(inner.repeats_while), at, bound, NO_NAME);
            self.expect(LLVMBuildCondBr(builder, done, outside, poll));

            LLVMPositionBuilderAtEnd(builder, poll);
            let word = LLVMInt32TypeInContext(self.context);
            let zero = LLVMConstInt(word, 0, 0);
            // The address is loaded here, where it is seldom needed: it is not to take a register of the loops around.
            let pointer = LLVMPointerTypeInContext(self.context, 0);
            let address = LLVMBuildLoad2(builder, pointer, self.cell, NO_NAME);
            LLVMSetVolatile(address, 1);
            let loaded = LLVMBuildLoad2(builder, word, address, NO_NAME);
            LLVMSetVolatile(loaded, 1);
            LLVMSetAlignment(loaded, 4);
            let on = LLVMBuildICmp(builder, EQ, loaded, zero, NO_NAME);
            self.expect(LLVMBuildCondBr(builder, on, between, ask));

            LLVMPositionBuilderAtEnd(builder, ask);
            let signature = LLVMGlobalGetValueType(self.ask);
            let none = std::ptr::null_mut();
            let answer = LLVMBuildCall2(builder, signature, self.ask, none, 0, NO_NAME);
            LLVMSetInstructionCallConv(answer, LLVMGetFunctionCallConv(self.ask));
            let on = LLVMBuildICmp(builder, EQ, answer, zero, NO_NAME);
            let (mut from, mut to) = (ask, inner.exit.to);
            if !inner.exit.releases.is_empty() {
                from = new(c"leave", between);
                to = from;
            }
            self.expect(LLVMBuildCondBr(builder, on, between, to));
            if from != ask {
                LLVMPositionBuilderAtEnd(builder, from);
                let module = LLVMGetGlobalParent(self.ask);
                let release = LLVMGetNamedFunction(module, RELEASE.as_ptr());
                let signature = LLVMGlobalGetValueType(release);
                for &value in &inner.exit.releases {
                    let mut value = replaced.now(value);
                    LLVMBuildCall2(builder, signature, release, &raw mut value, 1, NO_NAME);
                }
                LLVMBuildBr(builder, inner.exit.to);
            }
            for phi in replaced.phis(inner.exit.to) {
                if let Some(value) = incoming(phi, inner.exit.from) {
                    add_incoming(phi, value, from);
                }
            }

            LLVMPositionBuilderAtEnd(builder, between);
            // The counter stands there.
            let further = limit(builder, inner, now, bound);
            LLVMBuildBr(builder, again);
            add_incoming(onward, further, between);
        }
    }
}

/// The value of the induction variable at the end of a strip that begins at `from`.
unsafe fn limit(
    builder: LLVMBuilderRef,
    inner: &InnerLoop,
    from: LLVMValueRef,
    bound: LLVMValueRef,
) -> LLVMValueRef {
    let far = inner.step * STRIP_ITERATIONS;
    // SAFETY: of values of one integer type that are there where the builder stands.
    unsafe {
        let ty = LLVMTypeOf(bound);
        let most = LLVMConstInt(ty, far.unsigned_abs(), 0);
        let left = match inner.step > 0 {
            true => LLVMBuildSub(builder, bound, from, NO_NAME),
            false => LLVMBuildSub(builder, from, bound, NO_NAME),
        };
        let ugt = LLVMIntPredicate::LLVMIntUGT;
        let mut is_far = LLVMBuildICmp(builder, ugt, left, most, NO_NAME);
        if inner.repeats_while != LLVMIntPredicate::LLVMIntNE {
            // A counter may be beyond the bound, where a loop tests after its only iteration.
            let runs = LLVMBuildICmp(builder, inner.repeats_while, from, bound, NO_NAME);
            is_far = LLVMBuildAnd(builder, runs, is_far, NO_NAME);
        }
        let far = LLVMConstInt(ty, far as u64, 1);
        let there = LLVMBuildAdd(builder, from, far, NO_NAME);
        LLVMBuildSelect(builder, is_far, there, bound, NO_NAME)
    }
}

fn opposite(predicate: LLVMIntPredicate) -> LLVMIntPredicate {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ => LLVMIntNE,
        LLVMIntNE => LLVMIntEQ,
        LLVMIntUGT => LLVMIntULE,
        LLVMIntUGE => LLVMIntULT,
        LLVMIntULT => LLVMIntUGE,
        LLVMIntULE => LLVMIntUGT,
        LLVMIntSGT => LLVMIntSLE,
        LLVMIntSGE => LLVMIntSLT,
        LLVMIntSLT => LLVMIntSGE,
        LLVMIntSLE => LLVMIntSGT,
    }
}

/// The same predicate for exchanged operands.
fn swapped(predicate: LLVMIntPredicate) -> LLVMIntPredicate {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ | LLVMIntNE => predicate,
        LLVMIntUGT => LLVMIntULT,
        LLVMIntUGE => LLVMIntULE,
        LLVMIntULT => LLVMIntUGT,
        LLVMIntULE => LLVMIntUGE,
        LLVMIntSGT => LLVMIntSLT,
        LLVMIntSGE => LLVMIntSLE,
        LLVMIntSLT => LLVMIntSGT,
        LLVMIntSLE => LLVMIntSGE,
    }
}

/// The induction variable that a tested value is, or is a step from, and its step.
unsafe fn induction(
    value: LLVMValueRef,
    header: LLVMBasicBlockRef,
    latch: LLVMBasicBlockRef,
) -> Option<(LLVMValueRef, i64)> {
    // SAFETY: of live values; operands are those that the opcodes have.
    unsafe {
        let counter = match opcode(value)? {
            LLVMOpcode::LLVMPHI => value,
            LLVMOpcode::LLVMAdd => LLVMGetOperand(value, 0),
            _ => return None,
        };
        if opcode(counter) != Some(LLVMOpcode::LLVMPHI) || home(counter) != Some(header) {
            return None;
        }
        let next = incoming(counter, latch)?;
        if opcode(next) != Some(LLVMOpcode::LLVMAdd) || LLVMGetOperand(next, 0) != counter {
            return None;
        }
        let step = constant(LLVMGetOperand(next, 1))?;
        // Far enough from what does not fit into 32 bits.
        let fits = step != 0 && step.unsigned_abs() <= 1 << 14;
        (fits && (value == counter || value == next)).then_some((counter, step))
    }
}

unsafe fn constant(value: LLVMValueRef) -> Option<i64> {
    // SAFETY: of a live value, of at most 64 bits where it is read.
    unsafe {
        if LLVMIsAConstantInt(value).is_null() || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64 {
            return None;
        }
        Some(LLVMConstIntGetSExtValue(value))
    }
}

unsafe fn opcode(value: LLVMValueRef) -> Option<LLVMOpcode> {
    // SAFETY: of a live value; only instructions have opcodes.
    unsafe { (!LLVMIsAInstruction(value).is_null()).then(|| LLVMGetInstructionOpcode(value)) }
}

/// The block of an instruction.
unsafe fn home(value: LLVMValueRef) -> Option<LLVMBasicBlockRef> {
    // SAFETY: of a live value; instructions are in blocks.
    unsafe { (!LLVMIsAInstruction(value).is_null()).then(|| LLVMGetInstructionParent(value)) }
}

unsafe fn instructions(block: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: of a live block, whose instructions stay while this goes over them.
    let first = unsafe { LLVMGetFirstInstruction(block) };
    std::iter::successors((!first.is_null()).then_some(first), |&inst| {
        // SAFETY: as above.
        let next = unsafe { LLVMGetNextInstruction(inst) };
        (!next.is_null()).then_some(next)
    })
}

unsafe fn after_phis(block: LLVMBasicBlockRef) -> LLVMValueRef {
    // SAFETY: of a live block, which ends with what is no phi.
    unsafe {
        let mut inst = LLVMGetFirstInstruction(block);
        while !LLVMIsAPHINode(inst).is_null() {
            inst = LLVMGetNextInstruction(inst);
        }
        inst
    }
}

/// The operands of a metadata node; some may be null.
unsafe fn fields(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: of a live node, into as much room as it has operands.
    unsafe {
        let mut out = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, out.as_mut_ptr());
        out
    }
}

unsafe fn operands(inst: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    // SAFETY: of a live instruction.
    let count = unsafe { LLVMGetNumOperands(inst) };
    // SAFETY: operands that it has.
    (0..count as u32).map(move |i| unsafe { LLVMGetOperand(inst, i) })
}

unsafe fn successors(block: LLVMBasicBlockRef) -> Vec<LLVMBasicBlockRef> {
    // SAFETY: of a live block, and successors that it has.
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        let count = LLVMGetNumSuccessors(end);
        (0..count).map(|i| LLVMGetSuccessor(end, i)).collect()
    }
}

/// What a phi is on the way from a block.
unsafe fn incoming(phi: LLVMValueRef, from: LLVMBasicBlockRef) -> Option<LLVMValueRef> {
    // SAFETY: of a live phi, and ways that it has.
    unsafe {
        let mut ways = 0..LLVMCountIncoming(phi);
        let way = ways.find(|&i| LLVMGetIncomingBlock(phi, i) == from)?;
        Some(LLVMGetIncomingValue(phi, way))
    }
}

unsafe fn add_incoming(phi: LLVMValueRef, mut value: LLVMValueRef, mut from: LLVMBasicBlockRef) {
    // SAFETY: of a live phi and a value of its type.
    unsafe { LLVMAddIncoming(phi, &raw mut value, &raw mut from, 1) }
}

/// Phis that others took the place of. They go in the end, so that no new value has the address of one before.
#[derive(Default)]
struct Replaced {
    by: FxHashMap<LLVMValueRef, LLVMValueRef>,
    all: Vec<LLVMValueRef>,
}

impl Replaced {
    /// What a value is now.
    fn now(&self, mut value: LLVMValueRef) -> LLVMValueRef {
        while let Some(&new) = self.by.get(&value) {
            value = new;
        }
        value
    }

    /// The phis of a block that are in use.
    unsafe fn phis(&self, block: LLVMBasicBlockRef) -> Vec<LLVMValueRef> {
        // SAFETY: of a live block.
        let all = unsafe { instructions(block) };
        // SAFETY: of live values.
        let phis = all.take_while(|&inst| !unsafe { LLVMIsAPHINode(inst) }.is_null());
        phis.filter(|phi| !self.by.contains_key(phi)).collect()
    }

    /// Replaces a way into a phi. The interface can only add ways, so it is another phi afterwards.
    unsafe fn set_incoming(
        &mut self,
        builder: LLVMBuilderRef,
        phi: LLVMValueRef,
        old: LLVMBasicBlockRef,
        (value, from): (LLVMValueRef, LLVMBasicBlockRef),
    ) {
        // SAFETY: of a live phi.
        unsafe {
            LLVMPositionBuilderBefore(builder, phi);
            let new = LLVMBuildPhi(builder, LLVMTypeOf(phi), NO_NAME);
            for i in 0..LLVMCountIncoming(phi) {
                match LLVMGetIncomingBlock(phi, i) {
                    block if block == old => add_incoming(new, value, from),
                    block => add_incoming(new, LLVMGetIncomingValue(phi, i), block),
                }
            }
            LLVMReplaceAllUsesWith(phi, new);
            self.by.insert(phi, new);
            self.all.push(phi);
        }
    }

    unsafe fn erase(self) {
        for phi in self.all {
            // SAFETY: a phi without uses.
            unsafe { LLVMInstructionEraseFromParent(phi) }
        }
    }
}
