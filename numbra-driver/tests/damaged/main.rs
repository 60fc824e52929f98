//! Damaged texts, dumps and bytes of every stage, and all that follows where they are still accepted: readers, verifiers,
//! passes, inference, lowering, the interpreter, Cranelift, LLVM and the loader. No panic (caught ones count), no crash,
//! no hang, no memory for a number in a text; what is refused is refused with words, and texts with line and column.
//!
//! `NUMBRA_FUZZ_N` is the number of cases of each kind, `NUMBRA_FUZZ_SEED` the seed, `NUMBRA_FUZZ_JOBS` how many processes
//! run them. `-- --case lir:77` runs one case in this process and prints it; `-- --only lir,typed` these kinds.

mod seeds;
mod stages;

use numbra_lir::artifact::Artifact;
use numbra_testing::children::{self, Children};
use numbra_testing::damage;
use numbra_testing::random::Random;
use stages::End;
use std::cell::RefCell;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Cases that share their seeds.
const CHUNK: usize = 1_000;
/// KiB of address space of a process.
const MEMORY: usize = 6 << 20;

/// How a text is damaged.
type Damage = fn(&str, &mut Random) -> String;

/// What a kind of cases is made of.
enum Kind {
    /// Texts, how they are damaged, and the name of a file that would hold them.
    Text(fn(usize) -> Vec<String>, Damage, &'static str),
    Plans,
    Types,
    Artifacts,
}

const KINDS: &[(&str, Kind)] = &[
    ("code", Kind::Text(seeds::code, damage::json, "f.code.json")),
    ("nir", Kind::Text(seeds::nir, damage::text, "f.nir")),
    (
        "nir-json",
        Kind::Text(seeds::nir_json, damage::json, "f.nir.json"),
    ),
    ("typed", Kind::Text(seeds::typed, damage::text, "f.nir")),
    (
        "typed-json",
        Kind::Text(seeds::typed_json, damage::json, "f.nir.json"),
    ),
    ("plans", Kind::Plans),
    ("lir", Kind::Text(seeds::lir, damage::text, "f.lir")),
    (
        "lir-lossless",
        Kind::Text(seeds::lir_lossless, damage::text, "f.lir"),
    ),
    (
        "lir-json",
        Kind::Text(seeds::lir_json, damage::json, "f.lir.json"),
    ),
    ("types", Kind::Types),
    ("artifacts", Kind::Artifacts),
];

fn main() -> ExitCode {
    if let Some(range) = children::option(children::OPTION) {
        children::child(&range, cases);
        return ExitCode::SUCCESS;
    }
    if let Some(name) = children::option("--case") {
        return one(&name);
    }
    let only = children::option("--only");
    let wanted = |kind: &str| {
        only.as_ref()
            .is_none_or(|only| only.split(',').any(|one| one == kind))
    };
    let count = children::number("NUMBRA_FUZZ_N", 200);
    let run = Children {
        limit: Duration::from_secs(30),
        chunk: CHUNK,
        jobs: children::number("NUMBRA_FUZZ_JOBS", 2),
        environment: &[("NUMBRA_VERIFY", "1")],
        memory: Some(MEMORY),
    };
    let kinds: Vec<&str> = KINDS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| wanted(name))
        .collect();
    println!(
        "\nrunning {} tests\n{count} cases of each kind",
        kinds.len()
    );
    let began = Instant::now();
    let mut failed = 0;
    for kind in &kinds {
        let tally = run.run(kind, 0, count);
        for line in tally.grouped() {
            println!("{line}");
        }
        println!(
            "{kind}: {count} cases, {} refused, {} diagnosed later, {} through all stages, {} findings",
            tally.ended(End::Refused as usize),
            tally.ended(End::Diagnosed as usize),
            tally.ended(End::Compiled as usize),
            tally.findings.len()
        );
        failed += usize::from(!tally.findings.is_empty());
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{}",
        children::summary(kinds.len() - failed, failed, seconds)
    );
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Seeds of a part of one kind.
enum Seeds {
    Texts(Vec<String>),
    Artifacts(Vec<Artifact>),
}

/// What runs the cases of a kind.
fn cases(kind: &str) -> Box<dyn Fn(usize) -> Result<usize, String>> {
    let kind = kind_of(kind);
    let made: RefCell<Option<(usize, Seeds)>> = RefCell::new(None);
    Box::new(move |number| {
        let part = number / CHUNK % seeds::PARTS;
        let mut made = made.borrow_mut();
        if made.as_ref().is_none_or(|(of, _)| *of != part) {
            *made = Some((part, seeds_of(kind, part)));
        }
        let (_, seeds) = made.as_ref().expect("made above");
        run(kind, seeds, number, &mut |_| ()).map(|end| end as usize)
    })
}

fn kind_of(name: &str) -> &'static Kind {
    let found = KINDS.iter().find(|(known, _)| *known == name);
    &found.expect("a kind of cases").1
}

fn seeds_of(kind: &Kind, part: usize) -> Seeds {
    match kind {
        Kind::Text(seeds, ..) => Seeds::Texts(seeds(part)),
        Kind::Plans => Seeds::Texts(seeds::parallel()),
        Kind::Types => Seeds::Texts(seeds::types(part)),
        Kind::Artifacts => Seeds::Artifacts(seeds::artifacts(part)),
    }
}

fn run(
    kind: &Kind,
    seeds: &Seeds,
    number: usize,
    show: &mut dyn FnMut(&str),
) -> Result<End, String> {
    let seed = children::number("NUMBRA_FUZZ_SEED", 1);
    let mut random = Random::new((seed as u64) << 32 ^ number as u64);
    match (kind, seeds) {
        (Kind::Text(_, damage, file), Seeds::Texts(texts)) => {
            let at = random.below(texts.len());
            let text = damage(&texts[at], &mut random);
            show(&text);
            stages::run(file, &text, &mut random)
        }
        (Kind::Plans, Seeds::Texts(texts)) => {
            let at = random.below(texts.len());
            stages::plan(&texts[at], &mut random, show)
        }
        (_, Seeds::Texts(texts)) => {
            let at = random.below(texts.len());
            let text = damage::text(&texts[at], &mut random);
            show(&text);
            stages::ty(&text)
        }
        (_, Seeds::Artifacts(artifacts)) => {
            let at = random.below(artifacts.len());
            stages::artifact(&artifacts[at], &mut random)
        }
    }
}

/// `lir:77`, for finding out.
fn one(name: &str) -> ExitCode {
    let (kind, number) = name.split_once(':').expect("KIND:CASE");
    let number: usize = number.parse().expect("the number of a case");
    let kind = kind_of(kind);
    let seeds = seeds_of(kind, number / CHUNK % seeds::PARTS);
    let end = run(kind, &seeds, number, &mut |text| println!("{text}"));
    println!("{end:?}");
    match end {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
