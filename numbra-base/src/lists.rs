//! Many short lists in one piece of memory.

/// Lists by number, made at once. A map of vectors asks for memory for each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lists<T> {
    all: Vec<T>,
    /// Where each list begins; the next one's begin is its end.
    begins: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists {
            all: Vec::new(),
            begins: Vec::new(),
        }
    }
}

impl<T: Copy> Lists<T> {
    /// Each item in the list of its number, in the order given. Linear in items and the highest number.
    ///
    /// ```
    /// let lists = numbra_base::Lists::of_pairs(&[(2, 'x'), (0, 'y'), (2, 'z')]);
    /// assert_eq!([lists.get(0), lists.get(1), lists.get(2), lists.get(9)], [&['y'][..], &[], &['x', 'z'], &[]]);
    /// ```
    pub fn of_pairs(pairs: &[(u32, T)]) -> Lists<T> {
        let Some(&(_, filler)) = pairs.first() else {
            return Lists::default();
        };
        let count = pairs
            .iter()
            .map(|&(n, _)| n as usize + 1)
            .max()
            .unwrap_or(0);
        // Two places on, the length of each list; then where the next item of it goes, one place on; then where it ends.
        let mut begins = vec![0; count + 2];
        for &(n, _) in pairs {
            begins[n as usize + 2] += 1;
        }
        for n in 2..begins.len() {
            begins[n] += begins[n - 1];
        }
        let mut all = vec![filler; pairs.len()];
        for &(n, item) in pairs {
            let at = &mut begins[n as usize + 1];
            all[*at as usize] = item;
            *at += 1;
        }
        begins.pop();
        Lists { all, begins }
    }

    /// The list of a number; empty for one that no item has.
    pub fn get(&self, n: usize) -> &[T] {
        match self.begins.get(n..) {
            Some(&[begin, end, ..]) => &self.all[begin as usize..end as usize],
            _ => &[],
        }
    }
}
