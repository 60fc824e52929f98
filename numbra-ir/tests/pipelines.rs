//! The pass manager: order, insertion, verification, dumps, failures.

use numbra_base::{Diagnostic, ErrorClass, Origin, Span};
use numbra_ir::dump::{DumpError, from_json, to_json};
use numbra_ir::passes::{self, PassContext};
use numbra_ir::pipeline::{
    Cause, Changed, Order, Pass, PassResult, Pipeline, PipelineError, RunOptions, Sink, TextSink,
    UNTYPED, UNTYPED_ORDER, Untyped,
};
use numbra_ir::verify::{Phase, verify};
use numbra_ir::{Func, PrintOptions, Rhs, StmtKind, Type, Types, parse_func, print_func};

const TEXT: &str = "function f(x):\nbb0:\n  x = arg(0)\n  y = x\n  y = -y\n  return y\n";

fn pipeline() -> Pipeline<Untyped> {
    Pipeline::new("nopython", UNTYPED, UNTYPED_ORDER).unwrap_or_else(|e| panic!("{e}"))
}

fn state() -> Untyped {
    let types = Types::new();
    let func = parse_func(TEXT, &types).unwrap_or_else(|e| panic!("{e}"));
    Untyped::new(func, vec![Type::INT64], types)
}

/// A user's pass made of a function.
struct User(&'static str, fn(&mut Untyped) -> PassResult);

impl Pass<Untyped> for User {
    fn name(&self) -> &str {
        self.0
    }

    fn run(&self, state: &mut Untyped) -> PassResult {
        (self.1)(state)
    }
}

#[test]
fn names_are_numbas() {
    let names = pipeline()
        .names()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .join(", ");
    assert_eq!(
        names,
        "ir_processing, inline_closure_likes, rewrite_semantic_constants, dead_branch_prune, \
         generic_rewrites, Rewrite dynamic raises, find_literally, literal_unroll, \
         check_assigned, reconstruct_ssa, dead_branch_prune"
    );
}

#[test]
fn order_is_checked() {
    let wrong = Order {
        first: "reconstruct_ssa",
        second: "ir_processing",
        reason: "to see it fail",
    };
    let error = Pipeline::new("x", UNTYPED, &[wrong]).err();
    assert_eq!(error, Some(PipelineError::Order(wrong)));
    let message = error.map(|e| e.to_string()).unwrap_or_default();
    assert_eq!(
        message,
        "`reconstruct_ssa` must run before `ir_processing`: to see it fail"
    );
}

#[test]
fn users_insert_passes() {
    let mut pipeline = pipeline();
    let shorten = User("dead_code_elimination", |s| {
        s.apply(passes::dead_code_elimination)
    });
    pipeline
        .insert_after("reconstruct_ssa", shorten)
        .unwrap_or_else(|e| panic!("{e}"));
    let missing = pipeline.insert_before("no_such", User("a", |_| Ok(Changed::No)));
    assert_eq!(missing, Err(PipelineError::NoSuchPass("no_such".into())));
    let mut sink = TextSink {
        after: vec!["dead_code_elimination".into()],
        before: vec!["reconstruct_ssa".into()],
        ..TextSink::default()
    };
    let mut state = state();
    let timings = pipeline
        .run(&mut state, RunOptions { verify: true }, &mut sink)
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(timings.len(), 12);
    let dumps: Vec<String> = sink
        .dumps
        .iter()
        .map(|(t, d)| format!("{t}\n{d}"))
        .collect();
    assert_eq!(
        dumps.join("\n"),
        "nopython: BEFORE reconstruct_ssa\n\
         function f(x):\nbb0:\n  x = arg(0, name=x)\n  y = x\n  y = -y\n  return y\n\
         \n\
         nopython: AFTER dead_code_elimination\n\
         function f(x):\nbb0:\n  x = arg(0, name=x)\n  y = x\n  y.1 = -y\n  return y.1\n"
    );
}

#[test]
fn conditions_skip_passes() {
    let mut state = state();
    state.options.ssa = false;
    state.options.rewrites = false;
    #[derive(Default)]
    struct Names(Vec<String>);
    impl Sink<Untyped> for Names {
        fn before(&mut self, pass: numbra_ir::pipeline::PassInfo<'_>, _: &Untyped) {
            self.0.push(pass.name.to_owned());
        }
    }
    let mut names = Names::default();
    pipeline()
        .run(&mut state, RunOptions::default(), &mut names)
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(
        !names
            .0
            .iter()
            .any(|n| n == "reconstruct_ssa" || n == "dead_branch_prune")
    );
}

/// Breaks a rule, fails or panics, as named.
fn failing(name: &'static str, run: fn(&mut Untyped) -> PassResult) -> String {
    let mut pipeline = pipeline();
    pipeline
        .insert_after("generic_rewrites", User(name, run))
        .unwrap_or_else(|e| panic!("{e}"));
    let failure = pipeline.run(&mut state(), RunOptions { verify: true }, &mut ());
    match failure {
        Ok(_) => "no failure".into(),
        Err(failure) => {
            assert_eq!(failure.pass, name);
            failure.to_string()
        }
    }
}

#[test]
fn failures_name_the_pass() {
    let broken = failing("breaks", |s| {
        if let Some(block) = s.func.entry() {
            s.func.blocks[block].insts.pop();
        }
        Ok(Changed::Yes)
    });
    assert_eq!(
        broken,
        "Failed in nopython mode pipeline (step: breaks)\nafter pass `breaks`:\n  \
         f bb0: missing block terminator"
    );
    let refused = failing("refuses", |_| {
        let class = ErrorClass::UnsupportedError;
        Err(vec![Diagnostic::error(
            "I000",
            class,
            "not this",
            Span::NONE,
        )])
    });
    assert_eq!(
        refused,
        "Failed in nopython mode pipeline (step: refuses)\nnot this"
    );
    let panicked = failing("panics", |_| panic!("at the pass"));
    assert!(
        panicked.ends_with("pass `panics` panicked: at the pass"),
        "{panicked}"
    );
    let cause = Cause::Panic(String::new());
    assert_ne!(cause, Cause::Verify(Vec::new()));
}

#[test]
fn dumps_refuse_what_they_are_not() {
    let types = Types::new();
    let func = parse_func(TEXT, &types).unwrap_or_else(|e| panic!("{e}"));
    let json = to_json(&func, &types).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(from_json::<Func>(&json, &types), Ok(func));
    let error = |text: &str| match from_json::<Func>(text, &types) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    };
    let newer = json.replace("\"schema\":2", "\"schema\":3");
    assert_eq!(
        error(&newer),
        "a dump of `func`, schema 3, is not what was asked for (schema 2)"
    );
    let program = json.replace("\"numbra\":\"func\"", "\"numbra\":\"program\"");
    assert!(matches!(
        from_json::<Func>(&program, &types),
        Err(DumpError::Header { .. })
    ));
    assert!(error("{").starts_with("not a dump: "));
    let dangling = json.replace("{\"Return\":1}", "{\"Return\":7}");
    assert_eq!(error(&dangling), "dangling reference: f: no var7");
}

