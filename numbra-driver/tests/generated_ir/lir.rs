//! Programs in LIR, generated as LIR: functions that call each other over arrays and views that share memory, owned by
//! counted references, in branches, loops, switches, guards, failures and handlers of failures.
//!
//! Every array is four variables: the address of its first element, its owner, its extent and its stride in bytes, as
//! lowering has them. Indices are in bounds or guarded, every round of a loop costs one of a function's fuel, and what
//! calls itself counts down.

mod expressions;
mod statements;

use crate::kinds::Item;
use crate::lir_code::Code;
use numbra_base::Span;
use numbra_lir::interp::{Arg, LirValue};
use numbra_lir::{
    BinaryOp, Block, Exception, ExceptionId, Func, FuncDecl, FuncRef, InstBuilder, InstKind, IntCc,
    Linkage, Module, Signature, Slot, Terminator, Ty, Value,
};
use numbra_testing::random::Random;

/// Rounds of the loops of the entry, and of one call of another function.
const FUEL: (i128, i128) = (40, 8);
/// Elements of the buffer that the arrays of the entry lie in.
const ROOM: usize = 24;
/// What the elements of arrays are.
const ELEMENTS: [(Ty, Item); 6] = [
    (Ty::I64, Item::I64),
    (Ty::F64, Item::F64),
    (Ty::I32, Item::I32),
    (Ty::I16, Item::I16),
    (Ty::I8, Item::I8),
    (Ty::F32, Item::F32),
];

/// A module, its entry, and what the elements of its buffer are.
pub(crate) struct Program {
    pub(crate) module: Module,
    pub(crate) item: Item,
    views: Vec<(usize, i64, i64)>,
}

/// A function that others may call.
#[derive(Clone)]
struct Callee {
    id: FuncRef,
    arrays: usize,
    /// It gives an array, not a number.
    gives_array: bool,
    /// It calls itself: its first number counts down.
    recursive: bool,
}

pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let mut module = Module {
        name: "programs".to_owned(),
        ..Module::default()
    };
    let (elem, item) = random.pick(&ELEMENTS);
    let exception = |class: &str, args: Vec<Option<String>>| Exception {
        class: class.to_owned(),
        args,
        function: "f".to_owned(),
        span: Span::NONE,
    };
    let plain = exception(
        "builtins.IndexError",
        vec![Some("'out of range'".to_owned())],
    );
    let errors = [
        module.exceptions.push(plain),
        module
            .exceptions
            .push(exception("builtins.ValueError", vec![None])),
    ];
    let mut callees: Vec<Callee> = Vec::new();
    for n in 0..random.below(4) {
        let (arrays, gives_array) = (1 + random.below(3), random.once_in(2));
        let recursive = random.once_in(3);
        let sig = signature(arrays, gives_array);
        let id = module.functions.next_key();
        let callee = Callee {
            id,
            arrays,
            gives_array,
            recursive,
        };
        let mut known = callees.clone();
        if recursive {
            known.push(callee.clone());
        }
        let maker = Maker::new(&mut random, sig.clone(), elem, errors, &known);
        let body = maker.function(&callee);
        declare(
            &mut module,
            &format!("callee{n}"),
            Linkage::Local,
            sig,
            body,
            &mut random,
        );
        callees.push(callee);
    }
    let arrays = 2 + random.below(2);
    let mut params = array_params(arrays);
    params.extend([Ty::I64, Ty::I64]);
    let sig = Signature::new(&params, &[Ty::I64, Ty::I64, Ty::F64], true);
    let body = Maker::new(&mut random, sig.clone(), elem, errors, &callees).entry(arrays);
    declare(
        &mut module,
        "entry",
        Linkage::Export,
        sig,
        body,
        &mut random,
    );
    let views = (1..arrays).map(|_| view(&mut random)).collect();
    Program {
        module,
        item,
        views,
    }
}

fn declare(
    module: &mut Module,
    name: &str,
    linkage: Linkage,
    sig: Signature,
    body: Func,
    random: &mut Random,
) {
    module.functions.push(FuncDecl {
        name: name.to_owned(),
        linkage,
        sig,
        body: Some(body),
        inline_always: false,
        inline_never: linkage == Linkage::Local && random.once_in(3),
    });
}

fn array_params(arrays: usize) -> Vec<Ty> {
    let array = [Ty::PTR, Ty::Ref, Ty::I64, Ty::I64];
    array.iter().copied().cycle().take(4 * arrays).collect()
}

