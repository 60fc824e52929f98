//! Polls between strips of loops that LIR leaves whole.
//!
//! LIR has no polls in small loops in other loops, for a strip costs a short row a tenth of its time, most of it because
//! LLVM then knows less of the loop. Here LLVM is done: the loop, in vectors or not, gets a nearer bound, and where it ends
//! there, it looks whether it is to go on.
//!
//! ```text
//! before                                after
//!                                         %most = umin(%n, ITERATIONS * 8)
//!   br %row                               br %row
//! row:                                  row:
//!   %i = phi [0], [%next, %row]           %i = phi [0], [%next, %again]
//!                                         %limit = phi [%most], [%onward, %again]
//!   ...                                   ...
//!   %next = add %i, 8                     %next = add %i, 8
//!   br (%next == %n), %end, %row          br (%next == %limit), %after, %again
//!                                       again:
//!                                         %onward = phi [%limit, %row], [%further, %between]
//!                                         br %row
//!                                       after:
//!                                         br (%limit == %n), %end, %poll
//!                                       poll:
//!                                         br (load volatile word == 0), %between, %ask
//!                                       ask:
//!                                         br (call numbra_rt_interrupt() == 0), %between, %fail
//!                                       between:
//!                                         %further = %limit + umin(%n - %limit, ITERATIONS * 8)
//!                                         br %again
//! ```
//!
//! It fails where the next poll behind the loop fails, and gives up the references that are given up on the way there;
//! where others are counted on it, or failing would need what the loop does not have, the loop stays whole, as do those that
//! do not count. The pass of this name does the same to LIR, for Cranelift.

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
use numbra_lir::analysis::native_effects;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char};

/// The property of loops that LIR leaves whole.
const ROW: &str = "numbra.row";
/// The property of loops of vectors, and of what they leave over.
const VECTORS: &str = "llvm.loop.isvectorized";
/// What asks the runtime whether this thread is to leave.
const ASK: &CStr = c"numbra_rt_interrupt";
const RELEASE: &CStr = c"numbra_rt_release";
/// Iterations of a strip: some ten microseconds, some ten milliseconds where each iteration misses all caches.
const ITERATIONS: i64 = 1 << 13;
/// How often a loop of unknown length goes on, and how often it ends, as LLVM has it.
const AGAIN: [u64; 2] = [31, 1];
/// Instructions of iterations that are quick.
const QUICK: usize = 48;
const EQ: LLVMIntPredicate = LLVMIntPredicate::LLVMIntEQ;
const NO_NAME: *const c_char = c"".as_ptr();
/// Blocks behind a loop that are searched for a poll.
const SEARCHED: usize = 64;

