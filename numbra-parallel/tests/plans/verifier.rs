//! A plan that breaks each rule of [`numbra_parallel::verify`], and what is said of it.

use crate::planned::{Planned, filetests};
use numbra_parallel::read_plan;
use numbra_testing::golden;

/// The golden whose program it is, the lines of the plan, and the error.
const BROKEN: &[(&str, &str, &str)] = &[
    ("parallel/sum", "plan fn7", "1:6: the program has no fn7"),
    ("parallel/sum", "plan fn0", "1:1: there are no loops"),
    (
        "parallel/callee",
        "plan fn1",
        "1:1: the function has no loop over `prange`",
    ),
    (
        "parallel/sum",
        "plan fn0\nloop bb2 over $2: serial returns\n no item, from bb2 to bb3",
        "2:1: it is not the header of a loop over `prange`",
    ),
    (
        "parallel/sum",
        "plan fn0\nloop bb1 over $2: serial returns\n item $5, from bb3 to bb2",
        "2:1: its range, item, first block or exit are not those of the loop",
    ),
    (
        "parallel/sum",
        "plan fn0\nloop bb1 over $2: serial nested\n item $5, from bb2 to bb3",
        "2:1: a loop is nested exactly if it stands in one that runs in parallel",
    ),
    (
        "parallel/two_loops",
        "plan fn0\nloop bb1 over $2: serial returns\n item $5, from bb2 to bb3",
        "1:1: each loop over `prange` stands in it once, outer ones before inner ones",
    ),
    (
        "serial/generator",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2",
        "2:1: a loop of a generator runs in parallel",
    ),
    (
        "serial/left_early",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb4\n body bb2\n carries s.2: reduction +",
        "2:1: control leaves an iteration before the range ends",
    ),
    (
        "serial/read_by_handler",
        "plan fn0\nloop bb2 over $2: parallel\n item $5, from bb3 to bb7\n body bb3, bb4, bb5, bb6\n carries last.2: last_value\n flags last.2",
        "2:1: the handler around the loop reads what an iteration assigned",
    ),
    (
        "serial/live_out",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n carries s.2: reduction +\n carries t.2: reduction +",
        "2:1: what an iteration computes is read after the loop",
    ),
    (
        "parallel/sum",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2, bb3",
        "2:1: the body has other blocks than an iteration, or in another order",
    ),
    (
        "parallel/sum",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n carries t.2: reduction +\n carries s.2: reduction +",
        "2:1: the carried variables are not the header's phis in order",
    ),
    (
        "serial/not_reducible",
        "plan fn0\nloop bb1 over $1: parallel\n item $4, from bb2 to bb3\n body bb2\n carries s.2: reduction +",
        "2:1: a carried variable has no such reduction",
    ),
    (
        "parallel/minimum",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n carries lo.2: nan_reset min\n carries hi.2: reduction max\n carries m.2: reduction min\n flags lo.2",
        "2:1: a carried variable has no such reduction",
    ),
    (
        "parallel/sum",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n carries s.2: last_value\n carries t.2: reduction +",
        "2:1: exactly the carried variables that have a flag are flagged",
    ),
    (
        "parallel/nan_reset",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb5\n body bb2, bb3, bb4\n carries s.2: nan_reset max\n flags s.3, s.2",
        "2:1: flagged variables are not in order",
    ),
    (
        "parallel/nan_reset",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb5\n body bb2, bb3, bb4\n carries s.2: nan_reset max\n flags s.2, $17",
        "2:1: a flagged variable is no phi of the loop",
    ),
    (
        "parallel/nan_reset",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb5\n body bb2, bb3, bb4\n carries s.2: nan_reset max\n flags s.2, s.3\n resets $1 after s.3",
        "2:1: what sets a flag is no float that the body assigns",
    ),
    (
        "parallel/private_names",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n private h: reduction +\n private h: reduction *",
        "2:1: a variable is of two private arrays",
    ),
    (
        "parallel/private_names",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n private i: reduction +",
        "2:1: a private array is not assigned before the loop",
    ),
    (
        "parallel/private_names",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n private $1: reduction +",
        "2:1: a private array is no array of numbers",
    ),
    (
        "parallel/private_minimum",
        "plan fn0\nloop bb1 over $2: parallel\n item $5, from bb2 to bb3\n body bb2\n private k, best: reduction +",
        "2:1: the variables of a private array have different types",
    ),
    (
        "parallel/two_functions",
        "plan fn1\nloop bb1 over $2: serial returns\n item $5, from bb2 to bb3\n\
         plan fn1\nloop bb1 over $2: serial returns\n item $5, from bb2 to bb3",
        "1:1: the function is listed twice",
    ),
];

#[test]
fn broken_plans_are_refused() {
    let mut wrong = String::new();
    for (golden, plan, expected) in BROKEN {
        let path = filetests().join(golden).with_extension("nir");
        let text = std::fs::read_to_string(path).expect("a golden");
        let planned = Planned::of(golden::input(&text)).expect("a program");
        let read = read_plan(plan, &planned.program, &planned.types, planned.library);
        let said = read.map_or_else(|error| error.to_string(), |_| "it is accepted".to_owned());
        if said != *expected {
            wrong.push_str(&format!(
                "{golden}:\n{plan}\nexpected {expected}\nfound    {said}\n"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
