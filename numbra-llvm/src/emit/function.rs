//! One function: parameters, blocks, block parameters as phis, terminators.

use super::addresses::{only_accessed, stand_ins, wraps};
use super::debug::{DebugFunction, DebugText};
use super::loop_hints::{LoopMetadata, metadata};
use super::memory::alias;
use super::names::{Declarations, quote};
use super::places::{FunctionLoops, Places, SourceLocation, function_node};
use super::scopes::Scopes;
use super::types::{float_constant, llvm_type, memory_type};
use super::{EmitError, abi};
use crate::Target;
use numbra_base::{FxHashMap, FxHashSet, Span};
use numbra_lir::{
    AliasClass, Block, BlockCall, ConvertOp, EntityRef, Func, FuncDecl, FuncRef, InstKind, Linkage,
    Module, Signature, Slot, Terminator, Ty, Value, ValueDef,
};
use std::fmt::Write as _;

/// The text of one function under construction.
pub(super) struct FunctionText<'a> {
    pub(super) module: &'a Module,
    pub(super) func: &'a Func,
    pub(super) target: &'a Target,
    pub(super) declarations: &'a mut Declarations,
    pub(super) out: String,
    /// Stack blocks of calls: allocated once, at the entry.
    pub(super) allocas: String,
    temporaries: u32,
    traced: Option<Traced<'a>>,
    scopes: Scopes,
    /// Addresses that are for nothing but accesses; none on devices, whose memory may be anywhere.
    pub(super) accessed: FxHashSet<Value>,
    /// What indices that count from the end have added to them.
    pub(super) wraps: FxHashSet<Value>,
    /// Slots of which LLVM must not know that they stand in for other memory, or it would branch.
    pub(super) stand_ins: FxHashSet<Slot>,
    /// What is metadata about loops, by the blocks that begin their next iterations.
    metadata: FxHashMap<Block, LoopMetadata>,
    /// Their metadata nodes, by header.
    loop_nodes: FxHashMap<Block, usize>,
}

/// What positions of code are for.
pub(super) enum Tracing<'a> {
    /// Nothing: there are none.
    None,
    /// Messages of LLVM.
    Places(&'a mut Places),
    /// Debuggers and profilers.
    Source(&'a mut DebugText),
}

/// A function whose code has debug locations.
struct Traced<'a> {
    to: TracedTo<'a>,
    /// The function's metadata node.
    function: usize,
    /// What is written now, as a metadata node.
    now: usize,
}

enum TracedTo<'a> {
    Places {
        places: &'a mut Places,
        func: FuncRef,
        loops: FunctionLoops,
    },
    Source {
        debug: &'a mut DebugText,
        function: DebugFunction,
        /// What declares the variables.
        variables: Vec<String>,
    },
}

impl<'a> Traced<'a> {
    fn new(tracing: Tracing<'a>, decl: &FuncDecl, id: FuncRef, func: &Func) -> Option<Traced<'a>> {
        match tracing {
            Tracing::None => None,
            Tracing::Places(places) => {
                let loops = places.function(id, &decl.name, func);
                let now = places.location(SourceLocation {
                    func: id,
                    span: func.span,
                    around: None,
                });
                Some(Traced {
                    function: function_node(id),
                    to: TracedTo::Places {
                        places,
                        func: id,
                        loops,
                    },
                    now,
                })
            }
            Tracing::Source(debug) => {
                let (function, variables) = debug.function(decl, func)?;
                Some(Traced {
                    function: function.node,
                    now: debug.location(function, func.span),
                    to: TracedTo::Source {
                        debug,
                        function,
                        variables,
                    },
                })
            }
        }
    }
}

/// Where a block's parameters come from: a label and the values it passes.
struct Incoming {
    label: String,
    args: Vec<Value>,
}

impl<'a> FunctionText<'a> {
    pub(super) fn emit(
        module: &'a Module,
        id: FuncRef,
        func: &'a Func,
        target: &'a Target,
        attributes: &str,
        declarations: &'a mut Declarations,
        tracing: Tracing<'a>,
    ) -> Result<String, EmitError> {
        let decl = &module.functions[id];
        let traced = Traced::new(tracing, decl, id, func);
        let scopes = Scopes::new(func, declarations);
        let mut text = FunctionText {
            module,
            func,
            target,
            declarations,
            out: String::new(),
            allocas: String::new(),
            temporaries: 0,
            traced,
            scopes,
            accessed: if target.is_gpu() {
                FxHashSet::default()
            } else {
                only_accessed(func)
            },
            wraps: if target.is_gpu() {
                FxHashSet::default()
            } else {
                wraps(func)
            },
            stand_ins: if target.is_gpu() {
                FxHashSet::default()
            } else {
                stand_ins(func)
            },
            metadata: if target.is_gpu() {
                FxHashMap::default()
            } else {
                metadata(func)
            },
            loop_nodes: FxHashMap::default(),
        };
        text.header(decl, attributes);
        let entry = text.out.len() + "entry:\n".len();
        text.prologue(decl);
        let incoming = text.incoming();
        for block in &func.layout {
            text.block(block, &incoming)?;
        }
        text.out.push_str("}\n");
        let allocas = std::mem::take(&mut text.allocas);
        text.out.insert_str(entry, &allocas);
        Ok(text.out)
    }

