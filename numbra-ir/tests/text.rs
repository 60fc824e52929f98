//! The text forms, on functions written by hand.

use numbra_ir::{
    NoRows, PrintOptions, Types, parse_func, parse_program, print_func, print_program,
};

const EVERYTHING: &str = r#"function f(a, b=-1.5, /, c, *args, d="x", **kw) generator:
  qualname `g.<locals>.f`
  module __main__
  obj0 = builtins.range function repr "<class 'range'>"
  obj1 = x unresolved
  obj2 = x undefined
  obj3 = numpy module
  obj4 = builtins.ValueError class
  obj5 = d dtype(float32)
  obj6 = t type(array(float64, 1d, C))
  obj7 = g dispatcher(3)
  obj8 = v value((1, None, "s", b"\x00", slice(0, None, -1)))
  obj9 = w typed(float32, 1.5)
  obj10 = arr array(readonly array(int64, 2d, A), 9)
  obj11 = tup tuple(obj0, obj1)
  obj12 = d2 opaque("<class 'dict'>")
  obj13 = `<lambda>` value(0)
bb0:
  a = arg(0, name=a)
  t = const(float, 0.0)
  big = const(int, 123456789012345678901234567890)
  z = const(complex, complex(1.0, nan:0x7ff8000000000001))
  $0 = global(builtins.range)
  $1 = freevar(1, obj2)
  $2 = t
  $3 = a + t static 2
  $4 = a **= t
  mm = a @ t
  $5 = a is not t
  $6 = a not in t
  $7 = -a
  $8 = not a
  $9 = call $0(a, t, k=a, *t)
  $10 = build_tuple()
  $11 = build_list(a)
  $12 = build_set(a, t)
  $13 = build_map(a: t, t: a)
  $14 = build_string(a)
  $15 = getiter(a)
  $16 = iternext($15)
  $17 = pair_first($16)
  $18 = pair_second($16)
  $19 = exhaust_iter(a, count=2)
  $20 = getattr(a, shape)
  $21 = getitem(a, t)
  $22 = static_getitem(a, 0, t)
  $23 = static_getitem(a, slice(None, None, None))
  $24 = cast(a)
  $25 = cast(a, to=OptionalType(int64))
  $26 = make_function(`f.<locals>.<lambda>`, obj13, closure=[a], defaults=[t], kwdefaults=[k=a])
  $27 = exception_match()
  $28 = exception_match($0)
  $29 = null
  $30 = undefined
  $31 = yield(a, 1)
  `call` = a
  `bb1` = `call`
  `print` = arg(1, name=b)
  a[t] = $2
  static_setitem(a, 1, t) = $2
  del a[t]
  (a).attr = t
  del (a).attr
  store_map(a, t) = $2
  print(a, t)
  enter_with a, bb1, bb2
  pop_block
  branch $8, bb1, bb2
bb1 handler bb3:
  t.1 = phi(bb0: t, bb2: undef)
  raise builtins.ValueError("msg", 1)
bb2 handler bb3:
  dynamic_raise obj4(a, t)
bb3:
  del a
  raise
bb4:
  raise a
bb5:
  return a
bb6:
  jump bb5
nested obj13
  function `<lambda>`(x):
    obj0 = a unresolved
  bb0:
    x = arg(0, name=x)
    $0 = freevar(0, a)
    return x
end
"#;

#[test]
fn everything_prints_as_it_was_read() {
    let types = Types::new();
    let func = parse_func(EVERYTHING, &types).unwrap_or_else(|e| panic!("{e}"));
    let printed = print_func(&func, &types, PrintOptions::PLAIN);
    // The object is named where its name is unique.
    let expected = EVERYTHING.replace("dynamic_raise obj4", "dynamic_raise builtins.ValueError");
    assert_eq!(printed, expected);
    let lossless = print_func(&func, &types, PrintOptions::LOSSLESS);
    assert_eq!(
        parse_func(&lossless, &types).as_ref(),
        Ok(&func),
        "{lossless}"
    );
}

const PROGRAM: &str = r#"program fn1

fn0 = prelude row3#1
function square(x: int64) -> int64:
bb0:
  x: int64 = arg(0, name=x)
  $0: int64 = x * x ; calls row7#0 (int64, int64) -> int64
  return $0

fn1 = dispatcher 4
function main(x: int32, y: Tuple(int64, float64)) -> int64:
  obj0 = g dispatcher(5)
  var unused: float64
bb0:
  x: int32 = arg(0, name=x)
  y: Tuple(int64, float64) = arg(1, name=y)
  $0: dispatcher(5, g) = global(g)
  $1: int64 = call $0(x) ; calls fn0 (int64) -> int64
  $2: int64 = call $0(x) ; calls row9#2 (int64, int64, UniTuple(int64 x 2)) -> int64 with (y[0], static 5, (x, static 1))
  return $2
"#;

#[test]
fn program_prints_as_it_was_read() {
    let types = Types::new();
    let program = parse_program(PROGRAM, &types, &NoRows).unwrap_or_else(|e| panic!("{e}"));
    let printed = print_program(&program, &types, &NoRows, PrintOptions::PLAIN);
    assert_eq!(printed, PROGRAM);
    let lossless = print_program(&program, &types, &NoRows, PrintOptions::LOSSLESS);
    assert_eq!(
        parse_program(&lossless, &types, &NoRows).as_ref(),
        Ok(&program),
        "{lossless}"
    );
}

#[test]
fn errors_have_places() {
    let types = Types::new();
    let error = |text: &str| match parse_func(text, &types) {
        Ok(_) => String::from("no error"),
        Err(e) => e.to_string(),
    };
    assert_eq!(
        error(""),
        "1:1: expected a function, found the end of the text"
    );
    assert_eq!(
        error("function f(:\nbb0:"),
        "1:12: expected a parameter name, found `:`"
    );
    assert_eq!(
        error("function f():\n  x = 1"),
        "2:3: expected a block label such as `bb0:`"
    );
    assert_eq!(
        error("function f():\nbb0:\n  x = const(int, 1.5)"),
        "3:13: `1.5` is a float, not a int"
    );
    assert_eq!(
        error("function f():\nbb0:\n  jump b1"),
        "3:8: expected a block such as `bb1`, found `b1`"
    );
    assert_eq!(
        error("function f():\nbb0:\n  $0 = global(range)"),
        "3:15: object `range` is not listed"
    );
    assert_eq!(
        error("function f():\nbb0:\n  x = y ?"),
        "3:9: expected the end of the line, found `?`"
    );
    assert_eq!(
        error("function f():\nbb0:\n  jump bb99999999"),
        "3:8: expected a block such as `bb1`, found `bb99999999`"
    );
}
