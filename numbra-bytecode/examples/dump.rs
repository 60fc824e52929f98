//! Prints one stage of a code object stored as JSON:
//! `cargo run -p numbra-bytecode --example dump -- fixtures/3.11/for_if.json dfg`

use numbra_base::FileId;
use numbra_bytecode::{Bytecode, Cfg, CodeObject, Dfg};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, stages @ ..] = args.as_slice() else {
        return Err(
            "usage: dump FILE.json [bytecode|instructions|cfg|cfg-dot|dfg|dfg-dot|dfg-json].."
                .into(),
        );
    };
    let code: CodeObject = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let bytecode = Bytecode::decode(&code, FileId(1))?;
    let cfg = Cfg::build(&bytecode)?;
    let default = ["dfg".to_owned()];
    for stage in if stages.is_empty() { &default } else { stages } {
        let dfg = || Dfg::build(&bytecode, &cfg);
        match stage.as_str() {
            "bytecode" => print!("{}", bytecode.dump()),
            "instructions" => print!("{}", bytecode.to_text()),
            "cfg" => print!("{}", cfg.dump()),
            "cfg-dot" => print!("{}", cfg.to_dot(&bytecode)),
            "dfg" => print!("{}", dfg()?.to_text()),
            "dfg-dot" => print!("{}", dfg()?.to_dot()),
            "dfg-json" => println!("{}", serde_json::to_string_pretty(&dfg()?)?),
            other => return Err(format!("unknown stage {other}").into()),
        }
    }
    Ok(())
}
