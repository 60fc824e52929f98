//! Programs that are generated as typed IR and as LIR, not as Python: every engine does the same, results, memory,
//! exceptions and references. Of typed IR an evaluator of the IR itself says what is right. On the interpreter every access to memory that was freed, or never was, is found.
//!
//! `NUMBRA_FUZZ_N` is the number of programs of each kind, `NUMBRA_FUZZ_SEED` the first seed, `NUMBRA_FUZZ_JOBS` how
//! many processes run them. `-- --case typed:77` runs one in this process and prints it.
//!
//! Programs run in child processes, so that a crash or a hang is a finding and the rest goes on.

mod case;
mod engines;
mod kinds;
mod lir;
mod lir_code;
mod oracle;
mod typed;

use numbra_testing::children::{self, Children, number};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A program that takes longer is a finding.
const LIMIT: Duration = Duration::from_secs(60);
/// Programs of one child process.
const CHUNK: usize = 100;
/// Programs that found a fault, run each time.
const FOUND: &[(&str, usize)] = &[("lir", 902_949)];
/// Kinds of programs.
const KINDS: [&str; 2] = ["typed", "lir"];

fn main() -> ExitCode {
    if let Some(range) = children::option(children::OPTION) {
        children::child(&range, |kind| {
            let kind = kind.to_owned();
            move |seed| case::run(&kind, seed as u64, &mut |_| ()).map(|end| end as usize)
        });
        return ExitCode::SUCCESS;
    }
    if let Some(name) = children::option("--case") {
        return one(&name);
    }
    let (count, first) = (number("NUMBRA_FUZZ_N", 40), number("NUMBRA_FUZZ_SEED", 1));
    let run = Children {
        limit: LIMIT,
        chunk: CHUNK,
        jobs: number("NUMBRA_FUZZ_JOBS", 2),
        environment: &[("MALLOC_PERTURB_", "165")],
        memory: None,
    };
    println!(
        "\nrunning {} tests\nseeds from {first}, {count} programs of each kind",
        KINDS.len()
    );
    let began = Instant::now();
    let mut failed = 0;
    for kind in KINDS {
        let mut tally = run.run(kind, first, count);
        for (_, seed) in FOUND.iter().filter(|(of, _)| *of == kind) {
            tally.add(run.run(kind, *seed, 1));
        }
        for finding in &tally.findings {
            println!("{finding}");
        }
        let ended = |end: case::End| tally.ended(end as usize);
        let interpreted = ended(case::End::Interpreted);
        println!(
            "{kind}: {count} programs and those found before, {} ran, of which {interpreted} on the interpreter too, {} refused, {} unfinished, {} findings",
            interpreted + ended(case::End::MachineCode),
            ended(case::End::Refused),
            ended(case::End::Unfinished),
            tally.findings.len()
        );
        failed += usize::from(!tally.findings.is_empty());
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{}",
        children::summary(KINDS.len() - failed, failed, seconds)
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// `typed:77`, for finding out.
fn one(name: &str) -> ExitCode {
    let (kind, seed) = name.split_once(':').expect("KIND:SEED");
    let seed = seed.parse().expect("a seed");
    let end = case::run(kind, seed, &mut |text| println!("{text}"));
    println!("{end:?}");
    if end.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
