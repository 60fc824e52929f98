//! What filetests cannot say: overloads of users, local functions, literal requests, dumps, speed, malformed input.

use numbra_base::{Origin, Span};
use numbra_ir::verify::verify_program;
use numbra_ir::{
    BinOp, Block, Const, DispatcherId, Expr, Func, InstanceOrigin, ObjRef, Rhs, Scalar, Signature,
    StmtKind, Type, TypedProgram, Types, Var, parse_func,
};
use numbra_library::Library;
use numbra_typeinfer::{
    HostError, Inference, Options, Overload, OverloadBody, TestDispatcher, TestHost, TestOverload,
    annotate, infer_full,
};
use std::cell::RefCell;

fn host() -> TestHost {
    TestHost::new(Library::standard())
}

fn check(text: &str, args: &[Type], host: &TestHost, types: &Types) -> Inference {
    let func = parse_func(text, types).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check_func(func, args, host, types)
}

fn check_func(func: Func, args: &[Type], host: &TestHost, types: &Types) -> Inference {
    let opts = Options {
        origin: Some(InstanceOrigin::Dispatcher(DispatcherId(99))),
        ..Options::default()
    };
    let inference = infer_full(func, args, Library::standard(), host, types, &opts);
    if let Some(program) = &inference.program {
        verify_program(program, types).unwrap_or_else(|e| panic!("{e:?}"));
    }
    inference
}

fn ret(inference: &Inference, types: &Types) -> String {
    match &inference.program {
        Some(program) => types.display(root(program).ret).to_string(),
        None => panic!("{:?}", inference.diagnostics),
    }
}

fn root(program: &TypedProgram) -> &numbra_ir::TypedFunc {
    &program.functions[program.root].1
}

#[test]
fn operators_on_scalars_follow_the_measured_table() {
    // `operator.add` of Numba 0.68.1: rows and columns b1 i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 c8 c16.
    const ADD: &str = "
        i8 i8 i8 i8 i8 i8 i8 i8 i8 f4 f8 c8 c16
        i8 i8 i8 i8 i8 i8 i8 i8 i8 f4 f8 c8 c16
        i8 i8 i8 i8 i8 i8 i8 i8 i8 f4 f8 c8 c16
        i8 i8 i8 i8 i8 i8 i8 i8 i8 f8 f8 c16 c16
        i8 i8 i8 i8 i8 i8 i8 i8 i8 f8 f8 c16 c16
        i8 i8 i8 i8 i8 u8 u8 u8 u8 f4 f8 c8 c16
        i8 i8 i8 i8 i8 u8 u8 u8 u8 f8 f8 c16 c16
        i8 i8 i8 i8 i8 u8 u8 u8 u8 f8 f8 c16 c16
        i8 i8 i8 i8 i8 u8 u8 u8 u8 f8 f8 c16 c16
        f4 f4 f4 f8 f8 f4 f8 f8 f8 f4 f8 c8 c16
        f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c16 c16
        c8 c8 c8 c16 c16 c8 c16 c16 c16 c8 c16 c8 c16
        c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16";
    let scalars: Vec<Scalar> = Scalar::ALL
        .into_iter()
        .filter(|s| *s != Scalar::Float16)
        .collect();
    let short = |name: &str| match name {
        "i8" => "int64",
        "u8" => "uint64",
        "f4" => "float32",
        "f8" => "float64",
        "c8" => "complex64",
        _ => "complex128",
    };
    let types = Types::new();
    let text = "function f(a, b):\nbb0:\n  a = arg(0, name=a)\n  b = arg(1, name=b)\n  $0 = a + b\n  return $0\n";
    let table: Vec<&str> = ADD.split_whitespace().collect();
    for (i, a) in scalars.iter().enumerate() {
        for (j, b) in scalars.iter().enumerate() {
            let args = [types.scalar(*a), types.scalar(*b)];
            let found = ret(&check(text, &args, &host(), &types), &types);
            assert_eq!(
                found,
                short(table[i * 13 + j]),
                "{} + {}",
                a.name(),
                b.name()
            );
        }
    }
}

