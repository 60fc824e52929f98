//! Functions of every statement and name, valid references, no meaning.

use crate::random::Random;
use numbra_base::{FileId, Origin, Span};
use numbra_ir::{
    ArgKind, ArgSpec, BinOp, Block, BodyIx, CallArg, CallSite, Callee, Const, DispatcherId,
    EntityRef, Expr, Func, Handler, Instance, ObjDesc, ObjKind, ObjRef, Rhs, RowId, SecondaryMap,
    Signature, StmtKind, TupleClass, Type, TypedFunc, Types, UnaryOp, Var,
};

const NAMES: &[&str] = &[
    "x",
    "call",
    "bb3",
    "obj1",
    "fn2",
    "row3",
    "x.1",
    "f.<locals>.g",
    "a b",
    "`",
    "\"",
    "'",
    "é",
    "名",
    "",
    "\n",
    "end",
    "$1",
    ".0",
    "not",
    "@",
    ";",
    "\\",
    "is",
    "span",
    "qualname",
    "var",
    "0x",
];

const TYPES: &[&str] = &[
    "int64",
    "bool",
    "array(float32, 2d, F)",
    "readonly array(complex128, 1d, A)",
    "Tuple(int64, Literal[str](\"a)\"))",
    "UniTuple(OptionalType(int8) x 3)",
    "Function(numpy.sin, \"<ufunc 'sin'>\")",
    "dispatcher(3, f)",
    "pair<int64, bool>",
    "reflected list(int64)<iv=None>",
    "omitted(default=nan)",
];

fn ty(random: &mut Random, types: &Types) -> Type {
    let text = random.pick(TYPES);
    types.parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn name(random: &mut Random) -> String {
    (*random.pick(NAMES)).to_owned()
}

pub(crate) fn any_const(random: &mut Random, depth: u32) -> Const {
    match random.below(if depth > 2 { 9 } else { 11 }) {
        0 => Const::None,
        1 => Const::Ellipsis,
        2 => Const::Bool(random.chance(2)),
        3 => Const::Int(*random.pick(&[0, 1, -1, 255, i64::MIN, i64::MAX])),
        4 => {
            let big: num_bigint::BigInt = num_bigint::BigInt::from(i64::MAX) * 12345;
            Const::BigInt(if random.chance(2) { big } else { -big })
        }
        5 => Const::Float(float_bits(random)),
        6 => Const::Complex(float_bits(random), float_bits(random)),
        7 => Const::Str(name(random)),
        8 => Const::Bytes((0..random.below(5)).map(|_| random.next() as u8).collect()),
        9 => Const::Tuple(
            (0..random.below(4))
                .map(|_| any_const(random, depth + 1))
                .collect(),
        ),
        _ => Const::Slice(Box::new([
            any_const(random, 3),
            any_const(random, 3),
            any_const(random, 3),
        ])),
    }
}

fn float_bits(random: &mut Random) -> u64 {
    let values = [
        0.0,
        -0.0,
        1.5,
        1e-7,
        1e22,
        1e300,
        5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        0.1,
    ];
    match random.below(4) {
        0 => random.next(),
        1 => 0x7ff8_0000_0000_0001 | (random.next() << 63),
        _ => random.pick(&values).to_bits(),
    }
}

fn span(random: &mut Random) -> Span {
    if random.chance(4) {
        return Span::NONE;
    }
    let line = 1 + random.below(20) as u32;
    Span {
        file: FileId(random.below(3) as u32),
        line,
        col: random.below(9) as u32,
        end_line: line,
        end_col: random.below(9) as u32,
    }
}

fn origin(random: &mut Random) -> Origin {
    *random.pick(&[
        Origin::Bytecode(12),
        Origin::Pass("dead_branch_prune"),
        Origin::Prelude,
        Origin::Compiler,
        Origin::Text,
    ])
}

fn args(random: &mut Random) -> Vec<ArgSpec> {
    use ArgKind::*;
    let mut args = Vec::new();
    for kind in [
        PositionalOnly,
        PositionalOrKeyword,
        VarPositional,
        KeywordOnly,
        VarKeyword,
    ] {
        let starred = matches!(kind, VarPositional | VarKeyword);
        for _ in 0..random.below(if starred { 2 } else { 3 }) {
            let default = (!starred && random.chance(2)).then(|| any_const(random, 0));
            args.push(ArgSpec {
                name: format!("{}{}", name(random), args.len()),
                kind,
                default,
            });
        }
    }
    args
}

fn object(random: &mut Random, types: &Types, index: usize) -> ObjDesc {
    let before = |random: &mut Random| ObjRef::new(random.below(index));
    let kind = match random.below(13) {
        0 => ObjKind::Unresolved,
        1 => ObjKind::Undefined,
        2 => ObjKind::Module,
        3 => ObjKind::Function,
        4 => ObjKind::Class,
        5 => ObjKind::DType(ty(random, types)),
        6 => ObjKind::TypeObject(ty(random, types)),
        7 => ObjKind::Dispatcher(DispatcherId(random.below(9) as u32)),
        8 => ObjKind::Value(any_const(random, 0)),
        9 => ObjKind::Typed(ty(random, types), any_const(random, 0)),
        10 => ObjKind::Array {
            ty: ty(random, types),
            handle: random.next(),
        },
        11 if index > 0 => {
            let items = (0..random.below(3)).map(|_| before(random)).collect();
            let class = random.chance(2).then(|| TupleClass {
                name: name(random),
                fields: (0..random.below(3)).map(|_| name(random)).collect(),
            });
            ObjKind::Tuple(items, class)
        }
        _ => ObjKind::Opaque {
            class: name(random),
        },
    };
    ObjDesc {
        name: name(random),
        kind,
        repr: name(random),
        digest: random.chance(2).then(|| random.next()),
    }
}

/// What statements may refer to.
struct Scope<'a> {
    random: &'a mut Random,
    types: &'a Types,
    vars: usize,
    objects: usize,
    blocks: usize,
}

