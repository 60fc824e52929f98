//! Places in LIR as LLVM's debug locations, so that what LLVM says about code can be traced back.
//!
//! A location's line is the number of a place: what comes back in a message is an index into [`Places`] and not a
//! position that would have to be found again.

use super::loop_hints::{LoopHint, hint};
use super::names::bytes_text;
use numbra_base::{FxHashMap, Span};
use numbra_lir::analysis::{Cfg, Dominators, Loops};
use numbra_lir::{Block, EntityRef, Func, FuncRef};

/// The first metadata node; the odd ones belong to `Declarations`.
const FIRST: usize = 1000;
/// What all locations share.
const TYPES: usize = FIRST;
const UNIT: usize = FIRST + 2;
const FILE: usize = FIRST + 4;

/// A loop of LIR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlacedLoop {
    pub(crate) func: FuncRef,
    pub(crate) span: Span,
    pub(crate) depth: u32,
    pub(crate) cold: bool,
    pub(crate) hint: Option<LoopHint>,
}

/// A source position of code, and the innermost loop around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SourceLocation {
    pub(crate) func: FuncRef,
    pub(crate) span: Span,
    /// An index into [`Places::loops`].
    pub(crate) around: Option<usize>,
}

/// All places of a module, in order of their numbers.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) places: Vec<SourceLocation>,
    pub(crate) loops: Vec<PlacedLoop>,
    numbers: FxHashMap<SourceLocation, usize>,
    /// Names of functions with a body.
    functions: Vec<(FuncRef, String)>,
}

/// The loops of one function.
pub(super) struct FunctionLoops {
    /// By block: an index into [`Places::loops`].
    around: FxHashMap<Block, usize>,
    /// Edges that go back: from, to.
    back: Vec<(Block, Block)>,
}

impl FunctionLoops {
    pub(super) fn around(&self, block: Block) -> Option<usize> {
        self.around.get(&block).copied()
    }

    /// The loop whose next iteration this block begins.
    pub(super) fn begins_again(&self, block: Block) -> Option<usize> {
        let (_, header) = self.back.iter().find(|(from, _)| *from == block)?;
        self.around(*header)
    }
}

impl Places {
    /// Numbers the loops of a function.
    pub(super) fn function(&mut self, id: FuncRef, name: &str, func: &Func) -> FunctionLoops {
        self.functions.push((id, name.to_owned()));
        let cfg = Cfg::new(func);
        let doms = Dominators::new(&cfg);
        let loops = Loops::new(&cfg, &doms);
        let mut found = FunctionLoops {
            around: FxHashMap::default(),
            back: Vec::new(),
        };
        let mut numbers = FxHashMap::default();
        for (loop_id, data) in loops.iter() {
            numbers.insert(loop_id, self.loops.len());
            let latches = data.latches.iter().map(|&latch| (latch, data.header));
            found.back.extend(latches);
            self.loops.push(PlacedLoop {
                func: id,
                span: span_of_loop(func, &data.latches, &data.blocks),
                depth: data.depth,
                cold: func.blocks[data.header].cold,
                hint: hint(func, data),
            });
        }
        for block in &func.layout {
            if let Some(number) = loops.innermost(block).and_then(|id| numbers.get(&id)) {
                found.around.insert(block, *number);
            }
        }
        found
    }

    /// The metadata node of a place.
    pub(super) fn location(&mut self, place: SourceLocation) -> usize {
        let places = &mut self.places;
        let number = *self.numbers.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() - 1
        });
        location_node(number)
    }

    /// The metadata node that says where a loop stands.
    pub(super) fn loop_node(&mut self, number: usize) -> usize {
        let (func, span) = (self.loops[number].func, self.loops[number].span);
        self.location(SourceLocation {
            func,
            span,
            around: Some(number),
        });
        loop_node(number)
    }

    /// The metadata of all.
    pub(super) fn write(&self, out: &mut String) {
        let mut put = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        put(format!("!llvm.dbg.cu = !{{!{UNIT}}}"));
        put(format!("!{TYPES} = !DISubroutineType(types: !82)"));
        put(format!(
            "!{FILE} = !DIFile(filename: \"numbra\", directory: \"\")"
        ));
        put(format!(
            "!{UNIT} = distinct !DICompileUnit(language: DW_LANG_C, file: !{FILE}, isOptimized: true, emissionKind: NoDebug)"
        ));
        for (id, name) in &self.functions {
            put(format!(
                "!{} = distinct !DISubprogram(name: \"{}\", scope: !{FILE}, file: !{FILE}, line: 1, type: !{TYPES}, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !{UNIT})",
                function_node(*id),
                bytes_text(name.as_bytes())
            ));
        }
        for (number, place) in self.places.iter().enumerate() {
            put(format!(
                "!{} = !DILocation(line: {}, scope: !{})",
                location_node(number),
                number + 1,
                function_node(place.func)
            ));
        }
        for (number, one) in self.loops.iter().enumerate() {
            let place = SourceLocation {
                func: one.func,
                span: one.span,
                around: Some(number),
            };
            if let Some(&at) = self.numbers.get(&place) {
                let node = loop_node(number);
                let hint = match one.hint {
                    Some(hint) => format!(", {}", hint.node()),
                    None => String::new(),
                };
                put(format!(
                    "!{node} = distinct !{{!{node}, !{}{hint}}}",
                    location_node(at)
                ));
            }
        }
    }

    /// The place that a message's line names; LLVM's line 0 is none.
    pub(crate) fn at_line(&self, line: usize) -> Option<SourceLocation> {
        self.places.get(line.checked_sub(1)?).copied()
    }
}

// Nodes of different kinds take turns, so that no kind needs to know how many there are of another.
fn node(number: usize, kind: usize) -> usize {
    FIRST + 6 + 2 * (3 * number + kind)
}

pub(super) fn function_node(id: FuncRef) -> usize {
    node(id.index(), 0)
}

fn location_node(number: usize) -> usize {
    node(number, 1)
}

fn loop_node(number: usize) -> usize {
    node(number, 2)
}

/// Where the test stands that begins another iteration, else the first line of the loop.
fn span_of_loop(func: &Func, latches: &[Block], blocks: &[Block]) -> Span {
    let tests = latches.iter().map(|&latch| func.blocks[latch].term_span);
    let insts = blocks.iter().flat_map(|&b| func.blocks[b].insts());
    let insts = insts.map(|&inst| func.insts[inst].span);
    let first = |spans: &mut dyn Iterator<Item = Span>| {
        let known = spans.filter(Span::is_known);
        known.min_by_key(|span| (span.file, span.line))
    };
    let found = first(&mut { tests }).or_else(|| first(&mut { insts }));
    found.unwrap_or_default()
}