    /// The host passes any number of parameters to a kernel, of any type.
    fn has_argument_block(&self, decl: &FuncDecl) -> bool {
        let each = matches!(decl.linkage, Linkage::Kernel | Linkage::Device);
        decl.sig.has_argument_block() && !(each && self.target.is_gpu())
    }

    fn header(&mut self, decl: &FuncDecl, attributes: &str) {
        let sig = &decl.sig;
        let mut params = Vec::new();
        if sig.has_result_block() {
            let size = Signature::BLOCK_STRIDE as usize * sig.results.len();
            params.push(format!("ptr noalias writeonly {} %ret", block(size)));
        }
        if self.has_argument_block(decl) {
            let size = Signature::BLOCK_STRIDE as usize * sig.params.len();
            params.push(format!("ptr noalias readonly {} %args", block(size)));
        } else {
            let entry = &self.func.blocks[self.func.entry()].params;
            for (param, &value) in sig.params.iter().zip(entry) {
                let noalias = if param.noalias && param.ty.is_address() {
                    " noalias"
                } else {
                    ""
                };
                let name = if param.ty == Ty::I1 {
                    format!("%p{}", value.index())
                } else {
                    self.name(value)
                };
                let range = match param.most() {
                    Some(most) => format!(" range(i64 0, {})", bound(most)),
                    None => String::new(),
                };
                params.push(format!(
                    "{}{noalias}{range} {name}",
                    memory_type(param.ty, self.target)
                ));
            }
        }
        let linkage = match decl.linkage {
            Linkage::Local => "internal ",
            Linkage::Kernel if self.target.is_gpu() => "ptx_kernel ",
            Linkage::Export | Linkage::Kernel | Linkage::Device | Linkage::Import => "",
        };
        let inlining = match (decl.inline_always, decl.inline_never) {
            (true, false) => " alwaysinline",
            (false, true) => " noinline",
            _ => "",
        };
        let ret = abi::return_type(sig, self.target);
        let bounds = match (self.target.as_gpu(), decl.linkage) {
            (Some(gpu), Linkage::Kernel) => gpu.kernel_attributes(),
            _ => String::new(),
        };
        let located = match &self.traced {
            Some(traced) => format!(" !dbg !{}", traced.function),
            None => String::new(),
        };
        let _ = writeln!(
            self.out,
            "define {linkage}{ret} @{}({}) nounwind{inlining} {attributes}{bounds}{located} {{",
            quote(&decl.name),
            params.join(", "),
        );
    }

