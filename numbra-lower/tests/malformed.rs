//! Damaged LIR text, LIR JSON and artifacts: readers and the verifier answer with a value or an error, never a panic, and
//! what they accept every pass and the interpreter take.
//!
//! `NUMBRA_FUZZ_N` is the number of cases of each kind, `NUMBRA_FUZZ_SEED` the seed.

use numbra_lower::interp::{Arg, Executor, InterpreterExecutor, LirValue};
use numbra_lower::lir::Module;
use numbra_lower::passes::verified_pipeline;
use numbra_lower::text::{Form, canonical, from_json, parse, print, to_json};
use numbra_lower::verify::{Phase, verify};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }
}

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Calls `case` with a random source for each case and says which one panics.
fn cases(kind: &str, default: u64, mut case: impl FnMut(&mut Random)) {
    let (count, seed) = (
        number("NUMBRA_FUZZ_N", default),
        number("NUMBRA_FUZZ_SEED", 20_261_121),
    );
    println!("{kind}: {count} cases, seed {seed}");
    for at in 0..count {
        let mut random = Random((seed ^ at.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1));
        random.next();
        let result = catch_unwind(AssertUnwindSafe(|| case(&mut random)));
        assert!(result.is_ok(), "{kind}: case {at} of seed {seed} panics");
    }
}

fn collect(directory: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("filetests are committed") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "lir") {
            out.push(path);
        }
    }
}

/// Sources of all filetests.
fn sources() -> Vec<String> {
    let mut paths = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests"),
        &mut paths,
    );
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable filetest");
        let source = text.split("---- expected").next().unwrap_or_default();
        source
            .split_once('\n')
            .map_or(String::new(), |(_, rest)| rest.to_owned())
    };
    paths.iter().map(read).collect()
}

fn modules(sources: &[String]) -> Vec<Module> {
    let found: Vec<Module> = sources.iter().filter_map(|text| parse(text).ok()).collect();
    assert!(found.len() > 50, "filetests parse");
    found
}

/// Words from the text in each other's places, single characters, lines twice or not at all.
fn damage(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(7) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[other].clone()),
            2 => lines.swap(at, other),
            3 => {
                let from: Vec<&str> = lines[other].split(' ').collect();
                let word = from[random.below(from.len())].to_owned();
                let mut into: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
                let place = random.below(into.len());
                into[place] = word;
                lines[at] = into.join(" ");
            }
            4 => {
                // Another number.
                let digits: Vec<usize> = lines[at]
                    .char_indices()
                    .filter(|(_, c)| c.is_ascii_digit())
                    .map(|(i, _)| i)
                    .collect();
                if !digits.is_empty() {
                    let i = digits[random.below(digits.len())];
                    let number = ["0", "1", "3", "7", "99", "4294967296", "-1"][random.below(7)];
                    lines[at].replace_range(i..=i, number);
                }
            }
            5 => {
                let cut = random.below(lines[at].len() + 1);
                if lines[at].is_char_boundary(cut) {
                    lines[at].truncate(cut);
                }
            }
            _ => {
                let c = char::from_u32(random.below(0x250) as u32).unwrap_or('\u{fffd}');
                let i = random.below(lines[at].len() + 1);
                if lines[at].is_char_boundary(i) {
                    lines[at].insert(i, c);
                }
            }
        }
    }
    lines.join("\n")
}

/// A module that a reader accepted: what is valid stays valid in every pass, and runs.
fn use_module(module: &Module) {
    if verify(module, Phase::Built).is_err() {
        return;
    }
    let text = print(module, Form::Lossless);
    assert_eq!(
        parse(&text).ok().as_ref(),
        Some(&canonical(module)),
        "printed text reads differently:\n{text}"
    );
    let mut optimised = module.clone();
    if let Err(error) = verified_pipeline(&mut optimised) {
        panic!("{error}\n{text}");
    }
    let interpreter = InterpreterExecutor { fuel: 2_000 };
    for (id, decl) in optimised.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let args: Vec<Arg> = decl
            .sig
            .params
            .iter()
            .map(|p| Arg::Value(LirValue::zero(p.ty)))
            .collect();
        // Traps are answers.
        let _ = interpreter.run(&optimised, id, &args);
    }
}

#[test]
fn text() {
    let sources = sources();
    let (mut read, mut refused) = (0, 0);
    cases("text", 3_000, |random| {
        let text = damage(&sources[random.below(sources.len())], random);
        match parse(&text) {
            Ok(module) => {
                read += 1;
                use_module(&module);
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    });
    println!("{read} read, {refused} refused");
    assert!(read > 0 && refused > 0);
}

#[test]
fn json() {
    let modules = modules(&sources());
    let texts: Vec<String> = modules.iter().filter_map(|m| to_json(m).ok()).collect();
    let (mut read, mut refused) = (0, 0);
    cases("json", 3_000, |random| {
        let mut text = texts[random.below(texts.len())].clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            // Digits mostly: other ids, sizes and numbers.
            let digits: Vec<usize> = (0..text.len())
                .filter(|&i| text[i].is_ascii_digit())
                .collect();
            let at = digits[random.below(digits.len())];
            text[at] = b'0' + random.below(10) as u8;
            if random.below(8) == 0 {
                let at = random.below(text.len());
                text[at] = random.next() as u8 & 0x7f;
            }
        }
        match from_json(&String::from_utf8_lossy(&text)) {
            Ok(module) => {
                read += 1;
                use_module(&module);
            }
            Err(error) => {
                refused += 1;
                assert!(!error.is_empty());
            }
        }
    });
    println!("{read} read, {refused} refused");
    assert!(read > 0 && refused > 0);
}

#[cfg(feature = "cranelift")]
#[test]
fn artifacts() {
    use numbra_lower::artifact::Artifact;
    use numbra_lower::cranelift::{Options, compile};
    use numbra_lower::jit::load;
    use std::sync::Arc;

    let made: Vec<Artifact> = modules(&sources())
        .iter_mut()
        .filter(|m| verify(m, Phase::Built).is_ok())
        .filter_map(|module| {
            verified_pipeline(module).ok()?;
            compile(module, &Options::default()).ok()
        })
        .collect();
    assert!(made.len() > 20, "filetests compile");
    let bytes: Vec<Vec<u8>> = made.iter().map(Artifact::to_bytes).collect();
    cases("artifact bytes", 3_000, |random| {
        let mut bytes = bytes[random.below(bytes.len())].clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes[at] = random.next() as u8,
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        if let Ok(artifact) = Artifact::from_bytes(&bytes) {
            artifact.validate().expect("what is read is valid");
        }
    });
    // Past the checksum: wrong numbers in the right form.
    let dumps: Vec<String> = made
        .iter()
        .filter_map(|a| serde_json::to_string(a).ok())
        .collect();
    let mut loaded = 0;
    cases("artifacts", 1_000, |random| {
        let mut text = dumps[random.below(dumps.len())].clone().into_bytes();
        let digits: Vec<usize> = (0..text.len())
            .filter(|&i| text[i].is_ascii_digit())
            .collect();
        for _ in 0..1 + random.below(3) {
            text[digits[random.below(digits.len())]] = b'0' + random.below(10) as u8;
        }
        let Ok(artifact) = serde_json::from_slice::<Artifact>(&text) else {
            return;
        };
        if artifact.validate().is_ok() {
            // Loaded, not run: the code itself may be damaged.
            loaded += usize::from(load(Arc::new(artifact), &[], &numbra_runtime::symbol).is_ok());
        }
    });
    println!("{loaded} loaded");
    assert!(loaded > 0);
}
