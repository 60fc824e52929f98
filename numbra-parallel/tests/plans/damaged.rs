//! Damaged texts and dumps of plans: refused with words and a place, or read, verified, printed and read again. None panics.

use crate::planned::{Planned, filetests};
use numbra_parallel::{ParallelPlan, from_json, print_plan, read_plan, to_json};
use numbra_testing::golden::{self, files_under};

/// Damaged texts, and as many dumps, of each plan.
const CASES: u64 = 60;

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        // Knuth's MMIX generator; its high bits are the good ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// A text with one to three places changed.
fn damaged(text: &str, numbers: &mut Numbers) -> String {
    let mut text = text.to_owned();
    for _ in 0..=numbers.below(3) {
        let lines: Vec<&str> = text.lines().collect();
        let words: Vec<&str> = text
            .split([' ', '\n', ',', ':'])
            .filter(|w| !w.is_empty())
            .collect();
        if lines.is_empty() || words.is_empty() {
            return text;
        }
        let (line, other) = (numbers.below(lines.len()), numbers.below(lines.len()));
        let (word, by) = (
            words[numbers.below(words.len())],
            words[numbers.below(words.len())],
        );
        let chars = text.chars().count();
        let at = numbers.below(chars);
        text = match numbers.below(6) {
            0 => without(&lines, line),
            1 => [&lines[..line], &[lines[other]], &lines[line..]]
                .concat()
                .join("\n"),
            2 => text.replacen(word, by, 1),
            3 => text.replace(word, by),
            4 => text
                .chars()
                .take(at)
                .chain(text.chars().skip(at + 1))
                .collect(),
            _ => {
                let new = ['"', '`', '\\', ';', '@', '9', ',', 'é', '\n'][numbers.below(9)];
                text.chars()
                    .take(at)
                    .chain([new])
                    .chain(text.chars().skip(at))
                    .collect()
            }
        };
    }
    text
}

fn without(lines: &[&str], line: usize) -> String {
    let kept = lines.iter().enumerate().filter(|(at, _)| *at != line);
    kept.map(|(_, line)| *line).collect::<Vec<_>>().join("\n")
}

/// A dump with a number or a word changed.
fn damaged_dump(dump: &str, numbers: &mut Numbers) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let parts: Vec<&str> = dump
        .split(|c| !is_part(c))
        .filter(|part| !part.is_empty())
        .collect();
    let part = parts[numbers.below(parts.len())];
    let by = match numbers.below(3) {
        0 => parts[numbers.below(parts.len())].to_owned(),
        1 => numbers.below(30).to_string(),
        _ => u32::MAX.to_string(),
    };
    let places: Vec<usize> = dump.match_indices(part).map(|(at, _)| at).collect();
    let at = places[numbers.below(places.len())];
    format!("{}{by}{}", &dump[..at], &dump[at + part.len()..])
}

fn plans() -> Vec<Planned> {
    let files = files_under(&filetests(), "nir");
    let texts = files
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a readable file"));
    texts
        .map(|text| Planned::of(golden::input(&text)).expect("a program"))
        .collect()
}

fn check_read_again(planned: &Planned, plan: &ParallelPlan) {
    let printed = print_plan(plan, &planned.program);
    let again = read_plan(&printed, &planned.program, &planned.types, planned.library);
    assert_eq!(again.as_ref(), Ok(plan), "{printed}");
}

#[test]
fn damaged_texts_are_refused_or_read_again() {
    let (mut numbers, mut read) = (Numbers(1), 0);
    for planned in plans() {
        let text = print_plan(&planned.plan, &planned.program);
        for _ in 0..CASES {
            let text = damaged(&text, &mut numbers);
            match read_plan(&text, &planned.program, &planned.types, planned.library) {
                Ok(plan) => {
                    check_read_again(&planned, &plan);
                    read += 1;
                }
                Err(error) => assert!(error.line > 0 && !error.message.is_empty(), "{text}"),
            }
        }
    }
    assert!(read > 200, "only {read} damaged texts were read");
}

#[test]
fn damaged_dumps_are_refused_or_read_again() {
    let (mut numbers, mut read) = (Numbers(2), 0);
    for planned in plans() {
        let dump = to_json(&planned.plan).expect("plain data");
        for _ in 0..CASES {
            let dump = damaged_dump(&dump, &mut numbers);
            match from_json(&dump, &planned.program, &planned.types, planned.library) {
                Ok(plan) => {
                    check_read_again(&planned, &plan);
                    read += 1;
                }
                Err(message) => assert!(!message.is_empty(), "{dump}"),
            }
        }
    }
    assert!(read > 50, "only {read} damaged dumps were read");
}
