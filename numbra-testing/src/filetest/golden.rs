//! Files whose expectation is text.

use numbra_lir::Module;
use numbra_lir::text::{Form, Lines, TextError, print};
use numbra_lir::verify::{Phase, VerifyError, verify};
use numbra_opt::{HOST, Pass};

/// Runs a pass (or `pipeline`) and prints the result.
pub(super) fn output_of_pass(name: &str, module: &mut Module) -> Result<String, String> {
    let before = Phase::Built;
    let counts = |errors: Vec<VerifyError>| {
        let text: Vec<String> = errors.iter().map(VerifyError::to_string).collect();
        text.join("\n")
    };
    verify(module, before).map_err(|e| format!("the input is wrong:\n{}", counts(e)))?;
    let mut after = Phase::Built;
    match name {
        "pipeline" => {
            HOST.run(module);
            after = Phase::Placed;
        }
        _ => {
            let pass = Pass::by_name(name).ok_or_else(|| format!("no pass `{name}`"))?;
            pass.run(module);
            after = pass.leads_to(after);
        }
    }
    let text = print(module, Form::Plain);
    verify(module, after).map_err(|e| format!("the output is wrong:\n{}\n{text}", counts(e)))?;
    Ok(text)
}

/// `; error: what` by line.
fn expectations(text: &str) -> Vec<(u32, String)> {
    let mut out = Vec::new();
    for (n, line) in text.lines().enumerate() {
        if let Some((_, what)) = line.split_once("; error:") {
            out.push((n as u32 + 1, what.trim().to_owned()));
        }
    }
    out
}

/// Compares errors by line with what the file expects; a rule's name or part of the message matches.
fn compare(text: &str, found: &[(u32, String)]) -> Result<(), String> {
    let expected = expectations(text);
    for (line, what) in &expected {
        if !found
            .iter()
            .any(|(at, message)| at == line && message.contains(what.as_str()))
        {
            return Err(format!(
                "line {line}: expected error `{what}`, found {found:?}"
            ));
        }
    }
    for (line, message) in found {
        if !expected
            .iter()
            .any(|(at, what)| at == line && message.contains(what.as_str()))
        {
            return Err(format!("line {line}: unexpected error `{message}`"));
        }
    }
    if expected.is_empty() {
        return Err("the file expects no error".to_owned());
    }
    Ok(())
}

pub(super) fn check_parse(text: &str, error: Option<&TextError>) -> Result<(), String> {
    let found: Vec<(u32, String)> = error.iter().map(|e| (e.line, e.message.clone())).collect();
    compare(text, &found)
}

pub(super) fn check_verifier(
    text: &str,
    module: &Module,
    lines: &Lines,
    phase: Phase,
) -> Result<(), String> {
    let errors = verify(module, phase).err().unwrap_or_default();
    let found: Vec<(u32, String)> = errors
        .iter()
        .map(|e| (lines.of(e.place), format!("{} [{}]", e.message, e.rule)))
        .collect();
    compare(text, &found)
}
