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
mod random;
mod typed;

use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A program that takes longer is a finding.
const LIMIT: Duration = Duration::from_secs(60);
/// Programs of one child process.
const CHUNK: u64 = 100;
/// Kinds of programs.
const KINDS: [&str; 2] = ["typed", "lir"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1)
    };
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    if let Some(range) = option("--child") {
        child(range);
        return ExitCode::SUCCESS;
    }
    if let Some(name) = option("--case") {
        return one(name);
    }
    let (count, first) = (number("NUMBRA_FUZZ_N", 40), number("NUMBRA_FUZZ_SEED", 1));
    let jobs = number("NUMBRA_FUZZ_JOBS", 2);
    println!(
        "\nrunning {} tests\nseeds from {first}, {count} programs of each kind",
        KINDS.len()
    );
    let began = Instant::now();
    let mut failed = 0;
    for kind in KINDS {
        let (findings, ends) = run_kind(kind, first, count, jobs);
        for finding in &findings {
            println!("{finding}");
        }
        println!(
            "{kind}: {count} programs, {} ran, of which {} on the interpreter too, {} refused, {} unfinished, {} findings",
            ends[0] + ends[1],
            ends[0],
            ends[2],
            ends[3],
            findings.len()
        );
        failed += usize::from(!findings.is_empty());
    }
    println!(
        "test result: {}. {} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in {:.2}s",
        if failed == 0 { "ok" } else { "FAILED" },
        KINDS.len() - failed,
        began.elapsed().as_secs_f64()
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// All programs of a kind; gives the findings and how many programs ended in each way of [`case::End`].
fn run_kind(kind: &str, first: u64, count: u64, jobs: u64) -> (Vec<String>, [u64; 4]) {
    let chunk = CHUNK.min(count.div_ceil(jobs)).max(1);
    let next = Mutex::new((first..first + count).step_by(chunk as usize));
    let total = Mutex::new((Vec::new(), [0; 4]));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(from) = { next.lock().expect("no panics").next() } {
                    let (findings, ends) = run_chunk(kind, from, (from + chunk).min(first + count));
                    let mut total = total.lock().expect("no panics");
                    total.0.extend(findings);
                    for (sum, n) in total.1.iter_mut().zip(ends) {
                        *sum += n;
                    }
                }
            });
        }
    });
    total.into_inner().expect("no panics")
}

fn run_chunk(kind: &str, mut first: u64, last: u64) -> (Vec<String>, [u64; 4]) {
    let (mut findings, mut ends) = (Vec::new(), [0; 4]);
    while first < last {
        let mut child = spawn(kind, first, last);
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
                        findings.push(format!("{kind}:{done}: {text}"));
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
            findings.push(format!("{kind}:{done}: {why}"));
            done += 1;
        }
        first = done;
    }
    (findings, ends)
}

fn spawn(kind: &str, first: u64, last: u64) -> Child {
    let program = std::env::current_exe().expect("the test has a path");
    Command::new(program)
        .args(["--child", &format!("{kind}:{first}:{last}")])
        .env("MALLOC_PERTURB_", "165")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a child process")
}

fn ending(child: &mut Child) -> String {
    let ended = child.wait();
    ended.map_or_else(
        |e| e.to_string(),
        |status| format!("the process ended with {status}"),
    )
}

/// `typed:0:100`: prints a line a program.
fn child(range: &str) {
    std::panic::set_hook(Box::new(|_| ()));
    let mut parts = range.split(':');
    let kind = parts.next().unwrap_or_default();
    let mut bound = || {
        parts
            .next()
            .and_then(|n| n.parse::<u64>().ok())
            .expect("a range of seeds")
    };
    let (first, last) = (bound(), bound());
    let mut out = std::io::stdout();
    for seed in first..last {
        let line = match guarded(kind, seed) {
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

fn guarded(kind: &str, seed: u64) -> Result<case::End, String> {
    let ran = catch_unwind(AssertUnwindSafe(|| case::run(kind, seed, &mut |_| ())));
    ran.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
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
