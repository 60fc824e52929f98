//! Diagnostics are data; [`render`] is the one place that turns them into text.

use crate::{FileId, FxHashMap, Span};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A stable error code such as `T002`. Each has a page `docs/errors/T002.md`.
/// Letters: `B` bytecode, `I` Numba IR, `T` typing, `L` lowering, `D` driver and dispatch, `C` CUDA.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Code(pub &'static str);

/// The exception class of Numba (or of Python) that users catch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ErrorClass {
    TypingError,
    UnsupportedError,
    UnsupportedBytecodeError,
    LoweringError,
    CompilerError,
    NumbaValueError,
    NumbaTypeError,
    NumbaAssertionError,
    NumbaIndexError,
    NumbaRuntimeError,
    NumbaNotImplementedError,
    ConstantInferenceError,
    VerificationError,
    InternalError,
    /// Plain Python exceptions that Numba raises from the dispatcher.
    TypeError,
    ValueError,
    NameError,
    NotImplementedError,
    MemoryError,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Severity {
    Error,
    Warning,
}

/// A second place worth showing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One thing that is wrong: what (message), where (span, label), what to do (help).
///
/// `message` is in Python's words, lower case unless it quotes Numba, without a full stop.
/// `numba_phrase` is the first line that programs written for Numba match on, when it differs from `message`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    pub code: Code,
    pub class: ErrorClass,
    pub severity: Severity,
    pub message: String,
    pub span: Span,
    /// What we saw at `span`.
    pub label: Option<String>,
    pub secondary: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Option<String>,
    /// Numba's wording, shown at the Python edge ahead of the rendered diagnostic.
    pub numba_phrase: Option<String>,
}

impl Diagnostic {
    pub fn error(
        code: &'static str,
        class: ErrorClass,
        message: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic {
            code: Code(code),
            class,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            numba_phrase: None,
        }
    }

    pub fn warning(
        code: &'static str,
        class: ErrorClass,
        message: impl Into<String>,
        span: Span,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, class, message, span)
        }
    }

    #[must_use]
    pub fn with_label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = Some(text.into());
        self
    }

    #[must_use]
    pub fn with_secondary(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    #[must_use]
    pub fn with_note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    #[must_use]
    pub fn with_numba_phrase(mut self, text: impl Into<String>) -> Diagnostic {
        self.numba_phrase = Some(text.into());
        self
    }
}

/// Source texts by file, as far as they are known. Positions are rendered without text when the file is missing.
#[derive(Clone, Default, Debug)]
pub struct SourceCache {
    files: FxHashMap<FileId, (Arc<str>, Option<Arc<str>>)>,
}

impl SourceCache {
    pub fn insert(&mut self, file: FileId, path: impl Into<Arc<str>>, text: Option<Arc<str>>) {
        self.files.insert(file, (path.into(), text));
    }

    pub fn path(&self, file: FileId) -> Option<&str> {
        self.files.get(&file).map(|(path, _)| &**path)
    }

    pub fn text(&self, file: FileId) -> Option<&str> {
        self.files.get(&file).and_then(|(_, text)| text.as_deref())
    }
}

/// Renders one diagnostic as text without colour:
///
/// ```text
/// error[T002]: unknown attribute `foo` of type int64
///  --> wrong.py:5:12
///   |
/// 5 |     return y.foo(2)
///   |            ^^^^^ `y` is int64
///   |
///   = help: int64 has: real, imag, conjugate
/// ```
pub fn render(diagnostic: &Diagnostic, sources: &SourceCache) -> String {
    use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.0);
    let mut group = annotate_snippets::Group::with_title(title);

    // One snippet a file, the primary one first.
    let mut files = vec![diagnostic.span.file];
    for label in &diagnostic.secondary {
        if label.span.is_known() && !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    let mut placed = false;
    for file in files {
        let Some(text) = sources.text(file) else {
            continue;
        };
        let mut snippet = Snippet::source(text).fold(true);
        if let Some(path) = sources.path(file) {
            snippet = snippet.path(path);
        }
        let mut any = false;
        if diagnostic.span.file == file
            && let Some(range) = byte_range(text, diagnostic.span)
        {
            let mut annotation = AnnotationKind::Primary.span(range);
            if let Some(label) = &diagnostic.label {
                annotation = annotation.label(label.as_str());
            }
            snippet = snippet.annotation(annotation);
            any = true;
        }
        for label in diagnostic.secondary.iter().filter(|l| l.span.file == file) {
            if let Some(range) = byte_range(text, label.span) {
                snippet = snippet.annotation(
                    AnnotationKind::Context
                        .span(range)
                        .label(label.text.as_str()),
                );
                any = true;
            }
        }
        if any {
            group = group.element(snippet);
            placed = true;
        }
    }
    if !placed && diagnostic.span.is_known() {
        let path = sources.path(diagnostic.span.file).unwrap_or("<unknown>");
        let origin = annotate_snippets::Origin::path(path)
            .line(diagnostic.span.line as usize)
            .char_column(diagnostic.span.col as usize + 1);
        group = group.element(origin);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// Byte range of `span` in `text`; whole line when the span has no columns. `None` if it lies outside.
fn byte_range(text: &str, span: Span) -> Option<std::ops::Range<usize>> {
    if !span.is_known() {
        return None;
    }
    let line_start = |line: u32| -> Option<usize> {
        let mut at = 0;
        for _ in 1..line {
            at += text.get(at..)?.find('\n')? + 1;
        }
        (at <= text.len()).then_some(at)
    };
    let start_of_line = line_start(span.line)?;
    let line_end = text[start_of_line..]
        .find('\n')
        .map_or(text.len(), |n| start_of_line + n);
    let (start, end) = if span.end_line == span.line && span.end_col <= span.col {
        let indent =
            text[start_of_line..line_end].len() - text[start_of_line..line_end].trim_start().len();
        (start_of_line + indent, line_end)
    } else {
        let end_base = line_start(span.end_line)?;
        (
            start_of_line + span.col as usize,
            end_base + span.end_col as usize,
        )
    };
    (start <= end && text.is_char_boundary(start) && text.is_char_boundary(end))
        .then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_columns_label_and_help() {
        let mut sources = SourceCache::default();
        sources.insert(
            FileId(1),
            "wrong.py",
            Some("def f(x):\n    return x.foo(2)\n".into()),
        );
        let span = Span {
            file: FileId(1),
            line: 2,
            col: 11,
            end_line: 2,
            end_col: 16,
        };
        let text = render(
            &Diagnostic::error(
                "T002",
                ErrorClass::TypingError,
                "unknown attribute `foo` of type int64",
                span,
            )
            .with_label("`x` is int64")
            .with_help("int64 has: real, imag, conjugate"),
            &sources,
        );
        assert_eq!(
            text,
            "error[T002]: unknown attribute `foo` of type int64\n --> wrong.py:2:12\n  |\n2 |     return x.foo(2)\n  |            ^^^^^ `x` is int64\n  |\n  = help: int64 has: real, imag, conjugate"
        );
    }

    #[test]
    fn missing_source_still_names_the_place() {
        let mut sources = SourceCache::default();
        sources.insert(FileId(1), "gone.py", None);
        let span = Span::of_line(FileId(1), 7);
        let text = render(
            &Diagnostic::error("T001", ErrorClass::TypingError, "x", span),
            &sources,
        );
        assert!(text.contains("gone.py:7:1"), "{text}");
    }
}
