//! Basic blocks of bytecode and the edges between them.

use crate::decode::{Bytecode, Instr};
use crate::error::Error;
use crate::exctable::{Region, visible_regions};
use crate::flow::FlowGraph;
use crate::object_block::{With, find};
use crate::op::Op;
use crate::text::NUMBA_SHIFT;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::ops::Range;

/// Why control may pass along an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum EdgeKind {
    /// Fall through, or an unconditional jump.
    Jump,
    /// A conditional jump that is taken.
    Taken,
    /// A conditional jump that is not taken.
    NotTaken,
    /// A `for` loop with a next item.
    Next,
    /// A `for` loop that is exhausted.
    Exhausted,
    /// An exception.
    Exception,
}

/// A basic block: instructions without a jump or an exception region's border inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BasicBlock {
    /// Byte offset of the first instruction; the block's name in dumps.
    pub offset: u32,
    /// Indices into [`Bytecode::instrs`].
    pub instrs: Range<usize>,
    /// Index into [`Cfg::regions`] of the region that covers the block.
    pub region: Option<usize>,
}

/// The control-flow graph of a code object. Block 0 is the entry; blocks are in order of offset.
#[derive(Clone, Debug)]
pub struct Cfg {
    pub blocks: Vec<BasicBlock>,
    /// Exception regions, without those that only tidy up (see [`visible_regions`]).
    pub regions: Vec<Region>,
    /// Node indices are indices into `blocks`.
    pub graph: DiGraph<(), EdgeKind>,
    flow: FlowGraph,
    /// `with` statements whose body may be object mode.
    pub(crate) withs: Vec<With>,
}

