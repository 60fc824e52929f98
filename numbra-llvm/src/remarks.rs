//! LLVM's remarks about loops, by the loops of LIR that they are about.

use crate::emit::{LoopHint, Places};
use numbra_base::Span;
use numbra_lir::Module;
use numbra_lir::remarks::{LoopRemark, Note, Vectors};

/// Sorts messages, each `FILE:LINE:COLUMN: TEXT` with the number of a place for its line, by loops. Loops that LLVM says
/// nothing about (gone, unrolled, or around others) are left out.
pub(crate) fn by_loop(messages: &[String], places: &Places, module: &Module) -> Vec<LoopRemark> {
    let mut found: Vec<Option<LoopRemark>> = vec![None; places.loops.len()];
    for message in messages {
        let Some((line, text)) = parse(message).filter(|(_, text)| is_of_vectors(text)) else {
            continue;
        };
        let Some(place) = places.at_line(line) else {
            continue;
        };
        let Some(number) = place.around else {
            continue;
        };
        let one = &places.loops[number];
        let remark = found[number].get_or_insert_with(|| LoopRemark {
            function: module.functions[one.func].name.clone(),
            span: one.span,
            depth: one.depth,
            cold: one.cold,
            vectors: None,
            notes: Vec::new(),
        });
        let line_of = |line| Some(places.at_line(line)?.span).filter(|span| span.is_known());
        let text = match one.hint {
            Some(LoopHint::NoVectors(why)) if text.contains(DISABLED) => why.text().to_owned(),
            _ => without_places(text, line_of),
        };
        add(remark, &text, place.span);
    }
    let mut remarks: Vec<LoopRemark> = found.into_iter().flatten().collect();
    remarks.sort_by_key(|one| (one.span.file, one.span.line, one.span.col, one.cold));
    remarks
}

/// What LLVM says of loops that ask for no vectors.
const DISABLED: &str = "vectorization is explicitly disabled";

/// A message with lines of the source in the place of numbers of places (`numbra:32:0`), and without advice for C.
fn without_places(text: &str, line_of: impl Fn(usize) -> Option<Span>) -> String {
    const PLACE: &str = "numbra:";
    let text = text.find("Use #pragma").map_or(text, |end| &text[..end]);
    let mut out = String::new();
    let mut rest = text.trim_end();
    while let Some((before, place)) = rest.split_once(PLACE) {
        let end = place.find(|c: char| !c.is_ascii_digit() && c != ':');
        let (place, after) = place.split_at(end.unwrap_or(place.len()));
        let number = place.split(':').next().and_then(|n| n.parse().ok());
        out.push_str(before);
        match number.and_then(&line_of) {
            Some(span) => out.push_str(&format!("line {}", span.line)),
            None => out.push_str("another place"),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn add(remark: &mut LoopRemark, text: &str, span: Span) {
    if let Some(vectors) = vectors(text) {
        remark.vectors.get_or_insert(vectors);
        return;
    }
    let text = text.strip_prefix("loop not vectorized").unwrap_or(text);
    let text = text.trim_start_matches([':', ' ']);
    if text.is_empty() {
        return;
    }
    let span = if span.is_known() { span } else { remark.span };
    let text = text.to_owned();
    let note = Note { text, span };
    if !remark.notes.contains(&note) {
        remark.notes.push(note);
    }
}

/// True if a remark comes from the loop vectoriser: LLVM's interface does not say, and hands over those of all passes, also of
/// the one that packs straight-line scalars.
fn is_of_vectors(text: &str) -> bool {
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    any(&["vectoriz", "interleav"]) && !any(&["SLP", "List vectorization", "horizontal reduction"])
}

/// Line and text of a message.
fn parse(message: &str) -> Option<(usize, &str)> {
    let (place, text) = message.split_once(": ")?;
    let mut numbers = place.rsplit(':');
    let _column = numbers.next()?;
    Some((numbers.next()?.parse().ok()?, text.trim()))
}

/// What `vectorized loop (vectorization width: 4, interleaved count: 2)` says.
fn vectors(text: &str) -> Option<Vectors> {
    let number = |label: &str| -> Option<u32> {
        let (_, rest) = text.split_once(label)?;
        let end = rest.find(|c: char| !c.is_ascii_digit());
        rest[..end.unwrap_or(rest.len())].parse().ok()
    };
    let interleave = number("interleaved count: ")?;
    if text.starts_with("vectorized ") {
        let width = number("vectorization width: ")?;
        return Some(Vectors { width, interleave });
    }
    text.starts_with("interleaved loop").then_some(Vectors {
        width: 1,
        interleave,
    })
}