/// Cuts the loops of a module that are marked into strips.
///
/// # Safety
/// `module` is live and well formed, and nobody else uses its context.
pub(crate) unsafe fn cut(module: LLVMModuleRef) {
    // SAFETY: by contract; the builder is disposed of.
    unsafe {
        let ask = LLVMGetNamedFunction(module, ASK.as_ptr());
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
            let asking = polls.asking(function);
            if !asking.is_empty() {
                let graph = Graph::new(function);
                // The graph is that of the function as it was: what one loop gets leaves what is asked about the next as it is.
                let mut replaced = Replaced::default();
                for row in graph.rows(&polls, &asking) {
                    polls.cut(builder, &row, &mut replaced);
                }
                replaced.erase();
            }
            function = LLVMGetNextFunction(function);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// A loop that counts, and what it does when it is to leave.
struct Row {
    latch: LLVMBasicBlockRef,
    header: LLVMBasicBlockRef,
    /// What the loop tests at the end of an iteration: it goes on while `value goes_on bound`.
    value: LLVMValueRef,
    goes_on: LLVMIntPredicate,
    bound: LLVMValueRef,
    /// The value of the header that counts, and what is added to it.
    counter: LLVMValueRef,
    step: i64,
    leave: Leave,
}

/// A way out: the block, by its edge from `from`, once references are given up.
#[derive(Clone)]
struct Leave {
    releases: Vec<LLVMValueRef>,
    from: LLVMBasicBlockRef,
    to: LLVMBasicBlockRef,
}

struct Polls {
    context: LLVMContextRef,
    ask: LLVMValueRef,
    /// It has the address of the word that tells whether to ask.
    cell: LLVMValueRef,
}

/// The blocks of a function.
struct Graph {
    blocks: Vec<LLVMBasicBlockRef>,
    number: FxHashMap<LLVMBasicBlockRef, NodeIndex>,
    edges: DiGraph<(), ()>,
    dominators: Dominators<NodeIndex>,
}

impl Graph {
    unsafe fn new(function: LLVMValueRef) -> Graph {
        // SAFETY: of a live function with a body.
        unsafe {
            let mut edges = DiGraph::new();
            let (mut blocks, mut number) = (Vec::new(), FxHashMap::default());
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                number.insert(block, edges.add_node(()));
                blocks.push(block);
                block = LLVMGetNextBasicBlock(block);
            }
            for &block in &blocks {
                for next in successors(block) {
                    edges.add_edge(number[&block], number[&next], ());
                }
            }
            let dominators = simple_fast(&edges, NodeIndex::new(0));
            Graph {
                blocks,
                number,
                edges,
                dominators,
            }
        }
    }

    fn successors(&self, block: LLVMBasicBlockRef) -> impl Iterator<Item = LLVMBasicBlockRef> {
        let next = self.edges.neighbors(self.number[&block]);
        next.map(|node| self.blocks[node.index()])
    }

    fn predecessors(&self, block: LLVMBasicBlockRef) -> Vec<LLVMBasicBlockRef> {
        let (node, way) = (self.number[&block], petgraph::Direction::Incoming);
        let before = self.edges.neighbors_directed(node, way);
        before.map(|node| self.blocks[node.index()]).collect()
    }

    fn dominates(&self, over: LLVMBasicBlockRef, block: LLVMBasicBlockRef) -> bool {
        let over = self.number[&over];
        let mut above = self.dominators.dominators(self.number[&block]);
        above
            .as_mut()
            .is_some_and(|above| above.any(|node| node == over))
    }

    /// The marked loops that can be cut.
    unsafe fn rows(&self, polls: &Polls, asking: &FxHashMap<LLVMBasicBlockRef, Leave>) -> Vec<Row> {
        let blocks = self.blocks.iter();
        // SAFETY: of live blocks.
        let rows = blocks.map(|&latch| unsafe { self.row(polls, latch, asking) });
        rows.flatten().collect()
    }

    unsafe fn row(
        &self,
        polls: &Polls,
        latch: LLVMBasicBlockRef,
        asking: &FxHashMap<LLVMBasicBlockRef, Leave>,
    ) -> Option<Row> {
        // SAFETY: of live blocks and values; operands are those that the opcodes have.
        unsafe {
            let end = LLVMGetBasicBlockTerminator(latch);
            if !polls.has(end, ROW) || LLVMGetNumSuccessors(end) != 2 {
                return None;
            }
            let ways = [LLVMGetSuccessor(end, 0), LLVMGetSuccessor(end, 1)];
            let header = ways.into_iter().find(|&to| self.dominates(to, latch))?;
            let outside = ways.into_iter().find(|&to| to != header)?;
            let before = self.predecessors(header);
            if before.len() != 2 {
                return None;
            }
            let inside = self.natural(header, latch);
            if inside.iter().any(|block| asking.contains_key(block)) {
                return None;
            }
            let test = LLVMGetCondition(end);
            if opcode(test) != Some(LLVMOpcode::LLVMICmp) || inside.contains(&outside) {
                return None;
            }
            let (lhs, rhs) = (LLVMGetOperand(test, 0), LLVMGetOperand(test, 1));
            let is_inside = |value| home(value).is_some_and(|block| inside.contains(&block));
            let mut goes_on = LLVMGetICmpPredicate(test);
            if LLVMGetSuccessor(end, 0) != header {
                goes_on = opposite(goes_on);
            }
            let (value, bound) = match (is_inside(lhs), is_inside(rhs)) {
                (true, false) => (lhs, rhs),
                (false, true) => {
                    goes_on = swapped(goes_on);
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
            let (counter, step) = counts(value, header, latch)?;
            let leads = match goes_on {
                LLVMIntPredicate::LLVMIntNE => true,
                LLVMIntPredicate::LLVMIntSLT | LLVMIntPredicate::LLVMIntULT => step > 0,
                LLVMIntPredicate::LLVMIntSGT | LLVMIntPredicate::LLVMIntUGT => step < 0,
                _ => false,
            };
            if !leads {
                return None;
            }
            let start = incoming(counter, before.into_iter().find(|&block| block != latch)?)?;
            // What vectors leave over has few iterations, but where arrays overlap: then it is not long if an iteration is quick.
            let quick = || {
                let insts = inside.iter().flat_map(|&block| instructions(block));
                insts.take(QUICK + 1).count() <= QUICK
            };
            if constant(start).is_none() && polls.has(end, VECTORS) && quick() {
                return None;
            }
            if let (Some(from), Some(to)) = (constant(start), constant(bound))
                && to.wrapping_sub(from).unsigned_abs() / step.unsigned_abs() <= ITERATIONS as u64
            {
                return None;
            }
            Some(Row {
                latch,
                header,
                value,
                goes_on,
                bound,
                counter,
                step,
                leave: self.way_out(polls, outside, header, &inside, asking)?,
            })
        }
    }

    /// The blocks of the loop with this way back.
    fn natural(
        &self,
        header: LLVMBasicBlockRef,
        latch: LLVMBasicBlockRef,
    ) -> FxHashSet<LLVMBasicBlockRef> {
        let mut inside = FxHashSet::from_iter([header]);
        let mut todo = vec![latch];
        while let Some(block) = todo.pop() {
            if inside.insert(block) {
                todo.extend(self.predecessors(block));
            }
        }
        inside
    }

    /// Where the next poll behind a loop fails, if that needs nothing but what the loop has.
    unsafe fn way_out(
        &self,
        polls: &Polls,
        behind: LLVMBasicBlockRef,
        header: LLVMBasicBlockRef,
        inside: &FxHashSet<LLVMBasicBlockRef>,
        asking: &FxHashMap<LLVMBasicBlockRef, Leave>,
    ) -> Option<Leave> {
        // SAFETY: of live blocks.
        unsafe {
            let before = |&value: &LLVMValueRef| {
                home(value)
                    .is_none_or(|home| !inside.contains(&home) && self.dominates(home, header))
            };
            let mut seen = FxHashSet::default();
            let mut todo = VecDeque::from([(behind, Vec::new())]);
            while let Some((block, mut releases)) = todo.pop_front() {
                if seen.len() > SEARCHED || inside.contains(&block) || !seen.insert(block) {
                    continue;
                }
                if let Some(leave) = asking.get(&block) {
                    if releases.iter().all(before) && self.suits(leave, header, inside) {
                        return Some(Leave {
                            releases,
                            ..leave.clone()
                        });
                    }
                } else if !polls.counts_down(block, &mut releases) {
                    continue;
                }
                let next = self.successors(block);
                todo.extend(next.map(|block| (block, releases.clone())));
            }
            None
        }
    }

    /// True if all that is needed on the way out dominates the loop.
    unsafe fn suits(
        &self,
        leave: &Leave,
        header: LLVMBasicBlockRef,
        inside: &FxHashSet<LLVMBasicBlockRef>,
    ) -> bool {
        let mut out = FxHashSet::default();
        let mut todo = vec![leave.to];
        while let Some(block) = todo.pop() {
            if out.insert(block) {
                todo.extend(self.successors(block));
            }
        }
        if out
            .iter()
            .any(|block| inside.contains(block) || self.successors(*block).any(|to| to == leave.to))
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
                    } else if block == leave.to {
                        incoming(inst, leave.from).is_some_and(has)
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
    /// The blocks of a function that ask the runtime, with the ways that they take if they are to leave.
    unsafe fn asking(&self, function: LLVMValueRef) -> FxHashMap<LLVMBasicBlockRef, Leave> {
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
                let leaves = match LLVMGetICmpPredicate(test) {
                    LLVMIntPredicate::LLVMIntEQ => 1,
                    LLVMIntPredicate::LLVMIntNE => 0,
                    _ => continue,
                };
                let to = LLVMGetSuccessor(end, leaves);
                if LLVMGetSuccessor(end, 1 - leaves) != to {
                    let releases = Vec::new();
                    found.insert(from, Leave { releases, from, to });
                }
            }
        }
        found
    }

    /// Adds the references that a block gives up; false if it counts others.
    unsafe fn counts_down(&self, block: LLVMBasicBlockRef, out: &mut Vec<LLVMValueRef>) -> bool {
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
                    let pure = |name| !native_effects(name).counts;
                    name.starts_with(b"llvm.")
                        || name.starts_with(b"_ZGV")
                        || !name.is_empty() && str::from_utf8(name).is_ok_and(pure)
                })
        }
    }

    /// True if the branch repeats a loop that has a property.
    unsafe fn has(&self, branch: LLVMValueRef, property: &str) -> bool {
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

    unsafe fn cut(&self, builder: LLVMBuilderRef, row: &Row, replaced: &mut Replaced) {
        // SAFETY: of live values of one function; what is built has its operands in blocks that dominate it.
        unsafe {
            let [value, bound, counter] =
                [row.value, row.bound, row.counter].map(|value| replaced.now(value));
            let ty = LLVMTypeOf(value);
            let end = LLVMGetBasicBlockTerminator(row.latch);
            let back = u32::from(LLVMGetSuccessor(end, 1) == row.header);
            let outside = LLVMGetSuccessor(end, 1 - back);
            let ways = 0..LLVMCountIncoming(counter);
            let mut ways = ways.map(|i| LLVMGetIncomingBlock(counter, i));
            let Some(before) = ways.find(|&block| block != row.latch) else {
                return;
            };
            let Some(start) = incoming(counter, before) else {
                return;
            };
            let new = |name: &CStr, place| {
                let block = LLVMInsertBasicBlockInContext(self.context, row.header, name.as_ptr());
                LLVMMoveBasicBlockAfter(block, place);
                block
            };
            let again = new(c"again", row.latch);
            let after = new(c"after", again);
            let poll = new(c"poll", after);
            let ask = new(c"ask", poll);
            let between = new(c"between", ask);

            // Once for all rows, where they are of the same length. For vectors anew: it was a value on the stack that took
            // longer to load.
            let once = constant(start).filter(|_| !self.has(end, VECTORS));
            let place = match (once, home(bound)) {
                (None, _) => LLVMGetBasicBlockTerminator(before),
                (Some(_), None) => {
                    let entry = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(row.header));
                    LLVMGetBasicBlockTerminator(entry)
                }
                (Some(_), Some(home)) => match opcode(bound) {
                    Some(LLVMOpcode::LLVMPHI) => behind_phis(home),
                    _ => LLVMGetNextInstruction(bound),
                },
            };
            LLVMPositionBuilderBefore(builder, place);
            let first = limit(builder, row, start, bound);
            for phi in replaced.phis(row.header) {
                if let Some(value) = incoming(phi, row.latch) {
                    replaced.set_incoming(builder, phi, row.latch, (value, again));
                }
            }
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(row.header));
            let now = LLVMBuildPhi(builder, ty, NO_NAME);
            add_incoming(now, first, before);
            LLVMPositionBuilderAtEnd(builder, again);
            let onward = LLVMBuildPhi(builder, ty, NO_NAME);
            LLVMBuildBr(builder, row.header);
            add_incoming(now, onward, again);
            add_incoming(onward, now, row.latch);

            LLVMPositionBuilderBefore(builder, end);
            let value = replaced.now(value);
            let predicate = match back {
                0 => row.goes_on,
                _ => opposite(row.goes_on),
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
                let mut ways = AGAIN;
                ways.rotate_left(back as usize);
                self.weigh(end, ways);
            }
            for phi in replaced.phis(outside) {
                if let Some(value) = incoming(phi, row.latch) {
                    replaced.set_incoming(builder, phi, row.latch, (value, after));
                }
            }

            LLVMPositionBuilderAtEnd(builder, after);
            // A counter that goes on until it is equal stands at the limit.
            let at = match row.goes_on {
                LLVMIntPredicate::LLVMIntNE => now,
                _ => value,
            };
            let done = LLVMBuildICmp(builder, opposite(row.goes_on), at, bound, NO_NAME);
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
            let (mut from, mut to) = (ask, row.leave.to);
            if !row.leave.releases.is_empty() {
                from = new(c"leave", between);
                to = from;
            }
            self.expect(LLVMBuildCondBr(builder, on, between, to));
            if from != ask {
                LLVMPositionBuilderAtEnd(builder, from);
                let module = LLVMGetGlobalParent(self.ask);
                let release = LLVMGetNamedFunction(module, RELEASE.as_ptr());
                let signature = LLVMGlobalGetValueType(release);
                for &value in &row.leave.releases {
                    let mut value = replaced.now(value);
                    LLVMBuildCall2(builder, signature, release, &raw mut value, 1, NO_NAME);
                }
                LLVMBuildBr(builder, row.leave.to);
            }
            for phi in replaced.phis(row.leave.to) {
                if let Some(value) = incoming(phi, row.leave.from) {
                    add_incoming(phi, value, from);
                }
            }

            LLVMPositionBuilderAtEnd(builder, between);
            // The counter stands there.
            let further = limit(builder, row, now, bound);
            LLVMBuildBr(builder, again);
            add_incoming(onward, further, between);
        }
    }
}

