//! Laws on random functions. Seeds are fixed: a failure names its seed.

mod any_func;
mod interpret;
mod programs;
mod random;

use any_func::{any_func, any_typed};
use interpret::{run, same};
use numbra_ir::analysis::{Cfg, Dominators, Liveness};
use numbra_ir::dump::{from_json, to_json};
use numbra_ir::passes::{self, PassContext};
use numbra_ir::pipeline::{PassResult, Pipeline, RunOptions, UNTYPED, UNTYPED_ORDER, Untyped};
use numbra_ir::verify::{Phase, verify};
use numbra_ir::{
    Func, InstanceOrigin, NoRows, PrimaryMap, PrintOptions, Type, TypedProgram, Types,
    canonicalize, compact, compact_typed, parse_func, parse_program, print_func, print_program,
};
use programs::{guarded, program};
use random::Random;

const PLAIN: PrintOptions = PrintOptions::PLAIN;
const LOSSLESS: PrintOptions = PrintOptions::LOSSLESS;

#[test]
fn text_of_any_function_reads_back() {
    for seed in 0..400 {
        let types = Types::new();
        let func = any_func(&mut Random::new(seed), &types, 0);
        let text = print_func(&func, &types, LOSSLESS);
        let back = parse_func(&text, &types).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert!(
            back == func,
            "seed {seed}:\n{text}\n{}",
            print_func(&back, &types, LOSSLESS)
        );
        // The plain text says the same after reading it back.
        let plain = print_func(&func, &types, PLAIN);
        let back =
            parse_func(&plain, &types).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{plain}"));
        assert_eq!(print_func(&back, &types, PLAIN), plain, "seed {seed}");
    }
}

#[test]
fn text_and_json_of_any_program_read_back() {
    for seed in 0..200 {
        let types = Types::new();
        let mut random = Random::new(seed);
        let mut functions = PrimaryMap::new();
        for i in 0..1 + random.below(3) {
            let origin = InstanceOrigin::Closure(format!("f{i}\""));
            functions.push((origin, any_typed(&mut random, &types)));
        }
        let root = functions
            .keys()
            .next_back()
            .unwrap_or_else(|| panic!("not empty"));
        let program = TypedProgram { functions, root };
        let text = print_program(&program, &types, &NoRows, LOSSLESS);
        let back = parse_program(&text, &types, &NoRows)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert!(back == program, "seed {seed}:\n{text}");
        let json = to_json(&program, &types).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        // Another table: ids differ, text does not.
        let other = Types::new();
        other
            .parse("array(int8, 7d, A)")
            .unwrap_or_else(|e| panic!("{e}"));
        let back: TypedProgram =
            from_json(&json, &other).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(
            print_program(&back, &other, &NoRows, LOSSLESS),
            text,
            "seed {seed}"
        );
    }
}

#[test]
fn damaged_text_and_json_never_panic() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..1000 {
        let types = Types::new();
        let mut random = Random::new(seed);
        let func = any_func(&mut random, &types, 1);
        let json = to_json(&func, &types).unwrap_or_else(|e| panic!("{e}"));
        let text = print_func(&func, &types, LOSSLESS);
        for (text, is_json) in [(text, false), (json, true)] {
            let mut bytes = text.into_bytes();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[at] = b' ' + random.below(95) as u8,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"0123456789,:=()[]\"`"[random.below(19)]),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            let func: Option<Func> = if is_json {
                from_json(&text, &types).ok()
            } else {
                parse_func(&text, &types).ok()
            };
            let Some(func) = func else {
                refused += 1;
                continue;
            };
            read += 1;
            print_func(&func, &types, LOSSLESS);
            for phase in [Phase::Untyped, Phase::Ssa, Phase::WithDels] {
                let _ = verify(&func, phase);
            }
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
}

#[test]
fn generated_programs_are_valid() {
    for seed in 0..300 {
        let func = program(&mut Random::new(seed), seed % 2 == 0);
        let types = Types::new();
        if let Err(errors) = verify(&func, Phase::Untyped) {
            panic!(
                "seed {seed}: {}\n{}",
                errors[0],
                print_func(&func, &types, PLAIN)
            );
        }
    }
}

