//! Runs `tests/filetests/*/*.nir`. `NUMBRA_BLESS=1` rewrites what is expected.
//!
//! ```text
//! test <pass> [phase]
//! ; comments
//! function ...
//! ---- expected
//! function ...
//! ```
//! Files of `test verifier` have no expected part: each line that breaks a rule carries `; error: ...`.

use numbra_base::Diagnostic;
use numbra_ir::passes::{self, PassContext};
use numbra_ir::pipeline::{
    Cause, Changed, PassResult, Pipeline, RunOptions, UNTYPED, UNTYPED_ORDER, Untyped,
};
use numbra_ir::stencil::{Distance, Kernel, Reach, StencilLoops, stencil_kernel, stencil_loops};
use numbra_ir::verify::{Phase, VerifyError, verify, verify_program, verify_typed};
use numbra_ir::{
    Func, Location, NoRows, PrintOptions, Type, Types, parse_func, parse_func_with_types,
    parse_program, parse_typed_func, print_func, print_func_with_notes, print_program,
    print_typed_func_with_notes,
};
use numbra_testing::golden;
use std::fmt::Write;
use std::path::Path;

#[test]
fn filetests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    golden::check(&root, "nir", 1, run);
}

/// The text that the file should be.
fn run(text: &str) -> Result<String, String> {
    let (input, _) = text.split_once("---- expected\n").unwrap_or((text, ""));
    // Comment lines stay; the function follows them.
    let first = input.lines().next().unwrap_or("");
    let words: Vec<&str> = first.split_whitespace().collect();
    let head_len: usize = input
        .split_inclusive('\n')
        .take_while(|l| l.starts_with("test ") || l.starts_with(';') || l.trim().is_empty())
        .map(str::len)
        .sum();
    let (head, body) = input.split_at(head_len);
    match words.as_slice() {
        ["test", "verifier", phase] => Ok(format!("{head}{}", verifier(body, phase)?)),
        ["test", pass] => pass_test(head, body, pass, None),
        ["test", pass, phase] => pass_test(head, body, pass, Some(phase)),
        _ => Err(format!("`{first}` is not a test")),
    }
}

