//! Automation of the workspace, in Rust: `cargo xtask <command>`.

mod allocation;
mod bless;
mod error_codes;
mod file_length;
mod function_names;
mod layering;
mod links;
mod source_tree;
mod tidy;
mod unfinished;
mod unsafe_code;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <command>

  tidy     layering, unsafe code, unfinished code, diagnostic codes, documentation links
  bless    run every golden test and rewrite what it expects
  docs     the part of tidy that reads documentation alone";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let outcome = match command.as_str() {
        "tidy" => tidy::run(tidy::ALL),
        "docs" => tidy::run(tidy::DOCS),
        "bless" => bless::run(args.collect()),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
