//! Relative links of the Markdown files lead somewhere.

use std::path::{Component, Path, PathBuf};

use crate::source_tree::{SourceFile, SourceTree};
use crate::tidy::Findings;

/// Follows every relative link, anchors included.
pub(crate) fn check(tree: &SourceTree) -> Result<Findings, String> {
    let mut found = Findings::default();
    for file in tree.with_extension("md") {
        for (number, target) in targets(&file.text) {
            if let Some(why) = broken(tree, file, target) {
                found
                    .errors
                    .push(format!("{}:{number}: {target}: {why}", file.path));
            }
        }
    }
    Ok(found)
}

/// `](target)` outside of code fences and code spans, with line numbers.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut fenced = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        // Even pieces between backquotes are prose.
        for prose in line.split('`').step_by(2) {
            for rest in prose.split("](").skip(1) {
                if let Some((target, _)) = rest.split_once(')') {
                    out.push((number + 1, target));
                }
            }
        }
    }
    out
}

fn broken(tree: &SourceTree, from: &SourceFile, target: &str) -> Option<&'static str> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let to = if path.is_empty() {
        PathBuf::from(&from.path)
    } else {
        resolve(
            Path::new(&from.path).parent().unwrap_or(Path::new("")),
            path,
        )
    };
    if !tree.root.join(&to).exists() {
        return Some("no such file");
    }
    let page = tree
        .files
        .iter()
        .find(|f| Path::new(&f.path) == to && f.path.ends_with(".md"))?;
    let headings = page.text.lines().filter(|l| l.starts_with('#')).map(slug);
    (!anchor.is_empty() && !headings.into_iter().any(|h| h == anchor)).then_some("no such heading")
}

/// `a/b` + `../c` = `a/c`, without touching the file system.
fn resolve(base: &Path, relative: &str) -> PathBuf {
    let mut out = base.to_owned();
    for part in Path::new(relative).components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::Normal(name) => out.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    out
}

/// The anchor of a heading, as Markdown renderers make it.
fn slug(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_code_are_not_links() {
        let text = "a [b](c.md) `[x](y)`\n```\n[z](z)\n```\n[e](f#g)";
        assert_eq!(targets(text), [(1, "c.md"), (5, "f#g")]);
    }

    #[test]
    fn slugs() {
        assert_eq!(
            slug("## 2. Dependency direction, `x`"),
            "2-dependency-direction-x"
        );
    }
}
