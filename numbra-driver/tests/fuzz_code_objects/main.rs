//! Mutated code objects of CPython 3.11 to 3.15 through the whole pipeline: no panic (caught ones count), no crash, no
//! hang; what is rejected is rejected by a typed error; what compiles runs under a fuel limit, and machine code then does
//! what the interpreter did.
//!
//! `NUMBRA_FUZZ_N` is the number of cases for each version, `NUMBRA_FUZZ_SEED` the seed, `NUMBRA_FUZZ_VERSION` the only
//! version.
//! `-- --case 3.12:77` runs one case in this process and prints its code object.
//!
//! Cases run in child processes, so that a crash or a hang is a finding and the rest goes on.

mod case;
#[path = "../../../numbra-bytecode/tests/common/mutate.rs"]
mod mutate;

use case::{Cases, End};
use numbra_bytecode::{CodeObject, Version};
use numbra_testing::children::{self, Children, number};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A case that takes longer is a finding.
const LIMIT: Duration = Duration::from_secs(10);
/// Cases of one child process.
const CHUNK: usize = 2_000;
const PROCESSES: usize = 2;

fn main() -> ExitCode {
    let (count, seed) = (
        number("NUMBRA_FUZZ_N", 1_250),
        number("NUMBRA_FUZZ_SEED", 20_261_121) as u64,
    );
    if let Some(range) = children::option(children::OPTION) {
        children::child(&range, |version| {
            let cases = cases(version, seed);
            move |number| cases.run(number).map(|end| end as usize)
        });
        return ExitCode::SUCCESS;
    }
    if let Some(name) = children::option("--case") {
        return one(&name, seed);
    }
    let run = Children {
        limit: LIMIT,
        chunk: CHUNK,
        jobs: PROCESSES,
        environment: &[("NUMBRA_VERIFY", "1")],
        memory: None,
    };
    println!("\nrunning 1 test\nseed {seed}, {count} cases for each version");
    let began = Instant::now();
    let mut findings = children::Tally::default();
    let only = std::env::var("NUMBRA_FUZZ_VERSION").ok();
    let wanted = |version: &Version| only.as_ref().is_none_or(|only| only == version.name());
    for version in Version::ALL.into_iter().filter(wanted) {
        let tally = run.run(version.name(), 0, count);
        let ended = |end: End| tally.ended(end as usize);
        let (ran, unfinished) = (ended(End::Ran), ended(End::Unfinished));
        let uninterpreted = ended(End::NotInterpreted);
        println!(
            "{}: {count} cases, {} rejected, {} compiled ({ran} ran on the interpreter and as machine code, \
             {unfinished} did not finish in their fuel or left memory, {uninterpreted} call what the interpreter lacks), {} findings",
            version.name(),
            ended(End::Rejected),
            unfinished + uninterpreted + ran,
            tally.findings.len()
        );
        findings.findings.extend(tally.findings);
    }
    for line in findings.grouped() {
        println!("{line}");
    }
    let failed = usize::from(!findings.findings.is_empty());
    let seconds = began.elapsed().as_secs_f64();
    println!("{} findings", findings.findings.len());
    println!("{}", children::summary(1 - failed, failed, seconds));
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn cases(version: &str, seed: u64) -> Cases {
    let version = Version::ALL
        .into_iter()
        .find(|v| v.name() == version)
        .expect("a version of Python");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../numbra-bytecode/fixtures")
        .join(version.name());
    let entries = std::fs::read_dir(&directory).expect("fixtures are committed");
    let mut paths: Vec<_> = entries
        .map(|e| e.expect("a readable folder").path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| -> CodeObject {
        let text = std::fs::read_to_string(path).expect("a readable fixture");
        serde_json::from_str(&text).expect("a code object")
    };
    let kept = paths
        .iter()
        .filter(|p| p.file_stem().is_some_and(|s| s != "extended_arguments"));
    Cases::new(version, seed, kept.map(read).collect())
}

/// `3.12:77`, for finding out.
fn one(name: &str, seed: u64) -> ExitCode {
    let (version, number) = name.split_once(':').expect("VERSION:NUMBER");
    let number = number.parse().expect("the number of a case");
    let cases = cases(version, seed);
    println!(
        "{}",
        serde_json::to_string(&cases.code(number).0).expect("code objects are plain data")
    );
    let end = cases.run(number);
    println!("{end:?}");
    if end.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
