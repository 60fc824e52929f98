//! Compares the data-flow graphs of one source compiled by several interpreters:
//! `cargo run -p numbra-bytecode --example compare -- a-3.11.json a-3.14.json`
//!
//! Each file holds a JSON list of code objects; they are matched by position of `def` and qualified name.
//! Prints the functions whose graphs differ, and counts.

use numbra_base::FileId;
use numbra_bytecode::{CodeObject, Dfg, Error};
use std::collections::BTreeMap;

type Graphs = BTreeMap<(u32, String), Result<String, Error>>;

fn read(path: &str) -> Result<Graphs, Box<dyn std::error::Error>> {
    let codes: Vec<CodeObject> = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let graph = |code: &CodeObject| Dfg::of_code(code, FileId(1)).map(|dfg| dfg.to_text());
    Ok(codes
        .iter()
        .map(|c| ((c.firstlineno, c.qualname.clone()), graph(c)))
        .collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let all = paths
        .iter()
        .map(|p| read(p))
        .collect::<Result<Vec<_>, _>>()?;
    let [first, rest @ ..] = all.as_slice() else {
        return Err("usage: compare A.json B.json..".into());
    };
    let (mut equal, mut refused, mut malformed) = (0, 0, 0);
    let mut different = Vec::new();
    for (key, graph) in first {
        let others: Vec<_> = rest.iter().filter_map(|graphs| graphs.get(key)).collect();
        for result in others.iter().copied().chain([graph]) {
            if let Err(error @ (Error::Malformed { .. } | Error::TooComplex { .. })) = result {
                malformed += 1;
                println!("{key:?}: {error}");
            }
        }
        match graph {
            Ok(text) if others.iter().all(|o| o.as_ref() == Ok(text)) => equal += 1,
            Ok(_) if others.iter().all(|o| o.is_ok()) => different.push(key),
            _ => refused += 1,
        }
    }
    for (line, name) in &different {
        println!("differs: {name} (line {line})");
    }
    println!(
        "{equal} equal, {} different, {refused} refused, {malformed} malformed",
        different.len()
    );
    Ok(())
}
