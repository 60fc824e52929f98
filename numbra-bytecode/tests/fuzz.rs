//! Mutated code objects: decoding, CFG and DFG never panic, hang or give an ill-formed graph.
//!
//! `NUMBRA_FUZZ_N` sets the number per version (5,000 by default), `NUMBRA_FUZZ_SEED` the seed.

mod common;

use common::mutate::{Random, mutate};
use common::{check_dfg, fixture, fixture_names, versions};
use numbra_base::FileId;
use numbra_bytecode::{Bytecode, Cfg, CodeObject, Dfg};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

#[test]
fn mutated_code_objects() {
    let count: usize = std::env::var("NUMBRA_FUZZ_N")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(5_000);
    let seed: u64 = std::env::var("NUMBRA_FUZZ_SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20_240_601);
    println!("seed {seed}, {count} per version");
    for version in versions() {
        let fixtures: Vec<CodeObject> = fixture_names()
            .iter()
            .filter(|n| n.as_str() != "extended_arguments")
            .map(|n| fixture(version, n))
            .collect();
        let mut random = Random::new(seed ^ (version as u64 + 1) << 32);
        let (mut graphs, mut errors) = (0, 0);
        for round in 0..count {
            let mut code = fixtures[random.below(fixtures.len())].clone();
            mutate(&mut code, &mut random, version);
            let start = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| {
                let bytecode = Bytecode::decode(&code, FileId(1))?;
                let _ = (bytecode.dump(), bytecode.to_text());
                let cfg = Cfg::build(&bytecode)?;
                let _ = cfg.dump();
                Dfg::build(&bytecode, &cfg)
            }));
            let case = || {
                format!(
                    "{} round {round}: {}",
                    version.name(),
                    serde_json::to_string(&code).unwrap_or_default()
                )
            };
            assert!(start.elapsed() < Duration::from_secs(5), "slow: {}", case());
            match result {
                Ok(Ok(dfg)) => {
                    graphs += 1;
                    for block in &dfg.object_blocks {
                        let _ = block.code(&code);
                    }
                    check_dfg(&dfg)
                        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", dfg.to_text(), case()));
                }
                Ok(Err(error)) => {
                    errors += 1;
                    assert!(
                        !error.to_string().is_empty()
                            && !error.to_diagnostic("f.py").message.is_empty()
                    );
                }
                Err(_) => panic!("panic: {}", case()),
            }
        }
        println!("{}: {graphs} graphs, {errors} errors", version.name());
        assert!(graphs > 0 && errors > 0);
    }
}

/// Bytes without any structure.
#[test]
fn random_bytes() {
    let mut random = Random::new(7);
    for round in 0..4_000 {
        let version = [(3, 11), (3, 12), (3, 13), (3, 14), (3, 15)][round % 5];
        let code = CodeObject {
            version,
            stacksize: random.below(30) as u32,
            code: (0..random.below(60)).map(|_| random.next() as u8).collect(),
            varnames: vec!["a".to_owned(), "b".to_owned()],
            argcount: random.next() as u32,
            names: vec!["n".to_owned()],
            consts: vec![numbra_bytecode::Const::None],
            exceptiontable: (0..random.below(8)).map(|_| random.next() as u8).collect(),
            ..CodeObject::default()
        };
        let _ = Dfg::of_code(&code, FileId(1));
    }
}
