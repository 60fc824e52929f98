//! Runs filetests.

use super::golden::{check_parse, check_verifier, output_of_pass};
use super::run_line::{Expected, RunLine};
use crate::golden::SEPARATOR;
use numbra_lir::Module;
use numbra_lir::interp::{Executor, InterpreterExecutor, Outcome, RunError};
use numbra_lir::text::{
    Form, canonical, from_json, parse, parse_with_lines, print, print_func, to_json,
};
use numbra_lir::verify::{Phase, VerifyError, verify};
use numbra_opt::{CRANELIFT, DEVICE, HOST, LLVM, Pass, Pipeline};
use std::path::{Path, PathBuf};

/// What was done.
#[derive(Clone, Default, Debug)]
pub struct Report {
    pub files: usize,
    /// Calls made, over all executors.
    pub runs: usize,
    /// Calls that an executor does not support, with the reason.
    pub skipped: Vec<String>,
    pub failures: Vec<String>,
}

/// Runs all `.lir` files below a directory, in order of their paths. With `NUMBRA_BLESS` set, expected output is
/// rewritten.
pub fn run_directory(directory: &Path, executors: &[&dyn Executor]) -> Result<Report, String> {
    let mut paths = Vec::new();
    collect(directory, &mut paths).map_err(|e| format!("{}: {e}", directory.display()))?;
    paths.sort();
    let bless = std::env::var_os("NUMBRA_BLESS").is_some();
    let mut report = Report::default();
    for path in paths {
        let shown = path
            .strip_prefix(directory)
            .unwrap_or(&path)
            .display()
            .to_string();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{shown}: {e}"))?;
        report.files += 1;
        match run_text(&text, executors, &mut report) {
            Ok(Some(new)) if bless => {
                std::fs::write(&path, new).map_err(|e| format!("{shown}: {e}"))?;
            }
            Ok(Some(new)) => {
                let got = new.split(SEPARATOR).nth(1).unwrap_or("").trim();
                report
                    .failures
                    .push(format!("{shown}: the output differs:\n{got}"));
            }
            Ok(None) => {}
            Err(error) => report.failures.push(format!("{shown}: {error}")),
        }
    }
    Ok(report)
}

fn collect(directory: &Path, out: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, out)?;
        } else if path.extension().is_some_and(|e| e == "lir") {
            out.push(path);
        }
    }
    Ok(())
}

/// Runs one file; gives the file's new text if its expected output differs.
pub fn run_text(
    text: &str,
    executors: &[&dyn Executor],
    report: &mut Report,
) -> Result<Option<String>, String> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    // What is wrong with a module as a whole is said of its first line.
    let (first, note) = first.split_at(first.find(';').unwrap_or(first.len()));
    let kind = first
        .trim()
        .strip_prefix("test ")
        .ok_or("the first line is not `test ...`")?
        .trim();
    let (source, expected) = match rest.split_once(SEPARATOR) {
        Some((source, expected)) => (source, Some(expected.trim())),
        None => (rest, None),
    };
    // The first line holds nothing for the parser, so that lines keep their numbers.
    let source = format!("{note}\n{source}");
    if kind == "parse" {
        return check_parse(&source, parse(&source).err().as_ref()).map(|()| None);
    }
    let (module, lines) = parse_with_lines(&source).map_err(|e| e.to_string())?;
    if !kind.starts_with("verifier") {
        round_trip(&module)?;
    }
    match kind {
        "run" => run_file(&source, &module, executors, report).map(|()| None),
        "verifier" => check_verifier(&source, &module, &lines, Phase::Built).map(|()| None),
        "verifier placed" => check_verifier(&source, &module, &lines, Phase::Placed).map(|()| None),
        _ => {
            let mut module = module;
            let output = output_of_pass(kind, &mut module)?;
            if Some(output.trim()) == expected {
                return Ok(None);
            }
            let input = text.split(SEPARATOR).next().unwrap_or(text).trim_end();
            Ok(Some(format!(
                "{input}\n{SEPARATOR}\n{}\n",
                output.trim_end()
            )))
        }
    }
}

fn round_trip(module: &Module) -> Result<(), String> {
    let canonical = canonical(module);
    let text = print(module, Form::Lossless);
    let again = parse(&text).map_err(|e| format!("printed text does not parse: {e}\n{text}"))?;
    if again != canonical {
        return Err(format!("printed text reads differently:\n{text}"));
    }
    let json = to_json(module)?;
    if from_json(&json).ok().as_ref() != Some(module)
        && numbra_lir::verify::check_ids(module).is_ok()
    {
        return Err("JSON reads differently".to_owned());
    }
    Ok(())
}

