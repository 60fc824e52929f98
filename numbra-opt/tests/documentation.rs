//! `docs/lir.md` lists the passes as the table of them has it; `NUMBRA_BLESS=1` writes it anew.

use numbra_opt::{CRANELIFT, DEVICE, HOST, HOST_THREADS, LLVM, Pass};
use std::fmt::Write;
use std::path::Path;

/// What stands before and after the table.
const MARKS: [&str; 2] = ["<!-- passes -->\n", "<!-- end of passes -->\n"];

#[test]
fn the_passes_are_documented() {
    let mut table = "| pass | does | in |\n|---|---|---|\n".to_owned();
    for pass in Pass::ALL {
        let lists: Vec<&str> = [&HOST, &CRANELIFT, &LLVM, &DEVICE, &HOST_THREADS]
            .into_iter()
            .filter(|list| list.passes.contains(pass))
            .map(|list| list.name)
            .collect();
        let lists = lists.join(", ");
        writeln!(table, "| `{pass}` | {} | {lists} |", pass.summary()).expect("strings grow");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/lir.md");
    let text = std::fs::read_to_string(&path).expect("the document is there");
    let (before, rest) = text.split_once(MARKS[0]).expect("the table has a start");
    let (found, after) = rest.split_once(MARKS[1]).expect("the table has an end");
    if std::env::var_os("NUMBRA_BLESS").is_some() {
        let [start, end] = MARKS;
        let text = format!("{before}{start}{table}{end}{after}");
        std::fs::write(&path, text).expect("the document can be written");
    } else {
        assert_eq!(found, table, "NUMBRA_BLESS=1 writes the table anew");
    }
}