impl Cfg {
    /// Builds the graph.
    pub fn build(bytecode: &Bytecode<'_>) -> Result<Cfg, Error> {
        let regions = visible_regions(bytecode)?;
        let withs = find(bytecode)?;
        let instrs = &bytecode.instrs;
        // Bytecode::decode checked jump targets, visible_regions checked handlers.
        let at = |offset: u32| bytecode.at(offset).unwrap_or(0);
        let mut leader = vec![false; instrs.len() + 1];
        leader[0] = true;
        for (i, instr) in instrs.iter().enumerate() {
            if let Some(target) = instr.op.target() {
                leader[at(target)] = true;
            }
            if instr.op.target().is_some() || instr.op.ends_flow() {
                leader[i + 1] = true;
            }
        }
        for region in &regions {
            leader[at(region.target)] = true;
            for border in [region.start, region.end] {
                leader[first_at_or_after(instrs, border)] = true;
            }
        }
        for with in &withs {
            leader[with.body] = true;
            for exit in &with.exits {
                leader[exit.to] = true;
            }
        }
        let mut blocks = Vec::new();
        let mut block_of = vec![0; instrs.len()];
        let mut start = 0;
        let ends = leader
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(i, leads)| **leads || *i == instrs.len());
        for (end, _) in ends {
            let offset = instrs[start].offset;
            let region = regions.partition_point(|r| r.end <= offset);
            let region = regions
                .get(region)
                .is_some_and(|r| r.start <= offset)
                .then_some(region);
            block_of[start] = blocks.len();
            blocks.push(BasicBlock {
                offset,
                instrs: start..end,
                region,
            });
            start = end;
        }
        let mut graph = DiGraph::with_capacity(blocks.len(), blocks.len() * 2);
        for _ in &blocks {
            graph.add_node(());
        }
        for (b, block) in blocks.iter().enumerate() {
            let last = &instrs[block.instrs.end - 1].op;
            let target = last.target().map(|offset| block_of[at(offset)]);
            let (taken, fall) = match last {
                Op::ForIter { .. } => (EdgeKind::Exhausted, EdgeKind::Next),
                Op::Jump(_) => (EdgeKind::Jump, EdgeKind::Jump),
                _ => (
                    EdgeKind::Taken,
                    if target.is_some() {
                        EdgeKind::NotTaken
                    } else {
                        EdgeKind::Jump
                    },
                ),
            };
            if !last.ends_flow() && b + 1 < blocks.len() {
                graph.add_edge(NodeIndex::new(b), NodeIndex::new(b + 1), fall);
            }
            if let Some(target) = target {
                graph.add_edge(NodeIndex::new(b), NodeIndex::new(target), taken);
            }
            if let Some(region) = block.region {
                let handler = block_of[at(regions[region].target)];
                graph.add_edge(
                    NodeIndex::new(b),
                    NodeIndex::new(handler),
                    EdgeKind::Exception,
                );
            }
            // Object mode is one step, whatever its body does.
            let left = withs.iter().filter(|with| with.body == block.instrs.end);
            for exit in left.flat_map(|with| &with.exits) {
                graph.add_edge(
                    NodeIndex::new(b),
                    NodeIndex::new(block_of[exit.to]),
                    EdgeKind::Jump,
                );
            }
        }
        let mut cfg = Cfg {
            blocks,
            regions,
            graph,
            flow: FlowGraph::new(&[]),
            withs,
        };
        let successors: Vec<Vec<usize>> = (0..cfg.blocks.len())
            .map(|b| cfg.edges(b).into_iter().map(|(to, _)| to).collect())
            .collect();
        cfg.flow = FlowGraph::new(&successors);
        Ok(cfg)
    }

    /// Outgoing edges: fall-through first, then the jump, then the exception edge.
    pub fn edges(&self, block: usize) -> Vec<(usize, EdgeKind)> {
        let mut list: Vec<_> = self
            .graph
            .edges(NodeIndex::new(block))
            .map(|e| (e.id(), e.target().index(), *e.weight()))
            .collect();
        list.sort_unstable_by_key(|(id, ..)| *id);
        list.into_iter().map(|(_, to, kind)| (to, kind)).collect()
    }

    /// The analyses: dominators, loops and so on, by block index.
    pub fn flow(&self) -> &FlowGraph {
        &self.flow
    }

    /// The block that starts at this instruction index.
    pub fn block_at(&self, instr: usize) -> Option<usize> {
        self.blocks
            .binary_search_by_key(&instr, |b| b.instrs.start)
            .ok()
    }

    /// The `with` statement that is entered at this instruction index.
    pub(crate) fn with_at(&self, instr: usize) -> Option<&With> {
        self.withs.iter().find(|with| with.enter == instr)
    }

    /// The text that `NUMBA_DUMP_CFG` prints, with Numba's offsets; sets are sorted.
    pub fn dump(&self) -> String {
        let flow = &self.flow;
        let name = |b: usize| {
            if b == 0 {
                0
            } else {
                self.blocks[b].offset + NUMBA_SHIFT
            }
        };
        let list = |blocks: &mut dyn Iterator<Item = usize>| {
            blocks
                .map(|b| name(b).to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let live = || (0..self.blocks.len()).filter(|&b| flow.is_reachable(b));
        let mut out = String::new();
        let rows = live().map(|b| {
            let mut to: Vec<usize> = flow.successors(b).collect();
            to.sort_unstable();
            format!("{}: [{}]", name(b), list(&mut to.into_iter()))
        });
        section(&mut out, "CFG adjacency lists", &rows.collect::<Vec<_>>());
        for (title, sets) in [
            ("CFG dominators", flow.dominators()),
            ("CFG post-dominators", flow.post_dominators()),
        ] {
            let rows: Vec<String> = sets
                .iter()
                .map(|(&b, set)| format!("{}: {{{}}}", name(b), list(&mut set.iter().copied())))
                .collect();
            section(&mut out, title, &rows);
        }
        let mut edges = flow.back_edges();
        edges.sort_unstable();
        let edges: Vec<String> = edges
            .iter()
            .map(|&(a, b)| format!("({}, {})", name(a), name(b)))
            .collect();
        let _ = writeln!(out, "CFG back edges: [{}]", edges.join(", "));
        let loops = flow.loops();
        let rows: Vec<String> = loops
            .values()
            .map(|l| {
                format!(
                    "{}: Loop(entries={{{}}}, exits={{{}}}, header={}, body={{{}}})",
                    name(l.header),
                    list(&mut l.entries.iter().copied()),
                    list(&mut l.exits.iter().copied()),
                    name(l.header),
                    list(&mut l.body.iter().copied())
                )
            })
            .collect();
        section(&mut out, "CFG loops", &rows);
        let of_blocks = flow.loops_of_blocks(&loops);
        let rows: Vec<String> = of_blocks
            .iter()
            .map(|(&b, l)| format!("{}: [{}]", name(b), list(&mut l.iter().copied())))
            .collect();
        section(&mut out, "CFG node-to-loops", &rows);
        let _ = writeln!(
            out,
            "CFG backbone:\n{{{}}}",
            list(&mut flow.backbone().into_iter())
        );
        out
    }

    /// Graphviz text: one node a block with its instructions.
    pub fn to_dot(&self, bytecode: &Bytecode<'_>) -> String {
        let mut out = format!(
            "digraph {} {{\n  node [shape=box fontname=monospace];\n",
            quote(&bytecode.code.name)
        );
        for (b, block) in self.blocks.iter().enumerate() {
            let mut label = format!("block {}\\l", block.offset);
            for instr in &bytecode.instrs[block.instrs.clone()] {
                let _ = write!(
                    label,
                    "{:>5} {}\\l",
                    instr.offset,
                    escape(&bytecode.describe(instr))
                );
            }
            let _ = writeln!(out, "  b{b} [label=\"{label}\"];");
        }
        for b in 0..self.blocks.len() {
            for (to, kind) in self.edges(b) {
                let style = match kind {
                    EdgeKind::Jump => "",
                    EdgeKind::Taken => " [label=taken]",
                    EdgeKind::NotTaken => " [label=\"not taken\"]",
                    EdgeKind::Next => " [label=next]",
                    EdgeKind::Exhausted => " [label=exhausted]",
                    EdgeKind::Exception => " [label=exception style=dashed]",
                };
                let _ = writeln!(out, "  b{b} -> b{to}{style};");
            }
        }
        out.push_str("}\n");
        out
    }
}

/// Title and a Python dict, on one line if it fits 80 columns as `pprint` does.
fn section(out: &mut String, title: &str, rows: &[String]) {
    let line = format!("{{{}}}", rows.join(", "));
    let body = if line.len() <= 80 {
        line
    } else {
        format!("{{{}}}", rows.join(",\n "))
    };
    let _ = writeln!(out, "{title}:\n{body}");
}

fn first_at_or_after(instrs: &[Instr], offset: u32) -> usize {
    instrs.partition_point(|i| i.offset < offset)
}

pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
