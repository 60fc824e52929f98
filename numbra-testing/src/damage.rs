//! What is done to texts, dumps and bytes.

use crate::random::Random;
use serde_json::{Number, Value, json};

/// Numbers that a text should not hold.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "64",
    "99",
    "255",
    "65536",
    "1048575",
    "2147483647",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "-1",
    "1e308",
    "0x7fffffffffffffff",
];

/// One to three changes of lines, words, numbers or characters. Most exchange a word for one of its kind, which readers accept.
pub fn text(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..[1, 1, 2, 3][random.below(4)] {
        if lines.is_empty() {
            break;
        }
        match random.below(5) {
            0 | 1 => change(&mut lines, random),
            _ => exchange(&mut lines, random),
        }
    }
    lines.join("\n")
}

/// A word in the place of another that begins in the same way: `v3` for `v17`, `i32` for `i64`; a number for a near one.
fn exchange(lines: &mut [String], random: &mut Random) {
    let at = random.below(lines.len());
    let found = spans(&lines[at], is_word);
    if found.is_empty() {
        return;
    }
    let (from, to) = random.pick(&found);
    let old = &lines[at][from..to];
    if let Ok(number) = old.parse::<u64>() {
        let near = [number.wrapping_add(1), number.wrapping_sub(1), number ^ 8];
        let near = random.pick(&near).to_string();
        lines[at].replace_range(from..to, &near);
        return;
    }
    let first = old.chars().next();
    let mut like: Vec<&str> = Vec::new();
    for _ in 0..8 {
        let line = &lines[random.below(lines.len())];
        let words = spans(line, is_word).into_iter();
        let words = words.map(|(from, to)| &line[from..to]);
        like.extend(words.filter(|word| *word != old && word.chars().next() == first));
    }
    if !like.is_empty() {
        let new = random.pick(&like).to_owned();
        lines[at].replace_range(from..to, &new);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_.$".contains(c)
}

fn change(lines: &mut Vec<String>, random: &mut Random) {
    let (at, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(10) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[other].clone()),
        2 => lines.swap(at, other),
        3 => {
            let word = random.pick(&words(&lines[other])).to_owned();
            replace(&mut lines[at], random, &word);
        }
        4 => replace(&mut lines[at], random, ""),
        5 => {
            let word = random.pick(&words(&lines[at])).to_owned();
            let twice = format!("{word} {word}");
            replace(&mut lines[at], random, &twice);
        }
        6 | 7 => {
            let line = &lines[at];
            let numbers = spans(line, |c| c.is_ascii_digit());
            if !numbers.is_empty() {
                let (from, to) = random.pick(&numbers);
                let number = random.pick(NUMBERS);
                lines[at].replace_range(from..to, number);
            }
        }
        8 => {
            let cut = boundary(&lines[at], random);
            lines[at].truncate(cut);
        }
        _ => {
            let c = char::from_u32(random.below(0x250) as u32).unwrap_or('\u{fffd}');
            let place = boundary(&lines[at], random);
            lines[at].insert(place, c);
        }
    }
}

/// Words and single signs, so that a name is exchanged without the bracket behind it.
fn words(line: &str) -> Vec<&str> {
    let mut out: Vec<&str> = spans(line, is_word)
        .into_iter()
        .map(|(from, to)| &line[from..to])
        .collect();
    out.extend(line.split_whitespace());
    if out.is_empty() {
        out.push("");
    }
    out
}

/// Puts `new` in the place of a word.
fn replace(line: &mut String, random: &mut Random, new: &str) {
    let found = spans(line, is_word);
    if !found.is_empty() {
        let (from, to) = random.pick(&found);
        line.replace_range(from..to, new);
    }
}

/// Where runs of such characters begin and end.
fn spans(line: &str, is: impl Fn(char) -> bool) -> Vec<(usize, usize)> {
    let mut out: Vec<(usize, usize)> = Vec::new();
    for (at, c) in line.char_indices().filter(|(_, c)| is(*c)) {
        match out.last_mut() {
            Some((_, end)) if *end == at => *end = at + c.len_utf8(),
            _ => out.push((at, at + c.len_utf8())),
        }
    }
    out
}

fn boundary(line: &str, random: &mut Random) -> usize {
    let at = random.below(line.len() + 1);
    (0..=at)
        .rev()
        .find(|&at| line.is_char_boundary(at))
        .unwrap_or_default()
}

/// One to three fields or items dropped, doubled, exchanged or of another type; now and then the text of it damaged.
pub fn json(text: &str, random: &mut Random) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return text.to_owned();
    };
    for _ in 0..[1, 1, 2, 3][random.below(4)] {
        let count = nodes(&value);
        let other = node(&mut value, random.below(count)).cloned();
        let at = random.below(count);
        if let Some(found) = node(&mut value, at) {
            change_node(found, other.unwrap_or_default(), random);
        }
    }
    let out = value.to_string();
    match random.once_in(8) {
        true => self::text(&out, random),
        false => out,
    }
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(fields) => fields.values().map(nodes).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Number `at`, from the outside in.
fn node(value: &mut Value, at: usize) -> Option<&mut Value> {
    if at == 0 {
        return Some(value);
    }
    let mut before = 1;
    let mut holds = |child: &Value| {
        let (from, count) = (before, nodes(child));
        before += count;
        (from..before).contains(&at).then(|| at - from)
    };
    match value {
        Value::Array(items) => items
            .iter_mut()
            .find_map(|item| Some((holds(item)?, item)))
            .and_then(|(at, item)| node(item, at)),
        Value::Object(fields) => fields
            .values_mut()
            .find_map(|field| Some((holds(field)?, field)))
            .and_then(|(at, field)| node(field, at)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn change_node(value: &mut Value, other: Value, random: &mut Random) {
    let kind = random.below(6);
    match value {
        Value::Array(items) if !items.is_empty() && kind < 4 => {
            let (a, b) = (random.below(items.len()), random.below(items.len()));
            match kind {
                0 => drop(items.remove(a)),
                1 => items.insert(a, items[b].clone()),
                2 => items.swap(a, b),
                _ => items.truncate(a),
            }
        }
        Value::Object(fields) if !fields.is_empty() && kind < 2 => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = random.pick(&keys);
            match kind {
                0 => drop(fields.remove(&key)),
                _ => drop(fields.insert(key, other)),
            }
        }
        Value::Number(number) if kind < 5 => {
            let near = number.as_i64().unwrap_or_default();
            let small = random.below(12) as u32;
            let new: Number = random.pick(&[
                near.wrapping_add(1).into(),
                near.wrapping_sub(1).into(),
                0_u32.into(),
                small.into(),
                255_u32.into(),
                65_535_u32.into(),
                u32::MAX.into(),
                (-1_i32).into(),
                i64::MAX.into(),
                u64::MAX.into(),
            ]);
            *value = Value::Number(new);
        }
        Value::String(text) if kind < 3 => *text = self::text(text, random),
        _ => {
            *value = match kind {
                0 => Value::Null,
                1 => json!(true),
                2 => json!([other]),
                3 => json!("x"),
                _ => other,
            };
        }
    }
}

/// One to four bytes changed, or the end cut off.
pub fn bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at.max(1)),
            1 => bytes[at] = random.bits() as u8,
            2 => bytes[at] = random.pick(&[0, 1, 0x7f, 0x80, 0xff]),
            _ => bytes[at] ^= 1 << random.below(8),
        }
    }
}
