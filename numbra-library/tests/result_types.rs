//! Result types of every row over all scalars, against tables measured on Numba 0.68.1 (`golden/*.txt`).

mod resolver;

use numbra_ir::{Layout, Type, TypeKind, Types};
use numbra_library::Library;
use resolver::resolve;

const CODES: [&str; 13] = [
    "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16",
];
const TYPES: [Type; 13] = [
    Type::BOOL,
    Type::INT8,
    Type::INT16,
    Type::INT32,
    Type::INT64,
    Type::UINT8,
    Type::UINT16,
    Type::UINT32,
    Type::UINT64,
    Type::FLOAT32,
    Type::FLOAT64,
    Type::COMPLEX64,
    Type::COMPLEX128,
];

/// `(name, uses an array as first operand, argument codes, result code)`
type Entry = (String, bool, Vec<usize>, String);

fn parse(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .peekable();
    let mut previous: Vec<(Vec<usize>, String)> = Vec::new();
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split_whitespace().collect();
        let (name, arity) = (words[0], words[1]);
        let array = words.contains(&"array");
        let cells = if words.contains(&"same") {
            previous.clone()
        } else if arity == "1" {
            let row: Vec<&str> = lines.next().expect("one row").split_whitespace().collect();
            (0..13).map(|a| (vec![a], row[a].to_owned())).collect()
        } else {
            (0..13)
                .flat_map(|a| {
                    let row: Vec<&str> = lines
                        .next()
                        .expect("thirteen rows")
                        .split_whitespace()
                        .collect();
                    (0..13)
                        .map(|b| (vec![a, b], row[b].to_owned()))
                        .collect::<Vec<_>>()
                })
                .collect()
        };
        previous = cells.clone();
        entries.extend(
            cells
                .into_iter()
                .map(|(args, ret)| (name.to_owned(), array, args, ret)),
        );
    }
    entries
}

fn code_of(types: &Types, ty: Type) -> String {
    if let Some(at) = TYPES.iter().position(|t| *t == ty) {
        return CODES[at].to_owned();
    }
    match types.kind(ty) {
        TypeKind::Array(array) => code_of(types, array.dtype),
        TypeKind::Range(item) => code_of(types, *item),
        _ => match types.tuple_items(ty) {
            Some(items) => items
                .iter()
                .map(|t| code_of(types, *t))
                .collect::<Vec<_>>()
                .join(","),
            None => types.display(ty).to_string(),
        },
    }
}

/// Compares every entry; `allowed` says where we mean to differ. Returns the differences, one a line.
fn differences(text: &str, allowed: impl Fn(&str, bool, &[&str], &str, &str) -> bool) -> String {
    let types = Types::new();
    let library = Library::standard();
    let mut out = String::new();
    for (name, array, args, want) in parse(text) {
        let Some(id) = library.lookup(&name) else {
            if want != "-" {
                out += &format!("{name}: no row\n");
            }
            continue;
        };
        let mut given: Vec<Type> = args.iter().map(|a| TYPES[*a]).collect();
        if array {
            given[0] = types.array(given[0], 1, Layout::C);
        }
        let got = match resolve(&types, library.row(id), &given) {
            Ok((_, signature)) => code_of(&types, signature.ret),
            Err(_) => "-".to_owned(),
        };
        let codes: Vec<&str> = args.iter().map(|a| CODES[*a]).collect();
        if got != want && !allowed(&name, array, &codes, &want, &got) {
            out += &format!(
                "{name}({}) array={array}: want {want}, got {got}\n",
                codes.join(", ")
            );
        }
    }
    out
}

#[test]
fn operators() {
    let text = differences(
        include_str!("golden/operators.txt"),
        |name, _, _, want, got| {
            // Ours takes any number where Numba's operator.truth takes booleans only.
            name == "operator.truth" && want == "-" && got == "b1"
        },
    );
    assert_eq!(text, "");
}