#[test]
fn other_operators_differ_as_measured() {
    let types = Types::new();
    let result = |op: &str, a: Type, b: Type| {
        let text = format!(
            "function f(a, b):\nbb0:\n  a = arg(0, name=a)\n  b = arg(1, name=b)\n  $0 = a {op} b\n  return $0\n"
        );
        let inference = check(&text, &[a, b], &host(), &types);
        inference
            .program
            .map(|p| types.display(root(&p).ret).to_string())
    };
    let (i4, i8, u1, u8) = (Type::INT32, Type::INT64, Type::UINT8, Type::UINT64);
    let (b1, f4, f8, c16) = (Type::BOOL, Type::FLOAT32, Type::FLOAT64, Type::COMPLEX128);
    for (op, a, b, expected) in [
        ("/", i8, i8, Some("float64")),
        ("/", f4, f4, Some("float32")),
        ("-", b1, b1, Some("int64")),
        ("//", c16, c16, None),
        ("%", c16, f8, None),
        ("**", i4, i4, Some("int64")),
        ("**", f4, i4, Some("float32")),
        ("**", f8, i4, Some("float64")),
        ("<<", u1, i8, Some("uint64")),
        (">>", i4, u8, Some("int64")),
        ("&", b1, b1, Some("bool")),
        ("|", u1, u8, Some("uint64")),
        ("^", i4, u8, Some("int64")),
        ("&", f8, i8, None),
        ("==", c16, f4, Some("bool")),
        ("<", c16, c16, None),
        ("<", i8, u8, Some("bool")),
        ("+", Type::UNICODE, i8, None),
    ] {
        let found = result(op, a, b);
        assert_eq!(
            found.as_deref(),
            expected,
            "{} {op} {}",
            types.display(a),
            types.display(b)
        );
    }
}

#[test]
fn users_overloads_come_before_the_library() {
    let types = Types::new();
    let body = parse_func(
        "function impl(x, y=2):\nbb0:\n  x = arg(0, name=x)\n  y = arg(1, name=y)\n  $0 = x * y\n  return $0\n",
        &types,
    )
    .expect("the text is right");
    let mut host = host();
    host.push_overload(TestOverload::with_func(
        7,
        "math.sin",
        vec![Type::INT64],
        body,
    ));
    let text = "function f(n):\n  obj0 = math.sin function\nbb0:\n  n = arg(0, name=n)\n  $0 = global(math.sin)\n  $1 = call $0(n)\n  return $1\n";
    let inference = check(text, &[Type::INT64], &host, &types);
    assert_eq!(ret(&inference, &types), "int64");
    let program = inference.program.expect("it compiles");
    assert!(
        program
            .functions
            .values()
            .any(|(o, _)| *o == InstanceOrigin::Overload(7))
    );
    // At other types the library's row is taken.
    assert_eq!(
        ret(&check(text, &[Type::FLOAT32], &host, &types), &types),
        "float32"
    );
}

#[test]
fn intrinsics_of_users_are_functions_without_blocks() {
    let types = Types::new();
    let mut host = host();
    host.push_overload(TestOverload {
        target: "pkg.fast".to_owned(),
        args: vec![Type::FLOAT64],
        result: Ok(Overload {
            id: 3,
            args: vec![numbra_ir::ArgSpec {
                name: "x".to_owned(),
                kind: numbra_ir::ArgKind::PositionalOrKeyword,
                default: None,
            }],
            literal: false,
            body: OverloadBody::External(Signature {
                params: vec![Type::FLOAT64],
                ret: Type::INT32,
            }),
        }),
    });
    let text = "function f(x):\n  obj0 = pkg.fast function\nbb0:\n  x = arg(0, name=x)\n  $0 = global(pkg.fast)\n  $1 = call $0(x)\n  return $1\n";
    let func = parse_func(text, &types).expect("the text is right");
    let opts = Options::default();
    let inference = infer_full(
        func,
        &[Type::FLOAT64],
        Library::standard(),
        &host,
        &types,
        &opts,
    );
    assert_eq!(ret(&inference, &types), "int32");
    let program = inference.program.expect("it compiles");
    let (_, external) = program
        .functions
        .values()
        .find(|(origin, _)| *origin == InstanceOrigin::Overload(3))
        .expect("it is in the program");
    assert!(external.func.layout.is_empty());
}