#[test]
fn generators_list_what_lives_over_a_yield() {
    let types = Types::new();
    let text = "function f(n) generator:\nbb0:\n  n = arg(0)\n  i = const(int, 0)\n  jump bb1\n\
        bb1:\n  $0 = yield(i, 1)\n  $1 = const(int, 1)\n  i = i += $1\n  $2 = i < n\n  \
        branch $2, bb1, bb2\nbb2:\n  $3 = const(NoneType, None)\n  return $3\n";
    let func = parse_func(text, &types).unwrap_or_else(|e| panic!("{e}"));
    let points = passes::generator_info(&func);
    let live: Vec<Vec<&str>> = points
        .iter()
        .map(|p| p.live.iter().map(|v| func.var_name(*v)).collect())
        .collect();
    assert_eq!(live, [["n", "i"]]);
}

/// A function of 5,000 lines, 2,500 of them branches: deep dominator trees overflow no stack.
#[test]
fn big_functions_pass() {
    let types = Types::new();
    let func = {
        let lines = 5000;
        let mut func = Func::new("big", Span::NONE);
        let n = func.push_var("n");
        let x = func.push_var("x");
        let mut at = func.push_block();
        let push = |func: &mut Func, block, kind| {
            func.push_stmt(block, kind, Span::NONE, Origin::Text);
        };
        let arg = |target, n| StmtKind::Assign {
            target,
            value: Rhs::Arg(n),
        };
        func.args = parse_func("function f(n, x):\n", &types)
            .map(|f| f.args)
            .unwrap_or_default();
        push(&mut func, at, arg(n, 0));
        push(&mut func, at, arg(x, 1));
        for _ in 0..lines / 2 {
            let (then, join) = (func.push_block(), func.push_block());
            let branch = StmtKind::Branch {
                cond: n,
                then,
                other: join,
            };
            push(&mut func, at, branch);
            let copy = |value| StmtKind::Assign {
                target: x,
                value: Rhs::Var(value),
            };
            push(&mut func, then, copy(n));
            push(&mut func, then, StmtKind::Jump(join));
            at = join;
        }
        push(&mut func, at, StmtKind::Return(x));
        func
    };
    let mut state = Untyped::new(func, Vec::new(), types);
    pipeline()
        .run(&mut state, RunOptions { verify: true }, &mut ())
        .unwrap_or_else(|e| panic!("{e}"));
    let phis = print_func(&state.func, &state.types, PrintOptions::PLAIN)
        .matches("= phi(")
        .count();
    assert_eq!(phis, 2500);
    let cx = PassContext::new(&state.types, &[]);
    passes::simplify_cfg(&mut state.func, &cx).unwrap_or_else(|_| panic!("simplify_cfg"));
    assert!(verify(&state.func, Phase::Ssa).is_ok());
}
