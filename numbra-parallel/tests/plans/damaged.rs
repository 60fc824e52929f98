//! Damaged texts and dumps of plans: refused with words and a place, or read, verified, printed and read again. None panics.
//! `numbra-driver/tests/damaged` lowers programs by what is still accepted.

use crate::planned::{Planned, filetests};
use numbra_parallel::{ParallelPlan, from_json, print_plan, read_plan, to_json};
use numbra_testing::damage;
use numbra_testing::golden::{self, files_under};
use numbra_testing::random::Random;

/// Damaged texts, and as many dumps, of each plan.
const CASES: usize = 60;

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
    let (mut random, mut read) = (Random::new(1), 0);
    for planned in plans() {
        let text = print_plan(&planned.plan, &planned.program);
        for _ in 0..CASES {
            let text = damage::text(&text, &mut random);
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
    let (mut random, mut read) = (Random::new(2), 0);
    for planned in plans() {
        let dump = to_json(&planned.plan).expect("plain data");
        for _ in 0..CASES {
            let dump = damage::json(&dump, &mut random);
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
