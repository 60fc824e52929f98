//! Names that were probably meant.

/// The candidate that differs least from a name: by one letter left out, added, replaced or exchanged with the next one, or by
/// two in names of more than seven. `None` where all differ more.
///
/// All look-ups of names ask here: modules, methods, variables, keyword arguments.
pub fn nearest_name<S: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = S>,
) -> Option<String> {
    let wanted: Vec<char> = name.chars().collect();
    let most = match wanted.len() {
        0..=2 => 0,
        3..=7 => 1,
        _ => 2,
    };
    let mut best: Option<(usize, usize, String)> = None;
    for candidate in candidates {
        let candidate = candidate.as_ref();
        let letters: Vec<char> = candidate.chars().collect();
        if letters.len().abs_diff(wanted.len()) > most || candidate == name || letters.len() < 2 {
            continue;
        }
        let rank = (
            distance(&wanted, &letters),
            letters.len(),
            candidate.to_owned(),
        );
        if rank.0 <= most && best.as_ref().is_none_or(|best| rank < *best) {
            best = Some(rank);
        }
    }
    best.map(|(_, _, name)| name)
}

/// How many edits make one word of the other: optimal string alignment.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest_name;

    #[test]
    fn one_edit_of_short_names_and_two_of_long_ones() {
        let names = ["sum", "cumsum", "shape", "concatenate", "prod"];
        for (name, near) in [
            ("summ", Some("sum")),
            ("sm", None),
            ("shpae", Some("shape")),
            ("concatnte", Some("concatenate")),
            ("prodct", None),
            ("shape", None),
            ("x", None),
        ] {
            assert_eq!(nearest_name(name, names).as_deref(), near, "{name}");
        }
    }
}