fn signature(arrays: usize, gives_array: bool) -> Signature {
    let mut params = array_params(arrays);
    params.extend([Ty::I64, Ty::I64]);
    let results: &[Ty] = if gives_array {
        &[Ty::PTR, Ty::Ref, Ty::I64, Ty::I64]
    } else {
        &[Ty::I64]
    };
    Signature::new(&params, results, true)
}

/// First element, extent and step, in elements, of a view of the buffer.
fn view(random: &mut Random) -> (usize, i64, i64) {
    let step = random.pick(&[1, 1, 2, -1, -3]);
    let extent = random.below(7) as i64;
    let reach = step * (extent - 1).max(0);
    let low = (-reach).max(0);
    let first = low + random.below((ROOM as i64 - reach.abs()) as usize) as i64;
    (first as usize, extent, step)
}

impl Program {
    /// Arguments of some calls: the whole buffer, and views of it.
    pub(crate) fn calls(&self, random: &mut Random, count: u64) -> Vec<Vec<Arg>> {
        (0..count).map(|_| self.call(random)).collect()
    }

    fn call(&self, random: &mut Random) -> Vec<Arg> {
        let size = self.item.size() as i64;
        let number = |n: i64| Arg::Value(LirValue::i64(n));
        let content = (0..ROOM).flat_map(|_| self.item.bytes(random.below(19) as i64 - 6));
        let mut args = vec![
            Arg::Buffer(content.collect()),
            Arg::Object(Vec::new()),
            number(ROOM as i64),
            number(size),
        ];
        for (first, extent, step) in &self.views {
            args.extend([
                Arg::Within(0, first * size as usize),
                Arg::Object(Vec::new()),
                number(*extent),
                number(step * size),
            ]);
        }
        for _ in 0..2 {
            args.push(number(random.pick(&[
                -9,
                -1,
                0,
                1,
                2,
                5,
                24,
                i64::MAX,
                i64::MIN,
            ])));
        }
        args
    }
}

/// The variables of an array.
#[derive(Clone, Copy)]
struct Array {
    data: Slot,
    owner: Slot,
    extent: Slot,
    stride: Slot,
}

/// The values of an array.
#[derive(Clone, Copy)]
struct Parts {
    data: Value,
    owner: Value,
    extent: Value,
    stride: Value,
}

/// A function that is being made.
struct Maker<'a> {
    random: &'a mut Random,
    code: Code,
    elem: Ty,
    errors: [ExceptionId; 2],
    callees: &'a [Callee],
    ints: Vec<Slot>,
    floats: Vec<Slot>,
    arrays: Vec<Array>,
    fuel: Slot,
    error: Block,
    loops: Vec<(Block, Block)>,
    left: usize,
}