impl Scope<'_> {
    fn var(&mut self) -> Var {
        Var::new(self.random.below(self.vars))
    }

    fn vars(&mut self) -> Vec<Var> {
        (0..self.random.below(4)).map(|_| self.var()).collect()
    }

    fn maybe(&mut self) -> Option<Var> {
        if self.random.chance(2) {
            Some(self.var())
        } else {
            None
        }
    }

    fn named(&mut self) -> Vec<(String, Var)> {
        (0..self.random.below(3))
            .map(|i| (format!("{}{i}", name(self.random)), self.var()))
            .collect()
    }

    fn obj(&mut self) -> ObjRef {
        ObjRef::new(self.random.below(self.objects))
    }

    fn block(&mut self) -> Block {
        Block::new(self.random.below(self.blocks))
    }

    fn constant(&mut self) -> Const {
        any_const(self.random, 0)
    }

    fn op(&mut self) -> BinOp {
        *self.random.pick(&BinOp::ALL)
    }

    fn static_rhs(&mut self) -> Option<Const> {
        self.random.chance(3).then(|| self.constant())
    }

    fn expr(&mut self) -> Expr {
        match self.random.below(23) {
            0 => Expr::BinOp {
                op: self.op(),
                lhs: self.var(),
                rhs: self.var(),
                static_rhs: self.static_rhs(),
            },
            1 => Expr::InplaceBinOp {
                op: self.op(),
                lhs: self.var(),
                rhs: self.var(),
                static_rhs: self.static_rhs(),
            },
            2 => Expr::Unary {
                op: *self.random.pick(&UnaryOp::ALL),
                value: self.var(),
            },
            3 => Expr::Call {
                func: self.var(),
                args: self.vars(),
                kws: self.named(),
                vararg: self.maybe(),
            },
            4 => Expr::BuildTuple(self.vars()),
            5 => Expr::BuildList(self.vars()),
            6 => Expr::BuildSet(self.vars()),
            7 => Expr::BuildMap(
                (0..self.random.below(3))
                    .map(|_| (self.var(), self.var()))
                    .collect(),
            ),
            8 => Expr::BuildString(self.vars()),
            9 => Expr::PairFirst(self.var()),
            10 => Expr::PairSecond(self.var()),
            11 => Expr::GetIter(self.var()),
            12 => Expr::IterNext(self.var()),
            13 => Expr::ExhaustIter {
                value: self.var(),
                count: self.random.below(5) as u32,
            },
            14 => Expr::GetAttr {
                value: self.var(),
                attr: name(self.random),
            },
            15 => Expr::GetItem {
                value: self.var(),
                index: self.var(),
            },
            16 => Expr::StaticGetItem {
                value: self.var(),
                index: self.constant(),
                index_var: self.maybe(),
            },
            17 => Expr::Cast {
                value: self.var(),
                to: self.random.chance(2).then(|| ty(self.random, self.types)),
            },
            18 => Expr::Phi(
                (0..self.random.below(3))
                    .map(|_| (self.block(), self.maybe()))
                    .collect(),
            ),
            19 => Expr::MakeFunction {
                name: name(self.random),
                code: self.obj(),
                closure: self.vars(),
                defaults: self.vars(),
                kwdefaults: self.named(),
            },
            20 => Expr::ExceptionMatch {
                class: self.maybe(),
            },
            _ => Expr::Null,
        }
    }

    fn rhs(&mut self) -> Rhs {
        match self.random.below(12) {
            0 => Rhs::Arg(self.random.below(4) as u32),
            1 => Rhs::Const(self.constant()),
            2 => Rhs::Global(self.obj()),
            3 => Rhs::FreeVar {
                index: self.random.below(4) as u32,
                obj: self.obj(),
            },
            4 => Rhs::Var(self.var()),
            5 => Rhs::Yield {
                value: self.var(),
                index: self.random.below(9) as u32,
            },
            6 => Rhs::Undefined,
            _ => Rhs::Expr(self.expr()),
        }
    }

    fn stmt(&mut self) -> StmtKind {
        match self.random.below(28) {
            0 => StmtKind::Del(self.var()),
            1 => StmtKind::SetItem {
                target: self.var(),
                index: self.var(),
                value: self.var(),
            },
            2 => StmtKind::StaticSetItem {
                target: self.var(),
                index: self.constant(),
                index_var: self.maybe(),
                value: self.var(),
            },
            3 => StmtKind::DelItem {
                target: self.var(),
                index: self.var(),
            },
            4 => StmtKind::SetAttr {
                target: self.var(),
                attr: name(self.random),
                value: self.var(),
            },
            5 => StmtKind::DelAttr {
                target: self.var(),
                attr: name(self.random),
            },
            6 => StmtKind::StoreMap {
                dict: self.var(),
                key: self.var(),
                value: self.var(),
            },
            7 => StmtKind::Print { args: self.vars() },
            8 => StmtKind::EnterWith {
                manager: self.var(),
                begin: self.block(),
                end: self.block(),
            },
            9 => StmtKind::PopBlock,
            10 => StmtKind::Return(self.var()),
            11 => StmtKind::Jump(self.block()),
            12 => StmtKind::Branch {
                cond: self.var(),
                then: self.block(),
                other: self.block(),
            },
            13 => StmtKind::Raise(self.maybe()),
            14 => StmtKind::StaticRaise {
                class: self.obj(),
                args: (0..self.random.below(3)).map(|_| self.constant()).collect(),
            },
            15 => StmtKind::DynamicRaise {
                class: self.obj(),
                args: self.vars(),
            },
            16 => StmtKind::SetFreeVar {
                index: self.random.below(9) as u32,
                name: name(self.random),
                value: self.var(),
            },
            17 => StmtKind::CheckAssigned {
                var: self.var(),
                name: name(self.random),
                captured: self.random.chance(2),
            },
            _ => StmtKind::Assign {
                target: self.var(),
                value: self.rhs(),
            },
        }
    }
}