    /// Slots, and parameters that arrive in another form than their values have.
    fn prologue(&mut self, decl: &FuncDecl) {
        self.out.push_str("entry:\n");
        for (slot, data) in self.func.slots.iter() {
            let n = slot.index();
            let _ = writeln!(
                self.out,
                "  %slot{n} = alloca [{} x i8], align {}",
                data.size,
                data.align.max(1)
            );
            if data.undefined {
                continue;
            }
            let _ = writeln!(
                self.out,
                "  call void @llvm.memset.p0.i64(ptr align {} %slot{n}, i8 0, i64 {}, i1 false)",
                data.align.max(1),
                data.size
            );
            self.declarations.function(
                "llvm.memset.p0.i64",
                "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)",
            );
        }
        self.declare_variables();
        let entry = self.func.blocks[self.func.entry()].params.clone();
        if self.has_argument_block(decl) {
            for (index, (&value, param)) in entry.iter().zip(&decl.sig.params).enumerate() {
                let ty = self.func.ty(value);
                let at = self.temp();
                let offset = Signature::BLOCK_STRIDE as usize * index;
                self.line(&format!("{at} = getelementptr i8, ptr %args, i64 {offset}"));
                let memory = memory_type(ty, self.target);
                if ty == Ty::I1 {
                    let byte = self.temp();
                    self.line(&format!("{byte} = load i8, ptr {at}, align 16, !tbaa !24"));
                    self.line(&format!("{} = trunc i8 {byte} to i1", self.name(value)));
                } else {
                    let range = match param.most() {
                        Some(most) => format!(", !range !{{i64 0, i64 {}}}", bound(most)),
                        None => String::new(),
                    };
                    self.line(&format!(
                        "{} = load {memory}, ptr {at}, align 16, !tbaa !24{range}",
                        self.name(value)
                    ));
                }
            }
        } else {
            for &value in &entry {
                if self.func.ty(value) == Ty::I1 {
                    self.line(&format!(
                        "{} = trunc i8 %p{} to i1",
                        self.name(value),
                        value.index()
                    ));
                }
            }
        }
        let label = self.label(self.func.entry());
        self.line(&format!("br label %{label}"));
    }

    /// The edges into each block. An edge to a block that the same terminator names twice gets a label of its own.
    fn incoming(&self) -> Vec<Vec<Incoming>> {
        let mut incoming: Vec<Vec<Incoming>> = Vec::new();
        incoming.resize_with(self.func.blocks.len(), Vec::new);
        for block in &self.func.layout {
            for (index, call) in self.func.term(block).targets().into_iter().enumerate() {
                let label = if needs_edge_block(self.func.term(block), index) {
                    format!("{}.edge{index}", self.label(block))
                } else {
                    self.label(block)
                };
                incoming[call.block.index()].push(Incoming {
                    label,
                    args: call.args.clone(),
                });
            }
        }
        incoming
    }

    fn block(&mut self, block: Block, incoming: &[Vec<Incoming>]) -> Result<(), EmitError> {
        let label = self.label(block);
        let _ = writeln!(self.out, "{label}:");
        let data = &self.func.blocks[block];
        self.stand_at(block, data.term_span);
        if block != self.func.entry() {
            for (index, &param) in data.params.iter().enumerate() {
                let edges: Vec<String> = incoming[block.index()]
                    .iter()
                    .map(|edge| format!("[ {}, %{} ]", self.operand(edge.args[index]), edge.label))
                    .collect();
                let ty = self.ty_text(self.func.ty(param));
                if edges.is_empty() {
                    self.line(&format!("{} = freeze {ty} poison", self.name(param)));
                } else {
                    self.line(&format!(
                        "{} = phi {ty} {}",
                        self.name(param),
                        edges.join(", ")
                    ));
                }
            }
        }
        for &inst in data.insts() {
            self.stand_at(block, self.func.insts[inst].span);
            self.inst(inst)?;
        }
        self.stand_at(block, data.term_span);
        self.terminator(block)
    }