type PassFn = fn(&mut Func, &PassContext<'_>) -> PassResult;

/// The passes by name, and the phase that they leave a function in if it is another.
fn pass_named(name: &str) -> Option<(PassFn, Option<Phase>)> {
    Some(match name {
        "ir_processing" => (passes::ir_processing, None),
        "inline_closure_likes" => (passes::inline_closure_likes, None),
        "rewrite_semantic_constants" => (passes::rewrite_semantic_constants, None),
        "dead_branch_prune" => (passes::dead_branch_prune, None),
        "generic_rewrites" => (passes::generic_rewrites, None),
        "rewrite_dynamic_raises" => (passes::rewrite_dynamic_raises, None),
        "find_literally" => (passes::find_literally, None),
        "literal_unroll" => (passes::literal_unroll, None),
        "check_assigned" => (passes::check_assigned, None),
        "reconstruct_ssa" => (passes::reconstruct_ssa, Some(Phase::Ssa)),
        "simplify_cfg" => (passes::simplify_cfg, None),
        "dead_code_elimination" => (passes::dead_code_elimination, None),
        "copy_propagation" => (passes::copy_propagation, None),
        "insert_dels" => (passes::insert_dels, Some(Phase::WithDels)),
        "remove_dels" => (passes::remove_dels, Some(Phase::Untyped)),
        "stencil_kernel" => (kernel, None),
        "stencil_loops" => (loops, Some(Phase::Ssa)),
        _ => return None,
    })
}

/// `stencil_kernel`: all arrays are subscripted relatively, the first says how many axes there are.
fn kernel(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    reach(func, cx).map(|_| Changed::Yes)
}

/// `stencil_loops` around the kernel: float64, with a border.
fn loops(func: &mut Func, cx: &PassContext<'_>) -> PassResult {
    let reach = reach(func, cx)?;
    let known = |(down, up): (i64, i64)| (Distance::Known(down), Distance::Known(up));
    let distances = reach.distances.map_err(|unknown| vec![*unknown])?;
    *func = stencil_loops(&StencilLoops {
        kernel: func,
        reach: &distances.into_iter().map(known).collect::<Vec<_>>(),
        offsets: &[],
        accessed: &reach.accessed,
        element: Some(Type::FLOAT64),
        fills: true,
        given: 0,
        parallel: true,
    });
    Ok(Changed::Yes)
}

fn reach(func: &mut Func, cx: &PassContext<'_>) -> Result<Reach, Vec<Diagnostic>> {
    let array = |ty: &Type| cx.types.as_array(*ty);
    let arrays: Vec<bool> = cx.args.iter().map(|ty| array(ty).is_some()).collect();
    let first = cx.args.first().and_then(array);
    let shape = Kernel {
        arrays: &arrays,
        relative: &arrays,
        constants: &vec![None; arrays.len()],
        ndim: first.map_or(1, |array| usize::from(array.ndim)),
    };
    stencil_kernel(func, &shape, cx)
}

/// Runs a pass, or all of them (`pipeline`); the function is verified before and after.
fn pass_test(head: &str, body: &str, pass: &str, phase: Option<&str>) -> Result<String, String> {
    let types = Types::new();
    let parsed = parse_func_with_types(body, &types, &NoRows).map_err(|e| e.to_string())?;
    let args: Vec<Type> = parsed.args.iter().map_while(|ty| *ty).collect();
    let mut func = parsed.func;
    let phase = match phase {
        None => Phase::Untyped,
        Some("ssa") => Phase::Ssa,
        Some("dels") => Phase::WithDels,
        Some(other) => return Err(format!("`{other}` is not a phase")),
    };
    let list = |errors: Vec<VerifyError>| {
        errors
            .iter()
            .map(|e| e.to_string())
            .collect::<Vec<_>>()
            .join("\n")
    };
    verify(&func, phase).map_err(|e| format!("before: {}", list(e)))?;
    let mut expected = String::new();
    let errors = if pass == "pipeline" {
        let pipeline =
            Pipeline::new("nopython", UNTYPED, UNTYPED_ORDER).map_err(|e| e.to_string())?;
        let mut state = Untyped::new(func, args, types.clone());
        let result = pipeline.run(&mut state, RunOptions { verify: true }, &mut ());
        func = state.func;
        match result {
            Ok(_) => Vec::new(),
            Err(failure) => match failure.cause {
                Cause::Diagnostics(list) => list,
                Cause::Verify(_) | Cause::Panic(_) => return Err(failure.to_string()),
            },
        }
    } else {
        let Some((run, after)) = pass_named(pass) else {
            return Err(format!("`{pass}` is not a pass"));
        };
        let before = func.clone();
        let result = run(&mut func, &PassContext::new(&types, &args));
        if matches!(result, Ok(Changed::No)) != (before == func) && result.is_ok() {
            return Err("the pass does not say rightly whether it changed something".into());
        }
        if result.is_ok() {
            let phase = after.unwrap_or(phase);
            verify(&func, phase).map_err(|e| {
                let text = print_func(&func, &types, PrintOptions::PLAIN);
                format!("after: {}\n{text}", list(e))
            })?;
        }
        result.err().unwrap_or_default()
    };
    if errors.is_empty() {
        expected = print_func(&func, &types, PrintOptions::PLAIN);
    }
    for error in errors {
        let _ = writeln!(expected, "; error[{}]: {}", error.code.0, error.message);
    }
    Ok(format!("{head}{body}---- expected\n{expected}"))
}

/// The function with `; error:` on each line that breaks a rule.
fn verifier(body: &str, phase: &str) -> Result<String, String> {
    let types = Types::new();
    // `var` lines of the input stay.
    let plain = PrintOptions {
        tables: body.contains("\n  var "),
        ..PrintOptions::PLAIN
    };
    let result;
    let note = |errors: &[VerifyError], place: Location| {
        let messages: Vec<String> = errors
            .iter()
            .filter(|e| e.place == place)
            .map(|e| format!("error: {}", e.message))
            .collect();
        (!messages.is_empty()).then(|| messages.join("; "))
    };
    let phase = match phase {
        "untyped" => Phase::Untyped,
        "ssa" => Phase::Ssa,
        "dels" => Phase::WithDels,
        "typed" => {
            let typed = parse_typed_func(body, &types, &NoRows).map_err(|e| e.to_string())?;
            result = verify_typed(&typed, &types).err().unwrap_or_default();
            let notes = |place| note(&result, place);
            return Ok(print_typed_func_with_notes(
                &typed, &types, &NoRows, plain, &notes,
            ));
        }
        "program" => {
            let program = parse_program(body, &types, &NoRows).map_err(|e| e.to_string())?;
            let mut text = print_program(&program, &types, &NoRows, plain);
            for error in verify_program(&program, &types).err().unwrap_or_default() {
                let _ = writeln!(text, "; error: {error}");
            }
            return Ok(text);
        }
        _ => return Err(format!("`{phase}` is not a phase")),
    };
    let func = parse_func(body, &types).map_err(|e| e.to_string())?;
    result = verify(&func, phase).err().unwrap_or_default();
    let (own, nested): (Vec<_>, Vec<_>) = result.into_iter().partition(|e| e.func == func.qualname);
    let notes = |place| note(&own, place);
    let mut text = print_func_with_notes(&func, &types, plain, &notes);
    for error in nested {
        let _ = writeln!(text, "; error: {error}");
    }
    Ok(text)
}
