//! One mutated code object: compiled with types through every stage and, where it compiles, run.

use crate::mutate::{Random, mutate};
use numbra_base::ErrorClass;
use numbra_bytecode::{CodeObject, Version};
use numbra_driver::{CompileError, Compiled, Options, Request, Session, Source};
use numbra_ir::{DispatcherId, Scalar, Type, TypeKind};
use numbra_lir::artifact::{Artifact, CpuLevel};
use numbra_lir::interp::{Arg, Executor, InterpreterExecutor, LirValue, Outcome, RunError, Trap};
use numbra_lir::{Linkage, Module, Ty};
use numbra_lower::cranelift;
use numbra_lower::jit::CodeExecutor;
use numbra_lower::lowering::{ErrorModel, leaves};
use numbra_opt::Pass;
use numbra_testing::machine_code::runtime;
use numbra_testing::nans::same_nans;
use numbra_typeinfer::TestHost;
use std::sync::Arc;

/// Instructions that interpreted code may execute.
const FUEL: u64 = 100_000;

/// Types tried before a function counts as rejected.
const ATTEMPTS: usize = 4;

/// LLVM takes a hundred times as long as everything else: it runs a part of the cases.
const LLVM_EVERY: usize = 16;

/// Argument types, the likely ones more than once.
const TYPES: &[&str] = &[
    "int64",
    "int64",
    "int64",
    "float64",
    "float64",
    "array(float64, 1d, C)",
    "array(float64, 1d, C)",
    "array(int64, 1d, C)",
    "array(float64, 2d, C)",
    "array(float32, 1d, A)",
    "bool",
    "int8",
    "uint64",
    "uint16",
    "float32",
    "complex128",
    "UniTuple(int64 x 3)",
    "Tuple(int64, float64)",
    "none",
];

/// How a case ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// A diagnostic said why it does not compile.
    Rejected,
    /// Compiled; the interpreter did not finish, so machine code was not run.
    Unfinished,
    /// Compiled; the interpreter lacks a function of the runtime, so machine code was not run.
    NotInterpreted,
    /// Ran on the interpreter and as machine code, with the same outcome.
    Ran,
}

/// Compiles and runs case `number`; an error is a finding.
pub(crate) struct Cases {
    version: Version,
    seed: u64,
    fixtures: Vec<CodeObject>,
    /// Those that compile unchanged: mutated more often than the others.
    compilable: Vec<usize>,
    session: Session,
    types: Vec<Type>,
    host: TestHost,
}

impl Cases {
    pub(crate) fn new(version: Version, seed: u64, fixtures: Vec<CodeObject>) -> Cases {
        let session = Session::new();
        let parse = |text: &&str| {
            session
                .types
                .parse(text)
                .unwrap_or_else(|e| panic!("{text}: {e}"))
        };
        let types = TYPES.iter().map(parse).collect();
        let host = TestHost::new(session.library);
        let mut cases = Cases {
            version,
            seed,
            fixtures,
            compilable: Vec::new(),
            session,
            types,
            host,
        };
        cases.compilable = (0..cases.fixtures.len())
            .filter(|&i| cases.compiles(i))
            .collect();
        cases
    }

    /// True if an unchanged fixture compiles for some of our types.
    fn compiles(&self, index: usize) -> bool {
        let Ok(source) = self
            .session
            .untyped(self.fixtures[index].clone(), "fuzz", &|_| None)
        else {
            return false;
        };
        let (source, mut random) = (Arc::new(source), Random::new(index as u64));
        (0..2 * ATTEMPTS).any(|_| {
            let args: Vec<Type> = source
                .func
                .args
                .iter()
                .map(|_| *random.pick(&self.types))
                .collect();
            self.compile(&source, &args, &Options::default()).is_ok()
        })
    }

    /// The code object of a case, and the stream that its types and arguments are drawn from.
    pub(crate) fn code(&self, number: usize) -> (CodeObject, Random) {
        let mut random = Random::new(self.seed ^ (self.version as u64 + 1) << 56 ^ number as u64);
        let index = match random.below(3) {
            0 => random.below(self.fixtures.len()),
            _ => *random.pick(&self.compilable),
        };
        let mut code = self.fixtures[index].clone();
        mutate(&mut code, &mut random, self.version);
        (code, random)
    }

