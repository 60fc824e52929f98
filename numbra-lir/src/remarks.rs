//! What a generator made of the loops of a module: which run in vectors, and why others do not.

use crate::Module;
use numbra_base::Span;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// One loop of a module's LIR.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopRemark {
    /// The function of the module that holds it.
    pub function: String,
    /// Where it stands: the source of its test.
    pub span: Span,
    /// 1 for outermost loops.
    pub depth: u32,
    /// A copy that passes made for what rarely happens.
    pub cold: bool,
    /// How it runs in vectors, if it does.
    pub vectors: Option<Vectors>,
    /// What the generator says about it, in its words.
    pub notes: Vec<Note>,
}

/// The form of a loop that runs in vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Vectors {
    /// Iterations in one vector; 1 if iterations are only interleaved.
    pub width: u32,
    /// Vectors in one iteration of the new loop.
    pub interleave: u32,
}

/// A sentence about the code at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    pub text: String,
    pub span: Span,
}

/// One line a loop and one a note:
///
/// ```text
/// f.py:3: loop in `f`: vectorised by 4, interleaved by 4
/// f.py:9: loop in `f`: not vectorised
///   f.py:10: cannot identify array bounds
/// ```
pub fn remarks_text(remarks: &[LoopRemark], module: &Module) -> String {
    let place = |span: Span| {
        let file = module.files.get(span.file.0 as usize);
        let file = file.filter(|name| !name.is_empty());
        let file = file.map_or("<unknown>", String::as_str);
        format!("{file}:{}", span.line)
    };
    let mut out = String::new();
    for one in remarks {
        let what = if one.cold {
            "rare copy of loop"
        } else {
            "loop"
        };
        let form = match one.vectors {
            None => "not vectorised".to_owned(),
            Some(Vectors {
                width: 1,
                interleave,
            }) => format!("interleaved by {interleave}"),
            Some(Vectors {
                width,
                interleave: 1,
            }) => format!("vectorised by {width}"),
            Some(Vectors { width, interleave }) => {
                format!("vectorised by {width}, interleaved by {interleave}")
            }
        };
        let (at, function) = (place(one.span), &one.function);
        writeln!(out, "{at}: {what} in `{function}`: {form}").expect("writing to a string");
        for note in &one.notes {
            writeln!(out, "  {}: {}", place(note.span), note.text).expect("writing to a string");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_base::FileId;

    #[test]
    fn a_line_for_each_loop_and_note() {
        let module = Module {
            files: vec![String::new(), "f.py".to_owned()],
            ..Module::default()
        };
        let at = |line| Span::of_line(FileId(1), line);
        let one = |line, vectors, notes: &[(&str, u32)]| LoopRemark {
            function: "f".to_owned(),
            span: at(line),
            depth: 1,
            cold: false,
            vectors,
            notes: (notes.iter())
                .map(|(text, line)| Note {
                    text: (*text).to_owned(),
                    span: at(*line),
                })
                .collect(),
        };
        let vectors = |width, interleave| Some(Vectors { width, interleave });
        let remarks = [
            one(3, vectors(4, 2), &[]),
            one(5, vectors(8, 1), &[]),
            one(7, vectors(1, 2), &[]),
            LoopRemark {
                cold: true,
                ..one(9, None, &[("call instruction cannot be vectorized", 10)])
            },
        ];
        let expected = "\
f.py:3: loop in `f`: vectorised by 4, interleaved by 2
f.py:5: loop in `f`: vectorised by 8
f.py:7: loop in `f`: interleaved by 2
f.py:9: rare copy of loop in `f`: not vectorised
  f.py:10: call instruction cannot be vectorized
";
        assert_eq!(remarks_text(&remarks, &module), expected);
    }
}