type PassFn = fn(&mut Func, &PassContext<'_>) -> PassResult;

/// Runs passes one after the other; each must keep the rules and what the program does.
fn check(seed: u64, func: &mut Func, passes: &[(&str, PassFn, Phase)]) {
    let types = Types::new();
    let args = vec![Type::INT64, Type::NONE];
    let expected = run(func, 40);
    for (name, pass, phase) in passes {
        let before = print_func(func, &types, PLAIN);
        let result = pass(func, &PassContext::new(&types, &args));
        let after = print_func(func, &types, PLAIN);
        let changed = result.unwrap_or_else(|_| panic!("seed {seed} {name}: failed"));
        if let Err(errors) = verify(func, *phase) {
            panic!("seed {seed} {name}: {}\n{before}\n{after}", errors[0]);
        }
        let found = run(func, 40);
        assert!(
            same(&expected, &found),
            "seed {seed} {name} {changed:?}:\n{before}\n{after}\n{expected:?}\n{found:?}"
        );
    }
}

#[test]
fn passes_before_ssa_keep_behaviour() {
    for seed in 0..300 {
        // A variable with one assignment counts as that everywhere: reading it before is undefined in Numba.
        let mut func = program(&mut Random::new(seed), true);
        check(
            seed,
            &mut func,
            &[
                ("ir_processing", passes::ir_processing, Phase::Untyped),
                ("copy_propagation", passes::copy_propagation, Phase::Untyped),
                (
                    "dead_branch_prune",
                    passes::dead_branch_prune,
                    Phase::Untyped,
                ),
                ("generic_rewrites", passes::generic_rewrites, Phase::Untyped),
                ("simplify_cfg", passes::simplify_cfg, Phase::Untyped),
                (
                    "dead_code_elimination",
                    passes::dead_code_elimination,
                    Phase::Untyped,
                ),
                ("insert_dels", passes::insert_dels, Phase::WithDels),
                ("remove_dels", passes::remove_dels, Phase::Untyped),
            ],
        );
    }
}

#[test]
fn flags_tell_which_variables_have_values() {
    for seed in 0..600 {
        let mut func = guarded(&mut Random::new(seed), seed % 3 == 0);
        check(
            seed,
            &mut func,
            &[
                ("check_assigned", passes::check_assigned, Phase::Untyped),
                ("reconstruct_ssa", passes::reconstruct_ssa, Phase::Ssa),
                ("simplify_cfg", passes::simplify_cfg, Phase::Ssa),
            ],
        );
    }
}

#[test]
fn ssa_keeps_behaviour() {
    for seed in 0..400 {
        let mut func = program(&mut Random::new(seed), seed % 2 == 0);
        check(
            seed,
            &mut func,
            &[
                ("reconstruct_ssa", passes::reconstruct_ssa, Phase::Ssa),
                ("reconstruct_ssa again", passes::reconstruct_ssa, Phase::Ssa),
                ("copy_propagation", passes::copy_propagation, Phase::Ssa),
                ("dead_branch_prune", passes::dead_branch_prune, Phase::Ssa),
                ("simplify_cfg", passes::simplify_cfg, Phase::Ssa),
                (
                    "dead_code_elimination",
                    passes::dead_code_elimination,
                    Phase::Ssa,
                ),
            ],
        );
    }
}

#[test]
fn the_pipeline_keeps_behaviour() {
    for seed in 0..300 {
        let func = program(&mut Random::new(seed), true);
        let expected = run(&func, 40);
        let types = Types::new();
        let pipeline =
            Pipeline::new("nopython", UNTYPED, UNTYPED_ORDER).unwrap_or_else(|e| panic!("{e}"));
        let mut state = Untyped::new(func, vec![Type::INT64, Type::NONE], types);
        pipeline
            .run(&mut state, RunOptions { verify: true }, &mut ())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(same(&expected, &run(&state.func, 40)), "seed {seed}");
        assert_eq!(state.phase, Phase::Ssa);
    }
}

#[test]
fn renumbering_keeps_behaviour() {
    for seed in 0..300 {
        let mut func = program(&mut Random::new(seed), seed % 2 == 0);
        let types = Types::new();
        let expected = run(&func, 40);
        let cx = PassContext::new(&types, &[]);
        passes::reconstruct_ssa(&mut func, &cx).unwrap_or_else(|_| panic!("seed {seed}"));
        let mut packed = func.clone();
        compact(&mut packed);
        assert!(same(&expected, &run(&packed, 40)), "seed {seed}");
        let text = print_func(&packed, &types, LOSSLESS);
        assert!(
            parse_func(&text, &types).as_ref() == Ok(&packed),
            "seed {seed}:\n{text}"
        );
        canonicalize(&mut func);
        assert!(same(&expected, &run(&func, 40)), "seed {seed}");
        let text = print_func(&func, &types, PLAIN);
        let mut back = parse_func(&text, &types).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        canonicalize(&mut back);
        assert_eq!(print_func(&back, &types, PLAIN), text, "seed {seed}");
        if let Err(errors) = verify(&func, Phase::Ssa) {
            panic!("seed {seed}: {}\n{text}", errors[0]);
        }
    }
}

#[test]
fn compact_keeps_call_sites_with_their_statements() {
    for seed in 0..100 {
        let types = Types::new();
        let mut typed = any_typed(&mut Random::new(seed), &types);
        let mut program = TypedProgram {
            functions: PrimaryMap::new(),
            root: numbra_ir::EntityRef::new(0),
        };
        // Turn the blocks around, so that statements get new numbers.
        typed.func.layout.reverse();
        let origin = InstanceOrigin::Text("f".into());
        let text = |p: &TypedProgram| print_program(p, &types, &NoRows, PLAIN);
        program.functions.push((origin.clone(), typed.clone()));
        let sites = text(&program).matches("; calls").count();
        compact_typed(&mut typed);
        program.functions = PrimaryMap::new();
        program.functions.push((origin, typed));
        assert_eq!(
            text(&program).matches("; calls").count(),
            sites,
            "seed {seed}"
        );
    }
}

/// `a` dominates `b` if `b` cannot be reached without `a`.
#[test]
fn dominators_agree_with_their_definition() {
    for seed in 0..200 {
        let func = program(&mut Random::new(seed), seed % 2 == 0);
        let cfg = Cfg::new(&func);
        let dominators = Dominators::new(&cfg);
        for &a in cfg.rpo() {
            let mut seen = vec![a];
            let mut work: Vec<_> = cfg.entry().filter(|e| *e != a).into_iter().collect();
            while let Some(block) = work.pop() {
                if !seen.contains(&block) {
                    seen.push(block);
                    work.extend(cfg.all_succs(block));
                }
            }
            for &b in cfg.rpo() {
                let expected = a == b || !seen.contains(&b);
                assert_eq!(dominators.dominates(a, b), expected, "seed {seed}: {a} {b}");
            }
            for &join in &dominators.frontiers(&cfg)[a] {
                let some_pred = cfg.all_preds(join).any(|p| dominators.dominates(a, p));
                let strict = join != a && dominators.dominates(a, join);
                assert!(
                    some_pred && !strict,
                    "seed {seed}: frontier of {a} has {join}"
                );
            }
        }
    }
}

/// A variable that is live at a block's start can reach a use from there.
#[test]
fn liveness_agrees_with_its_definition() {
    for seed in 0..100 {
        let func = program(&mut Random::new(seed), seed % 2 == 0);
        let cfg = Cfg::new(&func);
        let liveness = Liveness::new(&func, &cfg);
        for var in func.vars.keys() {
            for &start in cfg.rpo() {
                let mut seen = Vec::new();
                let mut work = vec![start];
                let mut live = false;
                while let Some(block) = work.pop() {
                    if seen.contains(&block) {
                        continue;
                    }
                    seen.push(block);
                    work.extend(cfg.handler(block));
                    let mut killed = false;
                    for &inst in &func.blocks[block].insts {
                        let kind = &func.insts[inst].kind;
                        kind.for_each_use(|used| live |= used == var && !killed);
                        killed |= kind.def() == Some(var);
                    }
                    if !killed {
                        work.extend(cfg.succs(block));
                    }
                }
                assert_eq!(
                    liveness.is_live_in(start, var),
                    live,
                    "seed {seed}: {start}"
                );
            }
        }
    }
}
