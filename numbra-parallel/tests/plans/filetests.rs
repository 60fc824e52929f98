//! Goldens of plans: a typed program, and how its loops over `prange` run. `NUMBRA_BLESS=1` rewrites them.
//!
//! ```text
//! ; what to look at
//! ; options: fastmath
//! the typed program, as `f.inspect("typed", signature)` prints it
//! ---- expected
//! the plan of all its functions, as `f.inspect("parallel", signature)` prints it
//! ```
//! - `parallel`: loops that run in parallel, one file for each kind of decision;
//! - `serial`: one file at least for each reason to run serially;
//! - `hazards`: one at least for each way in which iterations may depend on each other;
//! - `analysis`: one for each file of the analysis.

use crate::planned::{Planned, filetests};
use numbra_parallel::{from_json, print_plan, read_plan, to_json};
use numbra_testing::golden::{self, SEPARATOR, files_under};

#[test]
fn typed_programs_have_these_plans() {
    golden::check(&filetests(), "nir", 65, |text| {
        let input = golden::input(text);
        let planned = Planned::of(input)?;
        let printed = print_plan(&planned.plan, &planned.program);
        let read = read_plan(&printed, &planned.program, &planned.types, planned.library);
        let again = read.map_err(|e| format!("the plan cannot be read: {e}\n{printed}"))?;
        if again != planned.plan || print_plan(&again, &planned.program) != printed {
            return Err(format!("the plan reads differently:\n{printed}"));
        }
        let dump = to_json(&planned.plan)?;
        let read = from_json(&dump, &planned.program, &planned.types, planned.library)?;
        if read != planned.plan {
            return Err(format!("the dump reads differently: {dump}"));
        }
        Ok(format!("{input}{SEPARATOR}\n{printed}"))
    });
}

/// What plans may say, by the words of their texts.
const WORDS: &[&str] = &[
    "serial nested",
    "serial generator",
    "serial left_early",
    "serial returns",
    "serial with_block",
    "serial read_by_handler",
    "serial live_out",
    "serial shared_state",
    "serial loop_carried",
    "serial mixed_operators",
    "serial not_reducible",
    "serial alias_of_reduction",
    "serial nan_reset",
    "serial invariant",
    "serial dependence",
    "hazard many_to_one",
    "hazard overlap",
    "hazard dependence",
    ": last_value",
    ": nan_reset min",
    ": nan_reset max",
    ": reduction +",
    ": reduction *",
    ": reduction min",
    ": reduction max",
    ": reduction &",
    ": reduction |",
    ": reduction ^",
    "\n  private ",
    "\n  no item",
    " no_nans",
];

#[test]
fn every_decision_has_a_golden() {
    let files = files_under(&filetests(), "nir");
    let texts: Vec<String> = files
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a readable file"))
        .collect();
    let is_shown = |word: &&&str| {
        let mut expected = texts.iter().filter_map(|text| text.split_once(SEPARATOR));
        !expected.any(|(_, plan)| plan.contains(**word))
    };
    let missing: Vec<_> = WORDS.iter().filter(is_shown).collect();
    assert!(missing.is_empty(), "no golden shows {missing:?}");
}
