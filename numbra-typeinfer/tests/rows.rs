//! Every row of the library, called at a set of types: no panic, no internal error, and what is typed is valid.

use numbra_base::{Origin, Span};
use numbra_ir::verify::verify_program;
use numbra_ir::{
    ArgKind, ArgSpec, Expr, Func, Layout, ObjDesc, ObjKind, Rhs, StmtKind, TimeUnit, Type, Types,
};
use numbra_library::{Code, Library, ParamKind, Row, RowKind, ScalarCode, Targets};
use numbra_typeinfer::{Inference, Options, TestHost, infer_full};
use std::collections::BTreeSet;

/// `def f(a0, a1, ..): return name(a0, a1, ..)`, or `a0.name(a1, ..)` for a method.
fn caller(row: &Row, n: usize) -> Func {
    let mut func = Func::new("f", Span::NONE);
    let block = func.push_block();
    let mut args = Vec::new();
    for i in 0..n {
        let name = format!("a{i}");
        func.args.push(ArgSpec {
            name: name.clone(),
            kind: ArgKind::PositionalOrKeyword,
            default: None,
        });
        let target = func.push_var(name);
        let value = Rhs::Arg(i as u32);
        func.push_stmt(
            block,
            StmtKind::Assign { target, value },
            Span::NONE,
            Origin::Text,
        );
        args.push(target);
    }
    let callee = func.push_var("$callee");
    let value = match row.kind {
        RowKind::Method => {
            let attr = row.name.rsplit('.').next().unwrap_or("").to_owned();
            Rhs::Expr(Expr::GetAttr {
                value: args.remove(0),
                attr,
            })
        }
        RowKind::Function | RowKind::Operator | RowKind::Attribute | RowKind::Protocol => {
            let kind = ObjKind::Function;
            let repr = format!("<built-in function {}>", row.name);
            Rhs::Global(func.objects.push(ObjDesc {
                name: row.name.to_owned(),
                kind,
                repr,
                digest: None,
            }))
        }
    };
    let assign = |target, value| StmtKind::Assign { target, value };
    func.push_stmt(block, assign(callee, value), Span::NONE, Origin::Text);
    let result = func.push_var("$result");
    let call = Rhs::Expr(Expr::Call {
        func: callee,
        args,
        kws: Vec::new(),
        vararg: None,
    });
    func.push_stmt(block, assign(result, call), Span::NONE, Origin::Text);
    func.push_stmt(block, StmtKind::Return(result), Span::NONE, Origin::Text);
    func
}

fn infer_row(row: &Row, args: &[Type], host: &TestHost, types: &Types) -> Inference {
    infer_row_for(row, args, host, types, false)
}

/// For a GPU if `device`.
fn infer_row_for(
    row: &Row,
    args: &[Type],
    host: &TestHost,
    types: &Types,
    device: bool,
) -> Inference {
    let func = caller(row, args.len());
    infer_full(
        func,
        args,
        Library::standard(),
        host,
        types,
        &Options {
            device,
            ..Options::default()
        },
    )
}

#[test]
fn every_row_at_small_types() {
    let types = Types::new();
    let lib = Library::standard();
    let host = TestHost::new(lib);
    let pool = [
        Type::INT64,
        Type::FLOAT64,
        Type::COMPLEX128,
        types.array(Type::FLOAT64, 1, Layout::C),
        types.tuple(&[Type::INT64, Type::INT64]),
        Type::UNICODE,
    ];
    let (mut typed, mut refused) = (0, 0);
    let mut never: BTreeSet<&str> = BTreeSet::new();
    for (_, row) in lib.rows() {
        if !matches!(
            row.kind,
            RowKind::Function | RowKind::Operator | RowKind::Method
        ) {
            continue;
        }
        let required = row
            .params
            .iter()
            .filter(|p| p.default.is_none() && p.kind != ParamKind::VarArgs)
            .count()
            .max(usize::from(row.is_variadic()));
        if required > 2 {
            continue;
        }
        never.insert(row.name);
        for i in 0..pool.len().pow(required as u32) {
            let args: Vec<Type> = (0..required)
                .map(|k| pool[i / pool.len().pow(k as u32) % pool.len()])
                .collect();
            let inference = infer_row(row, &args, &host, &types);
            let shown: Vec<String> = args
                .iter()
                .map(|ty| types.display(*ty).to_string())
                .collect();
            let call = format!("{}({})", row.name, shown.join(", "));
            match &inference.program {
                Some(program) => {
                    verify_program(program, &types).unwrap_or_else(|e| panic!("{call}: {e:?}"));
                    typed += 1;
                    never.remove(row.name);
                }
                None => {
                    let first = &inference.diagnostics[0];
                    // An empty container has no type before something is put in.
                    let empty = args.is_empty() && first.code.0 == "T009";
                    assert!(
                        empty
                            || !matches!(first.code.0, "T026" | "T028" | "T008" | "T009" | "T005"),
                        "{call}: {first:?}"
                    );
                    refused += 1;
                }
            }
        }
    }
    println!("{typed} calls typed, {refused} refused; never typed here: {never:?}");
    assert!(typed > 1000, "{typed}");
}

