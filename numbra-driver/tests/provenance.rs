//! Every item of every stage says where it comes from: a span and an origin, on 20 functions.
//!
//! An item counts as covered if its span is known and, where the stage has origins, its origin is a bytecode, a pass or
//! a library body: `compiler` says no more than that nobody said anything.

use numbra_base::{FileId, Origin, Span};
use numbra_bytecode::{Bytecode, CodeObject, Dfg};
use numbra_driver::{CompileError, Compiled, Options, Request, Session};
use numbra_ir::{DispatcherId, Func, Type};
use numbra_lir::{Linkage, Module};
use numbra_lower::cranelift;
use numbra_typeinfer::TestHost;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Share that each stage must reach, in percent.
const GOAL: f64 = 95.0;

const FUNCTIONS: &[(&str, &str)] = &[
    ("arithmetic", "float64; int64"),
    ("bitwise", "int64; int64"),
    ("bubble_sort", "array(float64, 1d, C)"),
    ("for_nested", "array(float64, 2d, C); int64; int64"),
    ("for_range", "int64"),
    ("for_if", "int64; int64"),
    ("for_else", "array(int64, 1d, C); int64"),
    ("if_chain", "int64"),
    ("mandelbrot", "complex128; int64"),
    ("nearest", "array(float64, 2d, C); array(float64, 1d, C)"),
    ("nested_if", "int64; float64; bool"),
    ("raise_message", "float64"),
    ("ternary", "int64; float64; bool"),
    ("tuple_ops", "int64; float64"),
    ("while_else", "int64"),
    ("while_loop", "int64"),
    ("while_and", "array(float64, 1d, C); int64"),
    ("chained_compare", "int64; int64; float64; float64"),
    ("assert_message", "int64"),
    ("early_exits", "array(float64, 1d, C); int64; int64"),
];

/// Items seen and covered, by stage.
#[derive(Default)]
struct Coverage(BTreeMap<&'static str, [usize; 2]>);

impl Coverage {
    fn count(&mut self, stage: &'static str, covered: bool) {
        let row = self.0.entry(stage).or_default();
        row[0] += 1;
        row[1] += usize::from(covered);
    }

    fn item(&mut self, stage: &'static str, span: Span, origin: Origin) {
        let said = match origin {
            Origin::Bytecode(_) | Origin::Pass(_) | Origin::Prelude | Origin::Text => true,
            Origin::Compiler => false,
        };
        self.count(stage, span.is_known() && said);
    }

    fn ir(&mut self, stage: &'static str, func: &Func) {
        for &block in &func.layout {
            for &inst in &func.blocks[block].insts {
                let stmt = &func.insts[inst];
                self.item(stage, stmt.span, stmt.origin);
            }
        }
    }

    fn lir(&mut self, stage: &'static str, module: &Module) {
        for func in module.functions.values().filter_map(|f| f.body.as_ref()) {
            for block in &func.layout {
                let data = &func.blocks[block];
                for &inst in data.insts() {
                    self.item(stage, func.insts[inst].span, func.insts[inst].origin);
                }
                self.item(stage, data.term_span, data.term_origin);
            }
        }
    }

    /// Cranelift writes the position in front of an instruction: `@0012`.
    fn clif(&mut self, module: &Module) {
        let functions = cranelift::clif(module, &cranelift::Options::default());
        for (_, text) in functions.expect("the module compiles") {
            for line in text.lines() {
                let line = line.trim_start();
                let is_inst = line.contains(" = ")
                    || ["return", "jump", "brif", "store", "trap"]
                        .iter()
                        .any(|op| line.contains(op));
                let is_declaration = ["ss", "gv", "sig", "fn", "function", "block", "const"]
                    .iter()
                    .any(|p| line.starts_with(p));
                if is_inst && !is_declaration {
                    self.count("clif", line.starts_with('@'));
                }
            }
        }
    }

    /// Bytes of machine code in rows of the line table.
    fn machine_code(&mut self, compiled: &Compiled) {
        let artifact = &compiled.artifact;
        for (_, _, place) in artifact.functions() {
            for offset in place.offset..place.offset + place.size {
                let known = artifact
                    .span_at(place.section, offset)
                    .is_some_and(|s| s.is_known());
                self.count("machine code", known);
            }
        }
    }
}

fn compile(session: &Session, code: CodeObject, args: &str) -> Result<Compiled, CompileError> {
    let source = Arc::new(
        session
            .untyped(code, "test", &|_| None)
            .map_err(|d| CompileError::front_end(*d))?,
    );
    let parse = |text: &str| {
        session
            .types
            .parse(text.trim())
            .expect("the table holds types")
    };
    let args: Vec<Type> = args.split(';').map(parse).collect();
    session.compile(&Request {
        id: DispatcherId(0),
        source: &source,
        args: &args,
        types: &session.types,
        ret: None,
        options: &Options::default(),
        host: &TestHost::new(session.library),
        finish: &|_, module, root, _| {
            module.functions[root].linkage = Linkage::Export;
            Ok(module.functions[root].name.clone())
        },
        symbols: &|_| None,
        dumps: numbra_driver::Dumps::default(),
        print: &|_| (),
        stop: &|| false,
    })
}

#[test]
fn every_stage_says_where_items_come_from() {
    assert_eq!(FUNCTIONS.len(), 20);
    let session = Session::new();
    let mut coverage = Coverage::default();
    for (name, args) in FUNCTIONS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../numbra-bytecode/fixtures/3.11/{name}.json"));
        let text = std::fs::read_to_string(&path).expect("fixtures are committed");
        let code: CodeObject = serde_json::from_str(&text).expect("a code object");
        let bytecode = Bytecode::decode(&code, FileId(1)).expect("the fixture decodes");
        for instr in &bytecode.instrs {
            coverage.count("bytecode", instr.span.is_known());
        }
        let dfg = Dfg::of_code(&code, FileId(1)).expect("the fixture has a data-flow graph");
        for inst in dfg.blocks.iter().flat_map(|b| &b.insts) {
            coverage.count("dfg", inst.span.is_known());
        }
        let compiled =
            compile(&session, code, args).unwrap_or_else(|e| panic!("{name}: {:?}", e.diagnostics));
        let made = compiled.made_from();
        coverage.ir("ir", &made.source.func);
        for (_, func) in made.program.functions.values() {
            coverage.ir("typed", &func.func);
        }
        coverage.lir("lir", &made.lowered);
        coverage.lir("lir-opt", &made.module);
        coverage.clif(&made.module);
        coverage.machine_code(&compiled);
    }
    let mut missed = Vec::new();
    for (stage, [items, covered]) in &coverage.0 {
        let share = 100.0 * *covered as f64 / *items as f64;
        println!("{stage}: {covered} of {items}, {share:.1} %");
        if share < GOAL {
            missed.push(format!("{stage} {share:.1} %"));
        }
    }
    assert_eq!(coverage.0.len(), 8);
    assert!(missed.is_empty(), "below {GOAL} %: {}", missed.join(", "));
}
