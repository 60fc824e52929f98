//! Many cases in child processes of the test, so that a crash or a hang is a finding and the rest goes on.
//!
//! The parent hands out ranges of numbers, a child runs them and prints a line a case.

use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The option that starts a child; what follows it is for [`child`].
pub const OPTION: &str = "--child";

/// How the cases of one kind are run.
#[derive(Clone, Copy, Debug)]
pub struct Children<'a> {
    /// A case that takes longer is a finding.
    pub limit: Duration,
    /// Most cases of one process.
    pub chunk: usize,
    /// Processes at a time.
    pub jobs: usize,
    /// Environment of the children.
    pub environment: &'a [(&'a str, &'a str)],
    /// KiB of address space that a child may have.
    pub memory: Option<usize>,
}

/// What the cases of a kind came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// `kind:case: what`
    pub findings: Vec<String>,
    /// How many cases ended in each way, by its number.
    pub ends: Vec<usize>,
}

impl Tally {
    /// How many cases ended in this way.
    pub fn ended(&self, end: usize) -> usize {
        self.ends.get(end).copied().unwrap_or_default()
    }

    /// Adds what others were counted.
    pub fn add(&mut self, other: Tally) {
        self.findings.extend(other.findings);
        for (end, count) in other.ends.into_iter().enumerate() {
            self.count(end, count);
        }
    }

    fn count(&mut self, end: usize, count: usize) {
        if self.ends.len() <= end {
            self.ends.resize(end + 1, 0);
        }
        self.ends[end] += count;
    }

    /// One line for findings that differ only in numbers, with how many there are.
    pub fn grouped(&self) -> Vec<String> {
        let mut groups: Vec<(String, usize, &String)> = Vec::new();
        for finding in &self.findings {
            let text = finding.splitn(3, ':').last().unwrap_or_default();
            let letters = text.chars().filter(|c| !c.is_ascii_digit());
            let key: String = letters.take(160).collect();
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
}

impl Children<'_> {
    /// Runs the cases from `first` on, `count` of them, of a kind whose name holds no colon.
    pub fn run(&self, kind: &str, first: usize, count: usize) -> Tally {
        let chunk = self.chunk.min(count.div_ceil(self.jobs)).max(1);
        let end = first + count;
        let next = Mutex::new((first..end).step_by(chunk));
        let total = Mutex::new(Tally::default());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while let Some(from) = { next.lock().expect("no panics").next() } {
                        let tally = self.run_chunk(kind, from, (from + chunk).min(end));
                        total.lock().expect("no panics").add(tally);
                    }
                });
            }
        });
        total.into_inner().expect("no panics")
    }

    fn run_chunk(&self, kind: &str, mut first: usize, last: usize) -> Tally {
        let mut tally = Tally::default();
        while first < last {
            let mut child = self.spawn(kind, first, last);
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
                match lines.recv_timeout(self.limit) {
                    Ok(line) => match line.split_once(' ') {
                        Some(("end", end)) => {
                            tally.count(end.parse().unwrap_or_default(), 1);
                            done += 1;
                        }
                        Some(("finding", text)) => {
                            tally.findings.push(format!("{kind}:{done}: {text}"));
                            done += 1;
                        }
                        _ => {}
                    },
                    Err(RecvTimeoutError::Timeout) => {
                        break format!("no end after {} s", self.limit.as_secs());
                    }
                    Err(RecvTimeoutError::Disconnected) => break ending(&mut child),
                }
            };
            let _ = child.kill();
            let _ = child.wait();
            drop(lines);
            let _ = reader.join();
            if done < last {
                tally.findings.push(format!("{kind}:{done}: {why}"));
                done += 1;
            }
            first = done;
        }
        tally
    }

    fn spawn(&self, kind: &str, first: usize, last: usize) -> Child {
        let program = std::env::current_exe().expect("the test has a path");
        let mut command = match self.memory {
            None => Command::new(program),
            Some(most) => {
                let mut shell = Command::new("sh");
                let limited = format!("ulimit -v {most}; exec \"$0\" \"$@\"");
                shell.args(["-c", &limited]).arg(program);
                shell
            }
        };
        command
            .args([OPTION, &format!("{kind}:{first}:{last}")])
            .envs(self.environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child process")
    }
}

fn ending(child: &mut Child) -> String {
    child.wait().map_or_else(
        |e| e.to_string(),
        |status| format!("the process ended with {status}"),
    )
}

/// In the child: runs `range`, which is `kind:first:last`. `prepare` makes what runs the cases of a kind, and that gives
/// the number of the way in which a case ended, or what was found. A panic is a finding also where somebody catches it.
///
/// # Panics
/// If the range is none.
pub fn child<F: Fn(usize) -> Result<usize, String>>(range: &str, prepare: impl FnOnce(&str) -> F) {
    watch_panics();
    let mut parts = range.split(':');
    let run = prepare(parts.next().unwrap_or_default());
    let mut bound = || {
        parts
            .next()
            .and_then(|n| n.parse::<usize>().ok())
            .expect("a range of cases")
    };
    let (first, last) = (bound(), bound());
    let mut out = std::io::stdout();
    for number in first..last {
        let line = match guarded(&run, number) {
            Ok(end) => format!("end {end}\n"),
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

/// Set by the panic hook, also for panics that somebody catches.
static PANICKED: AtomicBool = AtomicBool::new(false);
static MESSAGE: Mutex<String> = Mutex::new(String::new());

fn watch_panics() {
    std::panic::set_hook(Box::new(|info| {
        PANICKED.store(true, Ordering::SeqCst);
        *MESSAGE.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
}

fn guarded<F: Fn(usize) -> Result<usize, String>>(run: &F, number: usize) -> Result<usize, String> {
    PANICKED.store(false, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(|| run(number)));
    if PANICKED.load(Ordering::SeqCst) {
        let message = MESSAGE.lock().unwrap_or_else(PoisonError::into_inner);
        return Err(format!("panic: {message}"));
    }
    result.unwrap_or_else(|_| Err("panic".to_owned()))
}

/// The closing lines of a test with its own `main`, as cargo's harness prints them.
pub fn summary(passed: usize, failed: usize, seconds: f64) -> String {
    let word = if failed == 0 { "ok" } else { "FAILED" };
    format!(
        "test result: {word}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds:.2}s"
    )
}

/// What follows an option on the command line.
pub fn option(name: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != name).nth(1)
}

/// A number from the environment.
pub fn number(name: &str, default: usize) -> usize {
    let given = std::env::var(name).ok();
    given.and_then(|n| n.parse().ok()).unwrap_or(default)
}