fn run_file(
    source: &str,
    module: &Module,
    executors: &[&dyn Executor],
    report: &mut Report,
) -> Result<(), String> {
    let plain = placed(module)?;
    let optimized = optimized(module, &HOST)?;
    let mut vectorized = optimized.clone();
    CRANELIFT.run(&mut vectorized);
    verify(&vectorized, Phase::Placed).map_err(show)?;
    let mut selected = optimized.clone();
    LLVM.run(&mut selected);
    verify(&selected, Phase::Placed).map_err(show)?;
    let mut on_device = module.clone();
    DEVICE.run(&mut on_device);
    verify(&on_device, Phase::Placed).map_err(show)?;
    let runs = RunLine::parse_all(source, module)?;
    if runs.is_empty() {
        return Err("no `; run:` lines".to_owned());
    }
    let forms = [
        ("as written", &plain),
        ("optimized", &optimized),
        ("for Cranelift", &vectorized),
        ("for LLVM", &selected),
        ("for a GPU", &on_device),
    ];
    run_forms(&runs, &forms, executors, report)
}

/// Verifies a module that has no passes behind it, and makes the calls of the `; run:` lines of a text on the interpreter:
/// after `place_refs` alone, and after these passes.
pub fn check_built(source: &str, module: &Module, passes: &Pipeline) -> Result<(), String> {
    let plain = placed(module)?;
    let runs = RunLine::parse_all(source, module)?;
    if runs.is_empty() {
        return Ok(());
    }
    let optimized = optimized(module, passes)?;
    let forms = [("as written", &plain), ("optimized", &optimized)];
    let mut report = Report::default();
    run_forms(
        &runs,
        &forms,
        &[&InterpreterExecutor::default()],
        &mut report,
    )?;
    match report.skipped.first() {
        Some(why) => Err(format!("the interpreter cannot run it: {why}")),
        None => Ok(()),
    }
}

fn show(errors: Vec<VerifyError>) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// The module with its references counted, and nothing else done.
fn placed(module: &Module) -> Result<Module, String> {
    verify(module, Phase::Built).map_err(show)?;
    let mut plain = module.clone();
    Pass::PlaceRefs.run(&mut plain);
    verify(&plain, Phase::Placed).map_err(show)?;
    Ok(plain)
}

fn optimized(module: &Module, passes: &Pipeline) -> Result<Module, String> {
    let mut module = module.clone();
    match passes.run_verified(&mut module) {
        Ok(()) => Ok(module),
        Err(error) => Err(format!("{error}\n{}", print(&module, Form::Plain))),
    }
}

fn run_forms(
    runs: &[RunLine],
    forms: &[(&str, &Module)],
    executors: &[&dyn Executor],
    report: &mut Report,
) -> Result<(), String> {
    for run in runs {
        for executor in executors {
            for (form, module) in forms {
                let traps = matches!(run.expected, Expected::Traps(_));
                if traps && (executor.name() != "interpreter" || *form != "as written") {
                    continue;
                }
                report.runs += 1;
                let result = executor.run(module, run.func, &run.args);
                if let Err(RunError::Unsupported(why)) = &result {
                    report.skipped.push(format!("{}: {why}", executor.name()));
                    continue;
                }
                check_run(run, &result).map_err(|e| {
                    let shown = print_func(module, run.func, Form::Plain);
                    format!(
                        "line {}, {} {form}: {e}\n{shown}",
                        run.line,
                        executor.name()
                    )
                })?;
            }
        }
    }
    Ok(())
}

fn check_run(run: &RunLine, result: &Result<Outcome, RunError>) -> Result<(), String> {
    let outcome = match (result, &run.expected) {
        (Err(RunError::Trap(trap)), Expected::Traps(what)) => {
            return if trap.to_string().contains(what.as_str()) {
                Ok(())
            } else {
                Err(format!("trap `{trap}`"))
            };
        }
        (Err(error), _) => return Err(error.to_string()),
        (Ok(outcome), _) => outcome,
    };
    match &run.expected {
        Expected::Results(expected) => {
            let same = outcome.raised.is_none()
                && outcome.results.len() == expected.len()
                && outcome.results.iter().zip(expected).all(|(a, b)| a.same(b));
            if !same {
                let shown: Vec<String> = outcome.results.iter().map(ToString::to_string).collect();
                return Err(match &outcome.raised {
                    Some((class, _)) => format!("raised {class}"),
                    None => format!("got ({})", shown.join(", ")),
                });
            }
        }
        Expected::Raises(class, words) => match &outcome.raised {
            Some((found, found_words)) => {
                let same = found == class && words.as_ref().is_none_or(|w| w == found_words);
                if !same {
                    return Err(format!("raised {found}{found_words:?}"));
                }
            }
            None => return Err("did not raise".to_owned()),
        },
        Expected::Traps(_) => return Err("did not trap".to_owned()),
    }
    if let Some(expected) = &run.buffers
        && outcome.buffers != *expected
    {
        return Err(format!("buffers hold {:?}", outcome.buffers));
    }
    if outcome.leaked != 0 {
        return Err(format!("{} objects leaked", outcome.leaked));
    }
    Ok(())
}