#[test]
fn a_literal_request_goes_up_to_the_caller() {
    let types = Types::new();
    let mut host = host();
    let text = "function f(n):\n  obj0 = numba.literally function\nbb0:\n  n = arg(0, name=n)\n  $0 = global(numba.literally)\n  $1 = call $0(n)\n  return $1\n";
    let inference = check(text, &[Type::INT64], &host, &types);
    assert_eq!(
        (inference.program, inference.force_literal),
        (None, vec![0])
    );
    let three = types.intern(numbra_ir::TypeKind::Literal(Const::Int(3)));
    assert_eq!(ret(&check(text, &[three], &host, &types), &types), "int64");

    // Through a call, and to a constant in the caller.
    let callee = parse_func(text, &types).expect("the text is right");
    host.set_dispatcher(
        0,
        TestDispatcher {
            func: Func {
                name: "g".to_owned(),
                ..callee
            },
            frozen: None,
            declared: Vec::new(),
        },
    );
    let caller = "function h(n):\n  obj0 = g dispatcher(0)\nbb0:\n  n = arg(0, name=n)\n  $0 = global(g)\n  $1 = call $0(n)\n  return $1\n";
    let inference = check(caller, &[Type::INT64], &host, &types);
    assert_eq!(
        (inference.program, inference.force_literal),
        (None, vec![0])
    );
    let constant = caller
        .replace("call $0(n)", "call $0($c)")
        .replace("  $0 = global", "  $c = const(int, 4)\n  $0 = global");
    assert_eq!(
        ret(&check(&constant, &[Type::INT64], &host, &types), &types),
        "int64"
    );

    host.push_overload(TestOverload {
        target: "pkg.lit".to_owned(),
        args: vec![Type::INT64],
        result: Err(HostError::ForceLiteral(vec![0])),
    });
    let text = "function f(n):\n  obj0 = pkg.lit function\nbb0:\n  n = arg(0, name=n)\n  $0 = global(pkg.lit)\n  $1 = call $0(n)\n  return $1\n";
    assert_eq!(
        check(text, &[Type::INT64], &host, &types).force_literal,
        vec![0]
    );
}

#[test]
fn explicit_signatures_are_the_only_ones() {
    let types = Types::new();
    let mut host = host();
    let func = parse_func(
        "function g(a):\nbb0:\n  a = arg(0, name=a)\n  $0 = a + a\n  return $0\n",
        &types,
    )
    .expect("the text is right");
    let sig = |ty| Signature {
        params: vec![ty],
        ret: ty,
    };
    host.set_dispatcher(
        0,
        TestDispatcher {
            func,
            frozen: Some(vec![sig(Type::FLOAT32), sig(Type::FLOAT64)]),
            declared: Vec::new(),
        },
    );
    let caller = "function h(n):\n  obj0 = g dispatcher(0)\nbb0:\n  n = arg(0, name=n)\n  $0 = global(g)\n  $1 = call $0(n)\n  return $1\n";
    assert_eq!(
        ret(&check(caller, &[Type::INT64], &host, &types), &types),
        "float64"
    );
    assert_eq!(
        ret(&check(caller, &[Type::FLOAT32], &host, &types), &types),
        "float32"
    );
    let none = check(caller, &[Type::UNICODE], &host, &types);
    assert_eq!(none.diagnostics[0].code.0, "T001");
    assert_eq!(
        none.diagnostics[0].numba_phrase.as_deref(),
        Some(
            "Invalid use of type(CPUDispatcher(<function g>)) with parameters (unicode_type)\n\
             Known signatures:\n * (float32,) -> float32\n * (float64,) -> float64\n\
             During: resolving callee type: type(CPUDispatcher(<function g>))"
        )
    );
}

/// A host with jitted functions by number, of which those in `declared` have the signature `int32(int64)`.
fn declared_host(functions: &[&str], declared: &[usize], types: &Types) -> TestHost {
    let mut host = host();
    for (i, text) in functions.iter().enumerate() {
        let func = parse_func(text, types).expect("the text is right");
        let known = declared.contains(&i).then(|| Signature {
            params: vec![Type::INT64],
            ret: Type::INT32,
        });
        host.set_dispatcher(
            i as u32,
            TestDispatcher {
                func,
                frozen: known.clone().map(|sig| vec![sig]),
                declared: known.into_iter().collect(),
            },
        );
    }
    host
}