/// A function in which anything may stand anywhere.
pub(crate) fn any_func(random: &mut Random, types: &Types, depth: u32) -> Func {
    let mut func = Func::new(name(random), span(random));
    func.qualname = name(random);
    func.module = name(random);
    func.is_generator = random.chance(3);
    func.args = args(random);
    for i in 0..1 + random.below(6) {
        let desc = object(random, types, i);
        func.objects.push(desc);
    }
    for i in 0..1 + random.below(8) {
        let var = func.push_var(format!("{}{}", name(random), "_".repeat(i)));
        if i > 0 && random.chance(3) {
            func.vars[var].version_of = Some(Var::new(random.below(i)));
        }
    }
    let blocks = 1 + random.below(5);
    for _ in 0..blocks {
        func.push_block();
    }
    let mut scope = Scope {
        random,
        types,
        vars: func.vars.len(),
        objects: func.objects.len(),
        blocks,
    };
    for block in func.layout.clone() {
        if scope.random.chance(3) {
            func.blocks[block].handler = Some(Handler {
                block: scope.block(),
            });
        }
        for _ in 0..scope.random.below(8) {
            let kind = scope.stmt();
            let (span, origin) = (span(scope.random), origin(scope.random));
            func.push_stmt(block, kind, span, origin);
        }
    }
    if depth < 2 && scope.random.chance(3) {
        let code = scope.obj();
        func.nested
            .push((code, any_func(scope.random, types, depth + 1)));
    }
    func
}

fn call_arg(random: &mut Random, vars: usize, depth: u32) -> CallArg {
    let var = Var::new(random.below(vars));
    match random.below(if depth > 1 { 3 } else { 4 }) {
        0 => CallArg::Var(var),
        1 => CallArg::Item(var, random.below(4) as u32),
        2 => CallArg::Default(any_const(random, 0)),
        _ => CallArg::Tuple(
            (0..random.below(3))
                .map(|_| call_arg(random, vars, depth + 1))
                .collect(),
        ),
    }
}

/// A typed function in which anything may stand anywhere.
pub(crate) fn any_typed(random: &mut Random, types: &Types) -> TypedFunc {
    let func = any_func(random, types, 0);
    let mut var_types = SecondaryMap::new();
    for var in func.vars.keys() {
        var_types[var] = (!random.chance(4)).then(|| ty(random, types));
    }
    let mut calls = SecondaryMap::new();
    for inst in func.insts.keys() {
        if !random.chance(3) {
            continue;
        }
        let callee = match random.below(4) {
            0 | 1 => Callee::Row(RowId::new(random.below(99)), BodyIx(random.below(3) as u16)),
            2 => Callee::Instance(Instance::new(0)),
            _ => Callee::Map(Instance::new(0)),
        };
        let vars = func.vars.len();
        calls[inst] = Some(CallSite {
            callee,
            sig: Signature {
                params: (0..random.below(3)).map(|_| ty(random, types)).collect(),
                ret: ty(random, types),
            },
            args: (0..random.below(3))
                .map(|_| call_arg(random, vars, 0))
                .collect(),
        });
    }
    TypedFunc {
        args: func.args.iter().map(|_| ty(random, types)).collect(),
        ret: ty(random, types),
        func,
        var_types,
        calls,
    }
}