    fn terminator(&mut self, block: Block) -> Result<(), EmitError> {
        let term = self.func.term(block).clone();
        let from = self.label(block);
        let again = self.begins_again(block);
        let target = |text: &FunctionText<'_>, index: usize, call: &BlockCall| {
            if needs_edge_block(&term, index) {
                format!("{from}.edge{index}")
            } else {
                text.label(call.block)
            }
        };
        match &term {
            Terminator::Jump(to) => {
                let to = target(self, 0, to);
                self.line(&format!("br label %{to}{again}"));
            }
            Terminator::Brif { cond, then, other } => {
                let (then_cold, other_cold) = (
                    self.func.blocks[then.block].cold,
                    self.func.blocks[other.block].cold,
                );
                let weights = match (then_cold, other_cold) {
                    (false, true) => ", !prof !80",
                    (true, false) => ", !prof !81",
                    _ => "",
                };
                let (cond, then, other) = (
                    self.operand(*cond),
                    target(self, 0, then),
                    target(self, 1, other),
                );
                self.line(&format!(
                    "br i1 {cond}, label %{then}, label %{other}{weights}{again}"
                ));
            }
            Terminator::Guard { cond, ok, err, .. } => {
                let (cond, ok, err) = (
                    self.operand(*cond),
                    target(self, 0, ok),
                    target(self, 1, err),
                );
                self.line(&format!(
                    "br i1 {cond}, label %{ok}, label %{err}, !prof !80{again}"
                ));
            }
            Terminator::Switch {
                index,
                cases,
                default,
            } => {
                let ty = self.ty_text(self.func.ty(*index));
                let value = self.operand(*index);
                let list: Vec<String> = cases
                    .iter()
                    .enumerate()
                    .map(|(n, case)| format!("{ty} {n}, label %{}", target(self, n, case)))
                    .collect();
                let default = target(self, cases.len(), default);
                self.line(&format!(
                    "switch {ty} {value}, label %{default} [ {} ]{again}",
                    list.join(" ")
                ));
            }
            Terminator::Return(values) => self.finish(values, 0),
            Terminator::Fail => self.finish(&[], 1),
        }
        for (index, call) in term.targets().into_iter().enumerate() {
            if needs_edge_block(&term, index) {
                let to = self.label(call.block);
                let _ = writeln!(self.out, "{from}.edge{index}:");
                self.line(&format!("br label %{to}{again}"));
            }
        }
        Ok(())
    }

    /// Returns: results to the result block or registers, then the status. A failure's results are zero bits.
    fn finish(&mut self, values: &[Value], status: i32) {
        let sig = self.func.sig.clone();
        let mut leaves = Vec::new();
        for (index, &ty) in sig.results.iter().enumerate() {
            let memory = memory_type(ty, self.target);
            let leaf = match values.get(index) {
                Some(&value) => self.as_memory(value),
                None => "zeroinitializer".to_owned(),
            };
            leaves.push((memory, leaf));
        }
        if sig.has_result_block() {
            for (index, (memory, leaf)) in leaves.iter().enumerate() {
                let at = self.temp();
                self.line(&format!(
                    "{at} = getelementptr i8, ptr %ret, i64 {}",
                    Signature::BLOCK_STRIDE as usize * index
                ));
                self.line(&format!(
                    "store {memory} {leaf}, ptr {at}, align 16, !tbaa !24"
                ));
            }
            leaves.clear();
        }
        match (sig.raises, leaves.first()) {
            (false, None) => self.line("ret void"),
            (false, Some((memory, leaf))) => self.line(&format!("ret {memory} {leaf}")),
            (true, None) => self.line(&format!("ret i32 {status}")),
            (true, Some((memory, leaf))) => {
                let (a, b) = (self.temp(), self.temp());
                let pair = format!("{{ i32, {memory} }}");
                self.line(&format!("{a} = insertvalue {pair} undef, i32 {status}, 0"));
                self.line(&format!("{b} = insertvalue {pair} {a}, {memory} {leaf}, 1"));
                self.line(&format!("ret {pair} {b}"));
            }
        }
    }