#[test]
fn results_follow_the_declared_type() {
    let types = Types::new();
    let add = "function g(a):\nbb0:\n  a = arg(0, name=a)\n  $0 = a + a\n  return $0\n";
    let caller = "function h(n):\n  obj0 = g dispatcher(0)\nbb0:\n  n = arg(0, name=n)\n  $0 = global(g)\n  $1 = call $0(n)\n  return $1\n";
    let host = declared_host(&[add], &[0], &types);
    for arg in [Type::INT64, Type::FLOAT64] {
        let inference = check(caller, &[arg], &host, &types);
        assert_eq!(ret(&inference, &types), "int32");
    }
    // The body must fit.
    let text =
        "function g(a):\nbb0:\n  a = arg(0, name=a)\n  $0 = const(str, \"x\")\n  return $0\n";
    let host = declared_host(&[text], &[0], &types);
    let wrong = check(caller, &[Type::INT64], &host, &types);
    assert_eq!(wrong.diagnostics[0].code.0, "T020");
}

#[test]
fn recursion_uses_the_declared_type() {
    let types = Types::new();
    let caller = "function h(n):\n  obj0 = f dispatcher(0)\nbb0:\n  n = arg(0, name=n)\n  $0 = global(f)\n  $1 = call $0(n)\n  return $1\n";
    // No return but that of the call: only a declared type makes it known.
    let calls = |name: &str, callee: &str, id: usize| {
        format!(
            "function {name}(n):\n  obj0 = {callee} dispatcher({id})\nbb0:\n  n = arg(0, name=n)\n  $0 = global({callee})\n  $1 = call $0(n)\n  return $1\n"
        )
    };
    let itself = calls("f", "f", 0);
    let host = declared_host(&[&itself], &[], &types);
    assert_eq!(check(caller, &[Type::INT64], &host, &types).program, None);
    let host = declared_host(&[&itself], &[0], &types);
    assert_eq!(
        ret(&check(caller, &[Type::INT64], &host, &types), &types),
        "int32"
    );
    // One of two is declared: the other follows, whichever is called first.
    let (f, g) = (calls("f", "g", 1), calls("g", "f", 0));
    for declared in [0, 1] {
        let host = declared_host(&[&f, &g], &[declared], &types);
        assert_eq!(
            ret(&check(caller, &[Type::INT64], &host, &types), &types),
            "int32"
        );
    }
}

