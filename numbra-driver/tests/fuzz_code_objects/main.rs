//! Mutated code objects of CPython 3.11 to 3.14 through the whole pipeline: no panic (caught ones count), no crash, no
//! hang; what is rejected is rejected by a typed error; what compiles runs under a fuel limit, and machine code then does
//! what the interpreter did.
//!
//! `NUMBRA_FUZZ_N` is the number of cases for each version, `NUMBRA_FUZZ_SEED` the seed.
//! `-- --case 3.12:77` runs one case in this process and prints its code object.
//!
//! Cases run in child processes, so that a crash or a hang is a finding and the rest goes on.

mod case;
#[path = "../../../numbra-bytecode/tests/common/mutate.rs"]
mod mutate;

use case::{Cases, End};
use numbra_bytecode::{CodeObject, Version};
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A case that takes longer is a finding.
const LIMIT: Duration = Duration::from_secs(10);
/// Cases of one child process.
const CHUNK: usize = 2_000;
const PROCESSES: usize = 2;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        args.iter()
            .position(|a| a == name)
            .and_then(|i| args.get(i + 1))
    };
    let number = |name: &str, default: usize| {
        std::env::var(name)
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(default)
    };
    let (count, seed) = (
        number("NUMBRA_FUZZ_N", 1_250),
        number("NUMBRA_FUZZ_SEED", 20_261_121) as u64,
    );
    if let Some(range) = option("--child") {
        child(range, seed);
        return ExitCode::SUCCESS;
    }
    if let Some(name) = option("--case") {
        return one(name, seed);
    }
    println!("\nrunning 1 test\nseed {seed}, {count} cases for each version");
    let began = Instant::now();
    let mut findings = Vec::new();
    for version in Version::ALL {
        findings.extend(run_version(version, count));
    }
    for line in grouped(&findings) {
        println!("{line}");
    }
    let (word, passed) = if findings.is_empty() {
        ("ok", 1)
    } else {
        ("FAILED", 0)
    };
    println!(
        "{} findings\ntest result: {word}. {passed} passed; {} failed; 0 ignored; 0 measured; 0 filtered out; finished in {:.2}s",
        findings.len(),
        1 - passed,
        began.elapsed().as_secs_f64()
    );
    if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// One line for findings that differ only in numbers, with how many there are.
fn grouped(findings: &[String]) -> Vec<String> {
    let mut groups: Vec<(String, usize, &String)> = Vec::new();
    for finding in findings {
        let text = finding.splitn(3, ':').last().unwrap_or_default();
        let key: String = text
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .take(160)
            .collect();
        match groups.iter_mut().find(|(known, ..)| *known == key) {
            Some((_, count, _)) => *count += 1,
            None => groups.push((key, 1, finding)),
        }
    }
    groups
        .iter()
        .map(|(_, count, first)| format!("{count} times, first {first}"))
        .collect()
}

/// All cases of a version, in child processes; gives the findings.
fn run_version(version: Version, count: usize) -> Vec<String> {
    let starts: Vec<usize> = (0..count)
        .step_by(CHUNK.min(count.div_ceil(PROCESSES)).max(1))
        .collect();
    let next = std::sync::Mutex::new(
        starts
            .iter()
            .copied()
            .zip(starts.iter().copied().skip(1).chain([count])),
    );
    let total = std::sync::Mutex::new((Vec::new(), [0_usize; 4]));
    std::thread::scope(|scope| {
        for _ in 0..PROCESSES {
            scope.spawn(|| {
                while let Some((first, last)) = { next.lock().expect("no panics").next() } {
                    let (findings, ends) = run_chunk(version, first, last);
                    let mut total = total.lock().expect("no panics");
                    total.0.extend(findings);
                    for (sum, n) in total.1.iter_mut().zip(ends) {
                        *sum += n;
                    }
                }
            });
        }
    });
    let (findings, [rejected, unfinished, uninterpreted, ran]) =
        total.into_inner().expect("no panics");
    println!(
        "{}: {count} cases, {rejected} rejected, {} compiled ({ran} ran on the interpreter and as machine code, \
         {unfinished} did not finish in their fuel or left memory, {uninterpreted} call what the interpreter lacks), {} findings",
        version.name(),
        unfinished + uninterpreted + ran,
        findings.len()
    );
    findings
}

fn run_chunk(version: Version, mut first: usize, last: usize) -> (Vec<String>, [usize; 4]) {
    let (mut findings, mut ends) = (Vec::new(), [0; 4]);
    while first < last {
        let mut child = spawn(version, first, last);
        let (send, lines) = channel();
        let stdout = child.stdout.take().expect("stdout is piped");
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let mut done = first;
        let why = loop {
            match lines.recv_timeout(LIMIT) {
                Ok(line) => match line.split_once(' ') {
                    Some(("end", index)) => {
                        ends[index.parse::<usize>().unwrap_or(0) % 4] += 1;
                        done += 1;
                    }
                    Some(("finding", text)) => {
                        findings.push(format!("{}:{done}: {text}", version.name()));
                        done += 1;
                    }
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => {
                    break format!("no end after {} s", LIMIT.as_secs());
                }
                Err(RecvTimeoutError::Disconnected) => break ending(&mut child),
            }
        };
        let _ = child.kill();
        let _ = child.wait();
        drop(lines);
        let _ = reader.join();
        if done < last {
            findings.push(format!("{}:{done}: {why}", version.name()));
            done += 1;
        }
        first = done;
    }
    (findings, ends)
}

fn spawn(version: Version, first: usize, last: usize) -> Child {
    let program = std::env::current_exe().expect("the test has a path");
    Command::new(program)
        .args(["--child", &format!("{}:{first}:{last}", version.name())])
        .env("NUMBRA_VERIFY", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child process")
}

fn ending(child: &mut Child) -> String {
    child.wait().map_or_else(
        |e| e.to_string(),
        |status| format!("the process ended with {status}"),
    )
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

/// Set by the panic hook, also for panics that somebody catches.
static PANICKED: AtomicBool = AtomicBool::new(false);
static MESSAGE: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());

fn watch_panics() {
    std::panic::set_hook(Box::new(|info| {
        PANICKED.store(true, Ordering::SeqCst);
        if let Ok(mut message) = MESSAGE.lock() {
            *message = info.to_string().replace('\n', " / ");
        }
    }));
}

fn guarded(cases: &Cases, number: usize) -> Result<End, String> {
    PANICKED.store(false, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(|| cases.run(number)));
    if PANICKED.load(Ordering::SeqCst) {
        return Err(format!(
            "panic: {}",
            MESSAGE.lock().map(|m| m.clone()).unwrap_or_default()
        ));
    }
    result.unwrap_or_else(|_| Err("panic".to_owned()))
}

/// `3.12:0:2000`: prints a line a case.
fn child(range: &str, seed: u64) {
    watch_panics();
    let mut parts = range.split(':');
    let cases = cases(parts.next().unwrap_or_default(), seed);
    let mut bound = || {
        parts
            .next()
            .and_then(|n| n.parse::<usize>().ok())
            .expect("a range of cases")
    };
    let (first, last) = (bound(), bound());
    let mut out = std::io::stdout();
    for number in first..last {
        let line = match guarded(&cases, number) {
            Ok(end) => format!("end {}\n", end as usize),
            Err(finding) => format!("finding {}\n", finding.replace('\n', " / ")),
        };
        if out
            .write_all(line.as_bytes())
            .and_then(|()| out.flush())
            .is_err()
        {
            return;
        }
    }
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
