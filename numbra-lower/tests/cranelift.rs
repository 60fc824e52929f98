//! Every filetest on machine code of Cranelift, at each CPU level that this machine has.
#![cfg(feature = "cranelift")]

use numbra_lir::artifact::CpuLevel;
use numbra_lir::interp::{InterpreterExecutor, RunError};
use numbra_lir::text::{Form, print};
use numbra_lower::cranelift::{CodegenError, OptLevel, Options, compile};
use numbra_lower::jit::{CodeExecutor, keep_code, load};
use numbra_opt::{CRANELIFT, HOST};
use numbra_testing::filetest::{check_filetests, directories};
use numbra_testing::machine_code::{remembering, runtime};
use numbra_testing::random_lir::{self, FUNCTIONS, outcomes};
use std::sync::Arc;

fn check(opt: OptLevel, cpu: CpuLevel) {
    let options = Options {
        opt,
        cpu,
        verify: true,
        ..Options::default()
    };
    let generate = remembering(|module| match compile(module, &options) {
        Ok(artifact) => Ok(artifact),
        Err(CodegenError::Unsupported { what, .. }) => Err(RunError::Unsupported(what)),
        Err(error) => Err(RunError::Failed(error.to_string())),
    });
    let executor = CodeExecutor {
        name: "cranelift",
        generate: &generate,
        runtime: runtime(),
    };
    for directory in directories() {
        check_filetests(&directory, &[&executor], &format!("{cpu} {opt:?}"));
    }
}

#[test]
fn filetests_at_every_cpu_level() {
    for cpu in CpuLevel::ALL {
        if cpu <= CpuLevel::host() {
            check(OptLevel::Speed, cpu);
        }
    }
}

#[test]
fn filetests_unoptimised() {
    check(OptLevel::None, CpuLevel::host());
}

/// Imports may be objects, such as Python's `None`: what is taken is their own address, however far away.
#[test]
fn addresses_of_imports_are_their_own() {
    let text = "function import @anywhere()\n\n\
                function export @address() -> (ptr) {\n\
                block0:\n  v0 = func_addr @anywhere\n  return v0\n}\n";
    let module = numbra_lir::text::parse(text).expect("the text is LIR");
    let artifact = Arc::new(compile(&module, &Options::default()).expect("it compiles"));
    for address in [8, 0x0012_3450, usize::MAX - 7] {
        let lookup = |name: &str| (name == "anywhere").then_some(address as *const u8);
        let loaded = Arc::new(load(Arc::clone(&artifact), &[], &lookup).expect("it loads"));
        // SAFETY: the function has this signature: one result, by its address.
        let function = unsafe { loaded.function::<extern "C" fn() -> usize>("address") };
        assert_eq!((*function.expect("it is exported"))(), address);
    }
}

/// Who keeps code beyond its artifact keeps its memory and what it needs.
#[test]
fn code_that_is_kept_keeps_what_it_needs() {
    let text =
        "function export @seven() -> (i64) {\nblock0:\n  v0: i64 = iconst 7\n  return v0\n}\n";
    let module = numbra_lir::text::parse(text).expect("the text is LIR");
    let artifact = Arc::new(compile(&module, &Options::default()).expect("it compiles"));
    let loaded = load(artifact, &[], &|_| None).expect("it loads");
    let needs = Arc::new(());
    loaded.keep(Box::new(Arc::clone(&needs)));
    let address = loaded.address("seven").expect("it is exported");
    let kept = keep_code(address).expect("it is code");
    drop(loaded);
    // SAFETY: the function has this signature, and its memory is kept.
    let seven = unsafe { std::mem::transmute::<*const u8, extern "C" fn() -> i64>(address) };
    assert_eq!((seven(), Arc::strong_count(&needs)), (7, 2));
    drop(kept);
    assert_eq!(Arc::strong_count(&needs), 1);
    assert!(keep_code(address).is_none());
}

#[test]
fn machine_code_does_what_the_interpreter_does() {
    let options = Options {
        verify: true,
        ..Options::default()
    };
    let generate = remembering(|module| {
        compile(module, &options).map_err(|e| RunError::Failed(e.to_string()))
    });
    let code = CodeExecutor {
        name: "cranelift",
        generate: &generate,
        runtime: runtime(),
    };
    let interpreter = InterpreterExecutor::default();
    for seed in 1..=FUNCTIONS {
        let (mut module, f) = random_lir::module(seed);
        HOST.run(&mut module);
        CRANELIFT.run(&mut module);
        let expected = outcomes(&interpreter, &module, f, seed);
        let got = outcomes(&code, &module, f, seed);
        for (a, b) in expected.iter().zip(&got) {
            let text = print(&module, Form::Plain);
            assert!(a.same(b), "seed {seed}: {a:?} as code {b:?}\n{text}");
        }
    }
}