/// What a counter must come to for the end of a strip that begins at `from`.
unsafe fn limit(
    builder: LLVMBuilderRef,
    row: &Row,
    from: LLVMValueRef,
    bound: LLVMValueRef,
) -> LLVMValueRef {
    let far = row.step * ITERATIONS;
    // SAFETY: of values of one integer type that are there where the builder stands.
    unsafe {
        let ty = LLVMTypeOf(bound);
        let most = LLVMConstInt(ty, far.unsigned_abs(), 0);
        let left = match row.step > 0 {
            true => LLVMBuildSub(builder, bound, from, NO_NAME),
            false => LLVMBuildSub(builder, from, bound, NO_NAME),
        };
        let ugt = LLVMIntPredicate::LLVMIntUGT;
        let mut is_far = LLVMBuildICmp(builder, ugt, left, most, NO_NAME);
        if row.goes_on != LLVMIntPredicate::LLVMIntNE {
            // A counter may be beyond the bound, where a loop tests after its only iteration.
            let runs = LLVMBuildICmp(builder, row.goes_on, from, bound, NO_NAME);
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

/// The same with the operands the other way iteration.
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

/// The value of the header that a tested value is, or is a step from, and what is added to it each iteration.
unsafe fn counts(
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

unsafe fn behind_phis(block: LLVMBasicBlockRef) -> LLVMValueRef {
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