    pub(crate) fn run(&self, number: usize) -> Result<End, String> {
        let (code, mut random) = self.code(number);
        let options = Options {
            boundscheck: random.below(2) == 0,
            error_model: Some(*random.pick(&[ErrorModel::Python, ErrorModel::Numpy])),
            ..Options::default()
        };
        let source = match self.session.untyped(code, "fuzz", &|_| None) {
            Ok(source) => Arc::new(source),
            Err(diagnostic) => return rejected(&CompileError::front_end(*diagnostic)),
        };
        for attempt in 1.. {
            let args: Vec<Type> = source
                .func
                .args
                .iter()
                .map(|_| *random.pick(&self.types))
                .collect();
            match self.compile(&source, &args, &options) {
                Ok(compiled) => {
                    return self.execute(number, &compiled, options.boundscheck, &mut random);
                }
                Err(error) => {
                    let end = rejected(&error)?;
                    if attempt == ATTEMPTS || args.is_empty() {
                        return Ok(end);
                    }
                }
            }
        }
        Ok(End::Rejected)
    }

    fn compile(
        &self,
        source: &Arc<Source>,
        args: &[Type],
        options: &Options,
    ) -> Result<Compiled, CompileError> {
        self.session.compile(&Request {
            id: DispatcherId(0),
            source,
            args,
            types: &self.session.types.view(),
            ret: None,
            options,
            host: &self.host,
            finish: &|_, module, root, _| {
                module.functions[root].linkage = Linkage::Export;
                Ok(module.functions[root].name.clone())
            },
            symbols: &|_| None,
            dumps: numbra_driver::Dumps::default(),
            print: &|_| (),
            stop: &|| false,
        })
    }

    fn execute(
        &self,
        number: usize,
        compiled: &Compiled,
        checked: bool,
        random: &mut Random,
    ) -> Result<End, String> {
        let found = compiled
            .made_from()
            .module
            .functions
            .iter()
            .find(|(_, f)| f.name == compiled.entry);
        let (root, decl) = found.ok_or("the entry is gone")?;
        let mut args = Vec::new();
        for ty in &compiled.args {
            self.arguments(*ty, random, &mut args)?;
        }
        if args.len() != decl.sig.params.len() {
            return Err(format!(
                "{} leaves for {} parameters",
                args.len(),
                decl.sig.params.len()
            ));
        }
        let want = match (InterpreterExecutor { fuel: FUEL }).run(
            &compiled.made_from().module,
            root,
            &args,
        ) {
            Ok(outcome) => outcome,
            Err(RunError::Unsupported(_)) => return Ok(End::NotInterpreted),
            Err(RunError::Trap(trap)) => {
                return harmless(&trap, checked)
                    .then_some(End::Unfinished)
                    .ok_or(format!("trap: {trap}"));
            }
            Err(error) => return Err(error.to_string()),
        };
        let floats = self.floats(&compiled.args);
        self.compare_unoptimised(compiled, checked, &args, &floats, &want)?;
        let options = cranelift::Options {
            verify: true,
            ..cranelift::Options::default()
        };
        let generate = |module: &_| {
            cranelift::compile(module, &options).map_err(|e| RunError::Failed(e.to_string()))
        };
        let cranelift = CodeExecutor {
            name: "cranelift",
            generate: &generate,
            runtime: runtime(),
        };
        let llvm = CodeExecutor {
            name: "llvm",
            generate: &llvm_code,
            runtime: runtime(),
        };
        let mut executors: Vec<&dyn Executor> = vec![&cranelift];
        if number.is_multiple_of(LLVM_EVERY) {
            executors.push(&llvm);
        }
        for executor in executors {
            let got = executor
                .run(&compiled.made_from().module, root, &args)
                .map_err(|e| format!("{}: {e}", executor.name()))?;
            if !same(&got, &want, &floats) {
                return Err(format!("interpreter {want:?}, {} {got:?}", executor.name()));
            }
        }
        Ok(End::Ran)
    }

    /// What was lowered means what the passes made of it.
    fn compare_unoptimised(
        &self,
        compiled: &Compiled,
        checked: bool,
        args: &[Arg],
        floats: &[Option<usize>],
        want: &Outcome,
    ) -> Result<(), String> {
        let mut plain = compiled.made_from().lowered.clone();
        Pass::PlaceRefs.run(&mut plain);
        let found = plain
            .functions
            .iter()
            .find(|(_, f)| f.name == compiled.entry)
            .map(|(root, _)| root);
        match (InterpreterExecutor { fuel: 10 * FUEL }).run(
            &plain,
            found.ok_or("the entry is gone")?,
            args,
        ) {
            Ok(got) if same(&got, want, floats) => Ok(()),
            Ok(got) => Err(format!("optimised {want:?}, as lowered {got:?}")),
            // Passes remove calls and loads whose result nobody uses.
            Err(RunError::Unsupported(_)) => Ok(()),
            Err(RunError::Trap(trap)) if harmless(&trap, checked) => Ok(()),
            Err(error) => Err(format!("as lowered: {error}")),
        }
    }

