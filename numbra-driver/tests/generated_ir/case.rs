//! One generated program: made, verified, lowered and compared.

use crate::engines::{Compared, compare, root_of};
use crate::oracle::Oracle;
use crate::{lir, typed};
use numbra_driver::Session;
use numbra_ir::verify::verify_program;
use numbra_ir::{DispatcherId, InstanceOrigin, Type, parse_func};
use numbra_lir::interp::{Arg, LirValue};
use numbra_lir::text::{Form, print};
use numbra_lower::lowering::{FunctionOptions, Options, lower, parallel_functions};
use numbra_parallel::{print_plan, read_plan};
use numbra_testing::machine_code::chunks_of;
use numbra_testing::random::Random;
use numbra_typeinfer::{TestDispatcher, TestHost, infer_full};

/// Calls of each program.
const CALLS: u64 = 3;

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Interpreted,
    /// It calls what the interpreter lacks: machine code alone was compared.
    MachineCode,
    /// A diagnostic said why it does not compile.
    Refused,
    Unfinished,
}

/// Runs the program of a seed; `show` gets its texts. An error is a finding.
pub(crate) fn run(kind: &str, seed: u64, show: &mut dyn FnMut(&str)) -> Result<End, String> {
    match kind {
        "typed" => typed_program(seed, show),
        "lir" => lir_program(seed, show),
        _ => Err(format!("no programs are `{kind}`")),
    }
}

fn ended(compared: Compared) -> End {
    match compared {
        Compared::Equal { interpreted: true } => End::Interpreted,
        Compared::Equal { interpreted: false } => End::MachineCode,
        Compared::Unfinished => End::Unfinished,
    }
}

fn typed_program(seed: u64, show: &mut dyn FnMut(&str)) -> Result<End, String> {
    let program = typed::program(seed);
    let session = Session::new();
    let types = session.types.view();
    let mut host = TestHost::new(session.library);
    let (entry, callees) = program.functions.split_last().ok_or("no functions")?;
    for (number, callee) in callees.iter().enumerate() {
        show(&callee.text);
        let func = parse_func(&callee.text, &types).map_err(|e| e.to_string())?;
        let func = session
            .prepare(&func, &[], &types)
            .map_err(|e| format!("untyped passes: {}", e.message))?;
        let dispatcher = TestDispatcher {
            func,
            frozen: None,
            declared: Vec::new(),
        };
        host.set_dispatcher(number as u32, dispatcher);
    }
    show(&entry.text);
    let mut args = Vec::new();
    let numbers = ["int64".to_owned(), "int64".to_owned()];
    for text in program.arguments.types().iter().chain(&numbers) {
        show(text);
        let ty: Type = types.parse(text).map_err(|e| e.to_string())?;
        args.push(ty);
    }
    let func = parse_func(&entry.text, &types).map_err(|e| e.to_string())?;
    let func = session
        .prepare(&func, &args, &types)
        .map_err(|e| format!("untyped passes: {}", e.message))?;
    let options = numbra_typeinfer::Options {
        origin: Some(InstanceOrigin::Dispatcher(DispatcherId(99))),
        ..numbra_typeinfer::Options::default()
    };
    let inference = infer_full(func, &args, session.library, &host, &types, &options);
    let Some(typed) = inference.program else {
        let first = inference.diagnostics.first();
        show(&format!("refused: {first:?}"));
        return match first {
            Some(d) if d.class == numbra_base::ErrorClass::InternalError => {
                Err(format!("inference: {}", d.message))
            }
            Some(_) => Ok(End::Refused),
            None => Err("refused without a diagnostic".to_owned()),
        };
    };
    verify_program(&typed, &types).map_err(|errors| format!("typed program: {}", errors[0]))?;
    // What takes the result of a callee that always raises is optional, which the oracle does not know.
    let ret = typed.functions[typed.root].1.ret;
    let items = types.tuple_items(ret).unwrap_or_default();
    if items.iter().any(|item| types.as_scalar(*item).is_none()) {
        show(&format!("refused: results of {}", types.display(ret)));
        return Ok(End::Refused);
    }
    let options = Options {
        root: FunctionOptions {
            boundscheck: seed.is_multiple_of(2),
            parallel: !seed.is_multiple_of(3),
            ..FunctionOptions::default()
        },
        ..Options::default()
    };
    let functions = parallel_functions(&typed, &options);
    let plan = numbra_parallel::plan(&typed, &types, session.library, &functions);
    let planned = print_plan(&plan, &typed);
    show(&planned);
    match read_plan(&planned, &typed, &types, session.library) {
        Ok(again) if again == plan => {}
        other => return Err(format!("the plan reads as {other:?}")),
    }
    let module = match lower(&typed, &plan, &types, session.library, &options) {
        Ok(lowered) => lowered.module,
        // A construct without lowering, which is said so.
        Err(d) if d.code.0 == "L001" => {
            show(&format!("refused: {}", d.message));
            return Ok(End::Refused);
        }
        Err(d) => return Err(format!("lowering: {}", d.message)),
    };
    show(&print(&module, Form::Plain));
    // As many threads as there are chunks, of which short loops have some.
    chunks_of(1 + seed % 5);
    let (_, root) = root_of(&module).ok_or("no root")?;
    let mut random = Random::new(seed ^ 0xa5a5);
    let calls: Vec<Vec<Arg>> = (0..CALLS)
        .map(|_| {
            let mut leaves = program.arguments.leaves(&mut random);
            for _ in 0..2 {
                let n = random.pick(&[-3, 0, 1, 2, 7, 1 << 33]);
                leaves.push(Arg::Value(LirValue::i64(n)));
            }
            leaves
        })
        .collect();
    let texts = program.functions.iter().map(|f| f.text.as_str());
    let mut oracle = Oracle::new(texts)?;
    let told: Vec<_> = calls
        .iter()
        .map(|leaves| oracle.call(&program.arguments, leaves))
        .collect();
    compare(&module, &root, &calls, &told, program.arguments.buffers()).map(ended)
}

fn lir_program(seed: u64, show: &mut dyn FnMut(&str)) -> Result<End, String> {
    let program = lir::program(seed);
    show(&print(&program.module, Form::Plain));
    let calls = program.calls(&mut Random::new(seed ^ 0xa5a5), CALLS);
    compare(&program.module, "entry", &calls, &[], &[program.item]).map(ended)
}