/// `def f(n): k = <captured>; def g(a): return a + k; return g(n)`
fn closure_text(captured: &str) -> String {
    format!(
        "function f(n):
  obj0 = g opaque(\"<class 'code'>\")
bb0:
  n = arg(0, name=n)
  k = {captured}
  $1 = make_function(g, obj0, closure=[k])
  $2 = call $1(n)
  return $2
nested obj0
  function g(a):
    obj0 = k unresolved
  bb0:
    a = arg(0, name=a)
    $0 = freevar(0, k)
    $1 = a + $0
    return $1
end
"
    )
}

#[test]
fn local_functions_capture_constants() {
    let types = Types::new();
    let float = check(
        &closure_text("const(float, 0.5)"),
        &[Type::INT64],
        &host(),
        &types,
    );
    assert_eq!(ret(&float, &types), "float64");
    let int = check(
        &closure_text("const(int, 2)"),
        &[Type::INT64],
        &host(),
        &types,
    );
    assert_eq!(ret(&int, &types), "int64");
    let variable = check(&closure_text("n"), &[Type::INT64], &host(), &types);
    assert_eq!(variable.diagnostics[0].code.0, "T023");
    assert_eq!(
        variable.diagnostics[0].numba_phrase.as_deref(),
        Some(
            "Cannot capture the non-constant value associated with variable 'k' in a function that may escape."
        )
    );
}

#[test]
fn the_trace_has_numbas_tables() {
    let types = Types::new();
    let func = parse_func(
        "function f(n):\nbb0:\n  n = arg(0, name=n)\n  $0 = const(float, 0.5)\n  $1 = n * $0\n  return $1\n",
        &types,
    )
    .expect("the text is right");
    let text = RefCell::new(String::new());
    let trace = |part: &str| text.borrow_mut().push_str(part);
    let opts = Options {
        trace: Some(&trace),
        ..Options::default()
    };
    let inference = infer_full(
        func,
        &[Type::INT64],
        Library::standard(),
        &host(),
        &types,
        &opts,
    );
    assert!(inference.program.is_some());
    expect_test::expect![[r#"
        -----------------------------------propagate------------------------------------
        ---- type variables ----
        [$0 := float64,
         $1 := float64,
         arg.n := int64,
         n := int64]
        ---------------------------------Variable types---------------------------------
        {'$0': float64,
         '$1': float64,
         'n': int64}
        ----------------------------------Return type-----------------------------------
        float64
        -----------------------------------Call types-----------------------------------
        {n * $0: (float64, float64) -> float64}
    "#]]
    .assert_eq(&text.borrow());
}

#[test]
fn annotations_stand_above_their_lines() {
    let types = Types::new();
    let text = "function f(n):\nbb0:\n  n = arg(0, name=n) @ 1:6-1:7 text\n  t = const(float, 0.5) @ 2:8-2:11 text\n  $1 = n * t @ 3:11-3:16 text\n  return $1 @ 3:4-3:16 text\n";
    let inference = check(text, &[Type::INT64], &host(), &types);
    let program = inference.program.expect("it compiles");
    let source = "def f(n):\n    t = 0.5\n    return n * t\n";
    let annotated = annotate(root(&program), &types, source);
    expect_test::expect![[r#"
        # --- LINE 1 --- 
        # label 0
        #   n = arg(0, name=n)  :: int64

        def f(n):

            # --- LINE 2 --- 
            #   t = const(float, 0.5)  :: float64

            t = 0.5

            # --- LINE 3 --- 
            #   $1 = n * t  :: float64
            #   return $1

            return n * t

    "#]]
    .assert_eq(&annotated);
}

/// A loop whose body is a chain of `n` statements through all of its variables.
fn long_function(n: usize) -> Func {
    let mut func = Func::new("long", Span::NONE);
    func.args.push(numbra_ir::ArgSpec {
        name: "x".to_owned(),
        kind: numbra_ir::ArgKind::PositionalOrKeyword,
        default: None,
    });
    let (entry, head, body, exit) = (
        func.push_block(),
        func.push_block(),
        func.push_block(),
        func.push_block(),
    );
    let assign = |func: &mut Func, block: Block, target: Var, value: Rhs| {
        let kind = StmtKind::Assign { target, value };
        func.push_stmt(block, kind, Span::NONE, Origin::Text);
    };
    let x = func.push_var("x");
    assign(&mut func, entry, x, Rhs::Arg(0));
    let start = func.push_var("start");
    assign(&mut func, entry, start, Rhs::Const(Const::Int(0)));
    func.push_stmt(entry, StmtKind::Jump(head), Span::NONE, Origin::Text);
    let state = func.push_var("state");
    let mut last = func.push_var("v0");
    let first = last;
    let chain: Vec<Var> = (1..n).map(|i| func.push_var(format!("v{i}"))).collect();
    let end = *chain.last().unwrap_or(&first);
    let phi = Rhs::Expr(Expr::Phi(vec![(entry, Some(start)), (body, Some(end))]));
    assign(&mut func, head, state, phi);
    let test = func.push_var("test");
    let compare = |op, lhs, rhs| {
        Rhs::Expr(Expr::BinOp {
            op,
            lhs,
            rhs,
            static_rhs: None,
        })
    };
    assign(&mut func, head, test, compare(BinOp::Lt, state, x));
    let branch = StmtKind::Branch {
        cond: test,
        then: body,
        other: exit,
    };
    func.push_stmt(head, branch, Span::NONE, Origin::Text);
    assign(&mut func, body, first, compare(BinOp::Add, state, x));
    for (i, var) in chain.into_iter().enumerate() {
        let op = [BinOp::Add, BinOp::Mul, BinOp::Sub][i % 3];
        assign(
            &mut func,
            body,
            var,
            compare(op, last, if i % 2 == 0 { x } else { state }),
        );
        last = var;
    }
    func.push_stmt(body, StmtKind::Jump(head), Span::NONE, Origin::Text);
    func.push_stmt(exit, StmtKind::Return(state), Span::NONE, Origin::Text);
    func
}

#[test]
fn long_functions_take_linear_work() {
    let types = Types::new();
    let host = host();
    let steps = |n: usize| {
        let opts = Options::default();
        let library = Library::standard();
        let inference = infer_full(
            long_function(n),
            &[Type::FLOAT64],
            library,
            &host,
            &types,
            &opts,
        );
        assert_eq!(ret(&inference, &types), "float64");
        inference.steps
    };
    let (small, large) = (steps(5_000), steps(20_000));
    assert!(small >= 5_000, "{small}");
    assert!(large < small * 5, "5,000: {small}, 20,000: {large}");
}

#[test]
fn long_chains_of_calls_need_no_native_stack() {
    let types = Types::new();
    let mut host = host();
    for i in 1000..1400u32 {
        let text = if i == 1399 {
            format!("function f{i}(n):\nbb0:\n  n = arg(0, name=n)\n  return n\n")
        } else {
            let next = i + 1;
            format!(
                "function f{i}(n):\n  obj0 = f{next} dispatcher({next})\nbb0:\n  n = arg(0, name=n)\n  $0 = global(f{next})\n  $1 = call $0(n)\n  return $1\n"
            )
        };
        let func = parse_func(&text, &types).expect("the text is right");
        host.set_dispatcher(
            i,
            TestDispatcher {
                func,
                frozen: None,
                declared: Vec::new(),
            },
        );
    }
    let text = "function f(n):\n  obj0 = f1000 dispatcher(1000)\nbb0:\n  n = arg(0, name=n)\n  $0 = global(f1000)\n  $1 = call $0(n)\n  return $1\n";
    let inference = check(text, &[Type::INT64], &host, &types);
    assert_eq!(ret(&inference, &types), "int64");
    assert_eq!(inference.program.map(|p| p.functions.len()), Some(401));
}

#[test]
fn malformed_functions_are_errors() {
    let types = Types::new();
    let empty = Func::new("empty", Span::NONE);
    let check = |func: Func, args: &[Type]| check_func(func, args, &host(), &types);
    assert_eq!(check(empty, &[]).diagnostics[0].code.0, "T028");

    // Every single edit of a statement of a good function must be survived.
    let good = long_function(12);
    for inst in good.insts.keys() {
        for edit in 0..6u32 {
            let mut func = good.clone();
            let broken = Var::from_u32(if edit == 0 { 999 } else { edit });
            func.insts[inst].kind = match edit {
                0 | 1 => StmtKind::Return(broken),
                2 => StmtKind::Jump(Block::from_u32(77)),
                3 => StmtKind::Assign {
                    target: broken,
                    value: Rhs::Var(broken),
                },
                4 => StmtKind::Assign {
                    target: broken,
                    value: Rhs::Global(ObjRef::from_u32(5)),
                },
                _ => StmtKind::Branch {
                    cond: broken,
                    then: Block::from_u32(0),
                    other: Block::from_u32(0),
                },
            };
            let inference = infer_full(
                func,
                &[Type::FLOAT64],
                Library::standard(),
                &host(),
                &types,
                &Options::default(),
            );
            assert_eq!(
                inference.program.is_some(),
                inference.diagnostics.is_empty()
            );
        }
    }
}

#[test]
fn too_many_or_few_arguments_are_errors() {
    let types = Types::new();
    let text = "function f(a, b=1):\nbb0:\n  a = arg(0, name=a)\n  b = arg(1, name=b)\n  $0 = a + b\n  return $0\n";
    let none = check(text, &[], &host(), &types);
    assert_eq!(
        none.diagnostics[0].numba_phrase.as_deref(),
        Some("not enough arguments: expected 2, got 0")
    );
    assert_eq!(
        ret(&check(text, &[Type::INT64], &host(), &types), &types),
        "int64"
    );
    let three = check(text, &[Type::INT64; 3], &host(), &types);
    assert_eq!(
        three.diagnostics[0].numba_phrase.as_deref(),
        Some("too many arguments: expected 2, got 3")
    );
}
