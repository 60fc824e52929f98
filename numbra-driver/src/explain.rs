//! The pages about diagnostic codes (`docs/errors`), which travel with the program.

/// Code and page, sorted by code; `build.rs` makes it.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/error_pages.rs"));

/// The page about a code such as `T004`, in upper or lower case, in Markdown.
///
/// # Errors
/// Where there is no such code: which there are.
pub fn explain(code: &str) -> Result<&'static str, String> {
    let wanted = code
        .trim_matches(|c| c == '[' || c == ']')
        .to_ascii_uppercase();
    PAGES
        .binary_search_by_key(&wanted.as_str(), |(code, _)| code)
        .map(|place| PAGES[place].1)
        .map_err(|_| {
            let codes: Vec<&str> = PAGES.iter().map(|(code, _)| *code).collect();
            format!("no code '{code}'; there are {}", codes.join(", "))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_begins_with_its_code() {
        for (code, page) in PAGES {
            assert!(page.starts_with(&format!("# {code}: ")), "{code}");
            assert_eq!(explain(&code.to_lowercase()), Ok(*page));
        }
        assert!(explain("T9").unwrap_err().contains("T004"));
    }
}
