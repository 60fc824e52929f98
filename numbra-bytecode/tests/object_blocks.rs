//! Bodies of `with objmode(..):` as code of their own, from code objects of every version.

mod common;

use common::{fixture, versions};
use numbra_base::FileId;
use numbra_bytecode::{Annotation, CodeObject, Const, Dfg, ObjectBlock};

/// The code object that the interpreter would run.
fn outlined(code: &CodeObject, block: &ObjectBlock) -> CodeObject {
    let made = block.code(code).expect("the block has code");
    let more = (0..made.more_consts).map(|n| Const::Int(i64::from(n)));
    CodeObject {
        code: made.code,
        exceptiontable: made.exceptiontable,
        stacksize: made.stacksize,
        flags: made.flags,
        varnames: made.varnames,
        argcount: made.argcount,
        posonlyargcount: 0,
        kwonlyargcount: 0,
        consts: code.consts.iter().cloned().chain(more).collect(),
        positions: Vec::new(),
        ..code.clone()
    }
}

#[test]
fn a_block_knows_its_variables() {
    for version in versions() {
        let code = fixture(version, "with_objmode");
        let dfg = Dfg::of_code(&code, FileId(1)).expect("the fixture has a graph");
        let [block] = dfg.object_blocks.as_slice() else {
            panic!("{}: one block", version.name());
        };
        assert_eq!(block.manager, ["objmode"]);
        assert_eq!(
            block.annotations,
            [("y".to_owned(), Annotation::Text("float64".to_owned()))]
        );
        assert_eq!(
            (block.inputs.as_slice(), block.outputs.as_slice()),
            (&[0][..], &[1][..])
        );
        assert_eq!(block.output_names, ["y"]);
        assert_eq!(block.exits.len(), 1);
        assert_eq!(block.exits[0].live, [true]);
    }
}

#[test]
fn the_code_of_a_block_is_its_body() {
    for version in versions() {
        let code = fixture(version, "with_objmode");
        let dfg = Dfg::of_code(&code, FileId(1)).expect("the fixture has a graph");
        let body = outlined(&code, &dfg.object_blocks[0]);
        let made = dfg.object_blocks[0]
            .code(&code)
            .expect("the block has code");
        // Each code unit has an entry in a line table.
        let units = |table: &[u8]| -> usize {
            table
                .iter()
                .filter(|byte| **byte & 0x80 != 0)
                .map(|byte| usize::from(*byte & 7) + 1)
                .sum()
        };
        let added = units(&made.lines_before) + units(&made.lines_behind);
        assert_eq!(body.code.len() / 2, code.code.len() / 2 + added);
        let text = Dfg::of_code(&body, FileId(1))
            .unwrap_or_else(|error| panic!("{}: {error}", version.name()))
            .to_text();
        let expected = "func with_objmode(x):\nbb0:\n  v0 = global f\n  v1 = load x\n  v2 = call v0(v1)\n  store y, v2\n  \
                        v3 = load y\n  v4 = tuple(v3)\n  return v4\n";
        assert_eq!(text, expected, "{}", version.name());
    }
}