impl<'a> Maker<'a> {
    fn new(
        random: &'a mut Random,
        sig: Signature,
        elem: Ty,
        errors: [ExceptionId; 2],
        callees: &'a [Callee],
    ) -> Maker<'a> {
        let mut code = Code::new(sig);
        let fuel = code.slot(Ty::I64);
        let error = code.block();
        Maker {
            random,
            code,
            elem,
            errors,
            callees,
            ints: Vec::new(),
            floats: Vec::new(),
            arrays: Vec::new(),
            fuel,
            error,
            loops: Vec::new(),
            left: 16,
        }
    }

    fn size(&self) -> i128 {
        i128::from(self.elem.size())
    }

    /// Takes the parameters into variables: arrays, then two numbers; and makes some more.
    fn start(&mut self, arrays: usize, fuel: i128) {
        for n in 0..arrays {
            let [data, owner, extent, stride] =
                [0, 1, 2, 3].map(|leaf| self.code.param(4 * n + leaf));
            let array = self.new_array();
            self.assign(
                array,
                Parts {
                    data,
                    owner,
                    extent,
                    stride,
                },
                false,
            );
        }
        for n in 0..4 {
            let slot = self.code.slot(Ty::I64);
            let value = if n < 2 {
                self.code.param(4 * arrays + n)
            } else {
                self.code.int(n as i128)
            };
            self.code.set(slot, value);
            self.ints.push(slot);
        }
        for n in 0..2 {
            let slot = self.code.slot(Ty::F64);
            let value = self.code.float(f64::from(n) + 0.5);
            self.code.set(slot, value);
            self.floats.push(slot);
        }
        let fuel = self.code.int(fuel);
        self.code.set(self.fuel, fuel);
        for _ in 0..2 {
            let parts = self.allocate();
            let array = self.new_array();
            self.assign(array, parts, false);
        }
    }

    fn new_array(&mut self) -> Array {
        let array = Array {
            data: self.code.slot(Ty::PTR),
            owner: self.code.slot(Ty::Ref),
            extent: self.code.slot(Ty::I64),
            stride: self.code.slot(Ty::I64),
        };
        self.arrays.push(array);
        array
    }

    /// Assigns an array variable; what it held ends there, if it held something.
    fn assign(&mut self, array: Array, parts: Parts, again: bool) {
        if again {
            let old = self.code.get(array.owner, Ty::Ref);
            self.code.keep(vec![old]);
        }
        self.code.set(array.owner, parts.owner);
        self.code.set(array.data, parts.data);
        self.code.set(array.extent, parts.extent);
        self.code.set(array.stride, parts.stride);
    }

    fn parts(&mut self, array: Array) -> Parts {
        Parts {
            data: self.code.get(array.data, Ty::PTR),
            owner: self.code.get(array.owner, Ty::Ref),
            extent: self.code.get(array.extent, Ty::I64),
            stride: self.code.get(array.stride, Ty::I64),
        }
    }

    fn some_array(&mut self) -> Array {
        let n = self.random.below(self.arrays.len());
        self.arrays[n]
    }

    /// A function of the signature of [`signature`].
    fn function(mut self, callee: &Callee) -> Func {
        self.left = 8;
        self.start(callee.arrays, FUEL.1);
        if callee.recursive {
            // Ends where its first number is not positive, or more than it may be.
            let depth = self.code.param(4 * callee.arrays);
            let limit = self.code.int(4);
            let ends = self.code.block();
            let goes_on = self.code.block();
            let inside = self.code.icmp(IntCc::Ult, depth, limit);
            self.code.branch(inside, goes_on, ends);
            self.code.at = ends;
            self.give(callee.gives_array);
            self.code.at = goes_on;
            let zero = self.code.int(0);
            let positive = self.code.icmp(IntCc::Ne, depth, zero);
            let (more, done) = (self.code.block(), self.code.block());
            self.code.branch(positive, more, done);
            self.code.at = done;
            self.give(callee.gives_array);
            self.code.at = more;
        }
        self.statements(2);
        if callee.recursive {
            let depth = self.code.param(4 * callee.arrays);
            let one = self.code.int(1);
            let less = self.code.binary(BinaryOp::ISub, depth, one);
            self.call(callee, Some(less));
            self.statements(1);
        }
        self.give(callee.gives_array);
        self.finish()
    }

    /// Returns a number or an array.
    fn give(&mut self, array: bool) {
        let result = if array {
            let chosen = self.some_array();
            let parts = self.parts(chosen);
            vec![parts.data, parts.owner, parts.extent, parts.stride]
        } else {
            vec![self.int(1)]
        };
        self.keep_all();
        self.code.end(Terminator::Return(result));
    }

    fn keep_all(&mut self) {
        for array in self.arrays.clone() {
            let owner = self.code.get(array.owner, Ty::Ref);
            self.code.keep(vec![owner]);
        }
    }

    fn entry(mut self, arrays: usize) -> Func {
        self.start(arrays, FUEL.0);
        while self.left > 4 {
            self.statement(3);
        }
        // Every array goes into the result.
        let sum = self.code.slot(Ty::I64);
        for array in self.arrays.clone() {
            self.each_index(array, |maker, parts, at| {
                let addr = maker.address(parts, at);
                let value = maker.load(addr);
                let wide = maker.as_int(value);
                let (before, factor) = (maker.code.get(sum, Ty::I64), maker.code.int(31));
                let product = maker.code.binary(BinaryOp::IMul, before, factor);
                let after = maker.code.binary(BinaryOp::IAdd, product, wide);
                maker.code.set(sum, after);
            });
        }
        let sum = self.code.get(sum, Ty::I64);
        let (int, float) = (self.ints[0], self.floats[0]);
        let results = vec![
            sum,
            self.code.get(int, Ty::I64),
            self.code.get(float, Ty::F64),
        ];
        self.keep_all();
        self.code.end(Terminator::Return(results));
        self.finish()
    }

    fn finish(mut self) -> Func {
        self.code.at = self.error;
        let kind = InstKind::SetError {
            exception: self.errors[0],
            args: Vec::new(),
        };
        self.code.inst(kind, &[]);
        self.code.end(Terminator::Fail);
        self.code.func
    }
}
