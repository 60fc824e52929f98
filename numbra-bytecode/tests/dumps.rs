//! Goldens of the texts that NUMBA_DUMP_BYTECODE and NUMBA_DUMP_CFG print, of JSON and DOT.

mod common;

use common::{fixture, fixture_dir, golden, versions};
use numbra_base::FileId;
use numbra_bytecode::{Bytecode, Cfg};

#[test]
fn bytecode_and_cfg() {
    for version in versions() {
        for name in ["for_if", "while_and", "try_else_finally", "with_as"] {
            let code = fixture(version, name);
            let bytecode = Bytecode::decode(&code, FileId(1)).expect("a fixture decodes");
            let cfg = Cfg::build(&bytecode).expect("a fixture has a CFG");
            let text = format!(
                "---- NUMBA_DUMP_BYTECODE\n{}---- instructions\n{}---- NUMBA_DUMP_CFG\n{}",
                bytecode.dump(),
                bytecode.to_text(),
                cfg.dump()
            );
            golden(
                &fixture_dir().join(format!(
                    "../tests/goldens/bytecode/{name}.{}.txt",
                    version.name()
                )),
                &text,
            );
        }
    }
}

#[test]
fn json_and_dot() {
    let code = fixture(numbra_bytecode::Version::Py311, "for_if");
    let bytecode = Bytecode::decode(&code, FileId(1)).expect("a fixture decodes");
    let cfg = Cfg::build(&bytecode).expect("a fixture has a CFG");
    let json = serde_json::json!({ "bytecode": bytecode.to_json(), "cfg": cfg.to_json() });
    let text = format!(
        "{}\n{}",
        serde_json::to_string_pretty(&json).expect("plain JSON"),
        cfg.to_dot(&bytecode)
    );
    golden(
        &fixture_dir().join("../tests/goldens/bytecode/for_if.json_dot.txt"),
        &text,
    );
}