#[test]
fn every_loop_of_every_ufunc() {
    let types = Types::new();
    let lib = Library::standard();
    let host = TestHost::new(lib);
    let mut preludes = 0;
    for (_, row) in lib.rows() {
        for body in row.bodies {
            let Code::Elementwise(ufunc) = body.code else {
                continue;
            };
            if row.kind != RowKind::Function {
                continue;
            }
            for found in ufunc.all_loops() {
                let args: Vec<Type> = found
                    .ins
                    .iter()
                    .map(|t| t.at(&types, TimeUnit::Day))
                    .collect();
                let inference = infer_row(row, &args, &host, &types);
                let program = inference.program.unwrap_or_else(|| {
                    panic!("{} {args:?}: {:?}", row.name, inference.diagnostics)
                });
                verify_program(&program, &types)
                    .unwrap_or_else(|e| panic!("{} {args:?}: {e:?}", row.name));
                let is_prelude = matches!(found.code, ScalarCode::Prelude(_));
                preludes += usize::from(is_prelude && program.functions.len() > 1);
            }
        }
    }
    println!("{preludes} loops with a prelude body");
}

/// What a GPU runs instead of native bodies has the CPU's types.
#[test]
fn bodies_for_gpus_give_the_types_of_the_cpu() {
    let types = Types::new();
    let lib = Library::standard();
    let host = TestHost::new(lib);
    let array = |dtype| types.array(dtype, 1, Layout::C);
    let pool = [
        Type::NONE,
        Type::INT64,
        Type::FLOAT32,
        Type::FLOAT64,
        Type::COMPLEX64,
        array(Type::BOOL),
        array(Type::INT8),
        array(Type::UINT32),
        array(Type::FLOAT32),
        array(Type::COMPLEX64),
        types.array(Type::FLOAT64, 2, Layout::A),
    ];
    let mut checked: BTreeSet<&str> = BTreeSet::new();
    let mut wrong = Vec::new();
    for (_, row) in lib.rows() {
        if row.targets == Targets::Gpu || row.bodies.iter().all(|b| b.on != Targets::Gpu) {
            continue;
        }
        let required = row.params.iter().filter(|p| p.default.is_none()).count();
        for i in 0..pool.len().pow(required as u32) {
            let args: Vec<Type> = (0..required)
                .map(|k| pool[i / pool.len().pow(k as u32) % pool.len()])
                .collect();
            let known = |device| {
                let inference = infer_row_for(row, &args, &host, &types, device);
                match inference.program {
                    Some(program) => Ok((program.functions[program.root].1.ret, program)),
                    None => Err(inference.diagnostics),
                }
            };
            let Ok((cpu, _)) = known(false) else {
                continue;
            };
            let (gpu, program) = match known(true) {
                Ok(found) => found,
                Err(diagnostics) => {
                    let shown: Vec<String> = args
                        .iter()
                        .map(|ty| types.display(*ty).to_string())
                        .collect();
                    wrong.push(format!("{}{shown:?} on a GPU: {diagnostics:?}", row.name));
                    continue;
                }
            };
            let shown: Vec<String> = [cpu, gpu]
                .iter()
                .map(|ty| types.display(*ty).to_string())
                .collect();
            if shown[0] != shown[1] {
                wrong.push(format!("{} of {args:?}: {shown:?}", row.name));
            }
            verify_program(&program, &types).unwrap_or_else(|e| panic!("{}: {e:?}", row.name));
            checked.insert(row.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(checked.len() > 30, "{checked:?}");
}