    /// Of each array among the arguments how many bytes a float of it has, if it has floats.
    fn floats(&self, args: &[Type]) -> Vec<Option<usize>> {
        let types = &self.session.types;
        let mut found = Vec::new();
        for ty in args {
            match (types.tuple_items(*ty), types.as_array(*ty)) {
                (Some(items), _) => found.extend(self.floats(&items)),
                (None, Some(array)) => {
                    let kind = types.as_scalar(array.dtype).filter(|kind| kind.is_float());
                    found.push(kind.map(|kind| if kind == Scalar::Float32 { 4 } else { 8 }));
                }
                (None, None) => {}
            }
        }
        found
    }

    /// Leaves of a random value of a type.
    fn arguments(&self, ty: Type, random: &mut Random, out: &mut Vec<Arg>) -> Result<(), String> {
        let types = &self.session.types;
        if let Some(items) = types.tuple_items(ty) {
            return items
                .iter()
                .try_for_each(|item| self.arguments(*item, random, out));
        }
        if let TypeKind::Array(array) = types.kind(ty) {
            let (ndim, item) = (
                usize::from(array.ndim),
                types
                    .as_scalar(array.dtype)
                    .ok_or("items of arrays are scalars")?,
            );
            let shape: Vec<usize> = (0..ndim).map(|_| random.below(5)).collect();
            let size = u64::from(
                leaves(types, array.dtype)?
                    .iter()
                    .map(|l| l.size())
                    .sum::<u32>(),
            );
            let count: usize = shape.iter().product();
            let small = |random: &mut Random| random.below(9) as f64 - 4.0;
            let data = (0..count).flat_map(|_| {
                let value = small(random);
                match (item.is_float(), size) {
                    (true, 4) => (value as f32).to_le_bytes().to_vec(),
                    (true, _) => value.to_le_bytes().to_vec(),
                    (false, _) => (value as i64).to_le_bytes()[..size as usize].to_vec(),
                }
            });
            out.push(Arg::Buffer(data.collect()));
            out.push(Arg::Object(Vec::new()));
            out.extend(shape.iter().map(|&n| Arg::Value(LirValue::i64(n as i64))));
            let strides = (0..ndim)
                .map(|axis| shape[axis + 1..].iter().product::<usize>() as i64 * size as i64);
            out.extend(strides.map(|n| Arg::Value(LirValue::i64(n))));
            return Ok(());
        }
        for leaf in leaves(types, ty)? {
            let number = *random.pick(&[0, 1, 2, 3, 5, 10, -1, -7, 100]);
            out.push(Arg::Value(match leaf {
                Ty::F64 => LirValue::f64(number as f64 * 0.75),
                Ty::F32 => LirValue::f32(number as f32 * 0.75),
                Ty::I1 => LirValue::int(leaf, i128::from(number & 1)),
                _ => LirValue::int(leaf, i128::from(number)),
            }));
        }
        Ok(())
    }
}

/// A rejection must be a diagnostic with words, and none of our own failures.
fn rejected(error: &CompileError) -> Result<End, String> {
    let Some(first) = error.diagnostics.first() else {
        return Err("rejected without a diagnostic".to_owned());
    };
    match error
        .diagnostics
        .iter()
        .find(|d| d.class == ErrorClass::InternalError)
    {
        Some(internal) => Err(format!(
            "internal error {}: {}",
            internal.code.0, internal.message
        )),
        None if first.message.is_empty() => Err(format!("{} has no words", first.code.0)),
        None => Ok(End::Rejected),
    }
}

/// Without bounds checks a program may index behind an array, which only the interpreter notices.
fn harmless(trap: &Trap, checked: bool) -> bool {
    match trap {
        Trap::OutOfFuel | Trap::StackOverflow => true,
        Trap::BadAccess { .. } | Trap::Misaligned { .. } | Trap::Overlap => !checked,
        Trap::FalseFact(_)
        | Trap::BadReference(_)
        | Trap::BadCall(_)
        | Trap::Missing(_)
        | Trap::BadArguments
        | Trap::Invalid(_) => false,
    }
}

/// The same but for what is not defined: addresses, and which NaN it is.
fn same(a: &Outcome, b: &Outcome, floats: &[Option<usize>]) -> bool {
    let comparable = |outcome: &Outcome| {
        let mut outcome = outcome.clone();
        for result in &mut outcome.results {
            if let LirValue::Scalar(ty @ Ty::Ptr(_), _) = *result {
                *result = LirValue::Scalar(ty, 0);
            }
        }
        for (bytes, width) in outcome.buffers.iter_mut().zip(floats) {
            if let Some(width) = width {
                same_nans(bytes, *width);
            }
        }
        outcome
    };
    comparable(a).same(&comparable(b))
}

fn llvm_code(module: &Module) -> Result<Artifact, RunError> {
    let target = numbra_llvm::Target::level(CpuLevel::host());
    numbra_llvm::compile(module, &target, numbra_llvm::OptLevel::O3)
        .map_err(|e| RunError::Failed(e.to_string()))
}