    /// A value in the form that memory and calls have.
    pub(super) fn as_memory(&mut self, value: Value) -> String {
        let text = self.operand(value);
        if self.func.ty(value) != Ty::I1 {
            return text;
        }
        let byte = self.temp();
        self.line(&format!("{byte} = zext i1 {text} to i8"));
        byte
    }

    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str("  ");
        self.out.push_str(text);
        if let Some(traced) = &self.traced {
            let _ = write!(self.out, ", !dbg !{}", traced.now);
        }
        self.out.push('\n');
    }

    /// Tells debuggers where variables are.
    fn declare_variables(&mut self) {
        let Some(Traced {
            to: TracedTo::Source { variables, .. },
            ..
        }) = &mut self.traced
        else {
            return;
        };
        for text in std::mem::take(variables) {
            self.declarations.function(
                "llvm.dbg.declare",
                "declare void @llvm.dbg.declare(metadata, metadata, metadata)",
            );
            self.line(&text);
        }
    }

    /// What is written next stands there.
    fn stand_at(&mut self, block: Block, span: Span) {
        if let Some(traced) = &mut self.traced {
            traced.now = match &mut traced.to {
                TracedTo::Places {
                    places,
                    func,
                    loops,
                } => places.location(SourceLocation {
                    func: *func,
                    span,
                    around: loops.around(block),
                }),
                TracedTo::Source {
                    debug, function, ..
                } => debug.location(*function, span),
            };
        }
    }

    /// The loop that the end of this block repeats, as metadata of its branch.
    fn begins_again(&mut self, block: Block) -> String {
        let places = match &mut self.traced {
            Some(Traced {
                to: TracedTo::Places { places, loops, .. },
                ..
            }) => Some((places, loops)),
            _ => None,
        };
        let node = match places {
            Some((places, loops)) => match loops.begins_again(block) {
                Some(number) => places.loop_node(number),
                None => return String::new(),
            },
            None => match self.metadata.get(&block) {
                Some(metadata) => {
                    let declarations = &mut *self.declarations;
                    let node = self.loop_nodes.entry(metadata.header);
                    *node.or_insert_with(|| {
                        declarations
                            .metadata(|n| format!("distinct !{{!{n}, {}}}", metadata.nodes()))
                    })
                }
                None => return String::new(),
            },
        };
        format!(", !llvm.loop !{node}")
    }

    /// What stands beside an access: the class of the memory, and what else it cannot be.
    pub(super) fn memory(&mut self, addr: Value, class: AliasClass) -> String {
        let scopes = self.scopes.beside(addr, self.declarations);
        format!("{}{scopes}", alias(class))
    }

    /// A fresh name.
    pub(super) fn temp(&mut self) -> String {
        self.temporaries += 1;
        format!("%t{}", self.temporaries)
    }

    /// A fresh name assigned `text`.
    pub(super) fn let_temp(&mut self, text: &str) -> String {
        let name = self.temp();
        self.line(&format!("{name} = {text}"));
        name
    }

    /// Address of `size` bytes of this frame.
    pub(super) fn frame(&mut self, size: usize, align: u32) -> String {
        let name = self.temp();
        let _ = writeln!(
            self.allocas,
            "  {name} = alloca [{size} x i8], align {align}"
        );
        name
    }

    pub(super) fn ty_text(&self, ty: Ty) -> String {
        llvm_type(ty, self.target)
    }

    pub(super) fn name(&self, value: Value) -> String {
        format!("%v{}", value.index())
    }

    fn label(&self, block: Block) -> String {
        format!("b{}", block.index())
    }

    /// A value where it is used: constants in place, everything else by name.
    pub(super) fn operand(&self, value: Value) -> String {
        let mut value = value;
        loop {
            let ValueDef::Result(inst, _) = self.func.values[value].def else {
                return self.name(value);
            };
            let ty = self.func.ty(value);
            return match &self.func.insts[inst].kind {
                InstKind::IConst(n) => match ty {
                    Ty::I1 => if n & 1 == 1 { "true" } else { "false" }.to_owned(),
                    _ => truncated(*n, ty).to_string(),
                },
                InstKind::FConst(bits) => float_constant(ty, *bits),
                InstKind::Null => "null".to_owned(),
                InstKind::FuncAddr(func) => {
                    format!("@{}", quote(&self.module.functions[*func].name))
                }
                InstKind::DataAddr(data) if !self.target.is_gpu() => {
                    format!("@{}", quote(&self.module.data[*data].name))
                }
                InstKind::Convert {
                    op: ConvertOp::Bitcast | ConvertOp::RefToPtr,
                    arg,
                } if self.ty_text(self.func.ty(*arg)) == self.ty_text(ty) => {
                    value = *arg;
                    continue;
                }
                _ => self.name(value),
            };
        }
    }
}

/// Attributes of a pointer to a block of leaves.
fn block(size: usize) -> String {
    format!("nonnull align 16 dereferenceable({size})")
}

/// The integer as the bits of `ty` say, signed.
fn truncated(value: i128, ty: Ty) -> i128 {
    match ty.int_bits() {
        Some(bits) if bits < 128 => (value << (128 - bits)) >> (128 - bits),
        _ => value,
    }
}

/// True if another target of the terminator is the same block: phis need one label an edge.
fn needs_edge_block(term: &Terminator, index: usize) -> bool {
    let targets = term.targets();
    targets
        .iter()
        .enumerate()
        .any(|(n, t)| n != index && t.block == targets[index].block)
}

/// The first number that is greater than `most`, as LLVM writes it: it wraps around.
fn bound(most: i64) -> i64 {
    most.wrapping_add(1)
}