#[test]
fn builtins() {
    let text = differences(
        include_str!("golden/builtins.txt"),
        |name, _, args, want, got| {
            match name {
                // float(True) is 1.0 in Python; Numba has no implementation.
                "builtins.float" => args == ["b1"] && got == "f8",
                // complex(True), likewise; and Numba's complex(x, z) of a complex part gives no value that Python agrees with.
                "builtins.complex" => {
                    (want == "-" && args.contains(&"b1"))
                        || args.contains(&"c8")
                        || args.contains(&"c16")
                }
                // Numba types min and max of one number, which no Python program can run.
                "builtins.min" | "builtins.max" => args.len() == 1 && got == "-",
                // Through a float and int64 in Numba, whatever its value.
                "builtins.round" => args == ["u8"] && got == "u8",
                // range takes integers only; a mix of int32 and uint64 is ambiguous in Numba.
                // A bound that may be below 0 is none of a range of uint64.
                "builtins.range" => {
                    (args.iter().any(|a| a.starts_with('f')) && got == "-")
                        || (args.iter().any(|a| a.starts_with("u8")) && got == "i8")
                }
                _ => false,
            }
        },
    );
    assert_eq!(text, "");
}

#[test]
fn math() {
    let text = differences(
        include_str!("golden/math.txt"),
        |name, _, args, want, got| {
            // Real arguments of cmath functions convert, as in Python; Numba lacks some of these.
            (name.starts_with("cmath.") && want == "-")
            // Numba's gcd takes floats, unlike Python's.
            || (name == "math.gcd" && args.iter().any(|a| a.starts_with('f')) && got == "-")
            // A prelude body: inference finds its type.
            || (name == "cmath.log" && args.len() == 2 && got == "undefined")
        },
    );
    assert_eq!(text, "");
}

#[test]
fn classes() {
    let text = differences(include_str!("golden/classes.txt"), |_, _, _, _, _| false);
    assert_eq!(text, "");
}

#[test]
fn ufuncs() {
    let text = differences(include_str!("golden/ufuncs.txt"), |_, _, _, _, _| false);
    assert_eq!(text, "");
}

/// `golden/indexing.txt`: `rank layout -> result: indices`.
#[test]
fn indexing() {
    let types = Types::new();
    let library = Library::standard();
    let row = library.row(
        library
            .lookup("operator.getitem")
            .expect("subscripts have a row"),
    );
    let part = |c: char| match c {
        'i' => Type::INT64,
        'u' => Type::UINT8,
        's' => Type::SLICE2,
        't' => Type::SLICE3,
        'n' => Type::NONE,
        _ => Type::ELLIPSIS,
    };
    let array = |text: &str| {
        let layout = match &text[1..] {
            "C" => Layout::C,
            "F" => Layout::F,
            _ => Layout::A,
        };
        types.array(Type::FLOAT64, text[..1].parse().expect("a digit"), layout)
    };
    let mut out = String::new();
    let mut count = 0;
    for line in include_str!("golden/indexing.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let (head, indices) = line.split_once(": ").expect("head: indices");
        let (from, to) = head.split_once(" -> ").expect("array -> result");
        let want = match to {
            "-" => None,
            "x" => Some(Type::FLOAT64),
            to => Some(array(to)),
        };
        for index in indices.split_whitespace() {
            let ty = match index.strip_prefix('(') {
                Some(parts) => {
                    let items: Vec<Type> = parts.trim_end_matches(')').chars().map(part).collect();
                    types.tuple(&items)
                }
                None => part(index.chars().next().expect("a part")),
            };
            let got = resolve(&types, row, &[array(from), ty])
                .ok()
                .map(|(_, s)| s.ret);
            count += 1;
            // Numba types `z[...]` as an element and has no code for it.
            let is_view = from.starts_with('0') && matches!(index, "." | "(.)");
            let want = if is_view { Some(array(from)) } else { want };
            if got != want {
                let show =
                    |t: Option<Type>| t.map_or("-".to_owned(), |t| types.display(t).to_string());
                out += &format!("{from} {index}: want {}, got {}\n", show(want), show(got));
            }
        }
    }
    assert_eq!(out, "");
    assert_eq!(count, 3200);
}
