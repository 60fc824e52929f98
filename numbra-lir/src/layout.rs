//! The order of the blocks of a function.

use crate::Block;
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use serde::{Serialize, Serializer};
use std::fmt;

/// Blocks in order: each knows its neighbours, so that one goes in or out without a search or a move of the others.
#[derive(Clone, Default)]
pub struct Layout {
    links: SecondaryMap<Block, Links>,
    first: PackedOption<Block>,
    last: PackedOption<Block>,
    len: usize,
}

#[derive(Clone, Copy, Default)]
struct Links {
    prev: PackedOption<Block>,
    next: PackedOption<Block>,
}

impl Layout {
    /// The blocks of a list, in which each stands once and has a number below `count`.
    pub(crate) fn checked(blocks: &[Block], count: usize) -> Result<Layout, String> {
        let mut layout = Layout::default();
        for &block in blocks {
            if block.as_u32() as usize >= count {
                return Err(format!("layout names {block}, which does not exist"));
            }
            if layout.contains(block) {
                return Err(format!("{block} stands twice in the layout"));
            }
            layout.push(block);
        }
        Ok(layout)
    }

    /// The first block.
    pub fn first(&self) -> Option<Block> {
        self.first.expand()
    }

    /// The last block.
    pub fn last(&self) -> Option<Block> {
        self.last.expand()
    }

    /// The block behind one.
    pub fn next(&self, block: Block) -> Option<Block> {
        self.links[block].next.expand()
    }

    /// The block in front of one.
    pub fn prev(&self, block: Block) -> Option<Block> {
        self.links[block].prev.expand()
    }

    /// Whether a block has a place.
    pub fn contains(&self, block: Block) -> bool {
        self.first() == Some(block) || self.prev(block).is_some()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The blocks in order.
    pub fn iter(&self) -> Blocks<'_> {
        Blocks {
            layout: self,
            front: self.first(),
            back: self.last(),
            left: self.len,
        }
    }

    /// The blocks in order, for a loop that changes the function.
    pub fn walk(&self) -> Walk {
        Walk(self.first())
    }

    /// Puts a block behind all.
    ///
    /// # Panics
    /// If it has a place, like the other methods that insert one.
    pub fn push(&mut self, block: Block) {
        self.insert(self.last(), block, None);
    }

    /// Puts a block in front of another one.
    ///
    /// # Panics
    /// If the other one has no place.
    pub fn insert_before(&mut self, block: Block, next: Block) {
        assert!(self.contains(next), "{next} is not in the layout");
        self.insert(self.prev(next), block, Some(next));
    }

    /// Puts a block behind another one.
    ///
    /// # Panics
    /// If the other one has no place.
    pub fn insert_after(&mut self, block: Block, prev: Block) {
        assert!(self.contains(prev), "{prev} is not in the layout");
        self.insert(Some(prev), block, self.next(prev));
    }

    /// Takes a block out.
    ///
    /// # Panics
    /// If it has no place.
    pub fn remove(&mut self, block: Block) {
        assert!(self.contains(block), "{block} is not in the layout");
        self.join(self.prev(block), self.next(block));
        self.links[block] = Links::default();
        self.len -= 1;
    }

    /// Takes the other blocks out.
    pub fn retain(&mut self, mut keep: impl FnMut(Block) -> bool) {
        let mut walk = self.walk();
        while let Some(block) = walk.next(self) {
            if !keep(block) {
                self.remove(block);
            }
        }
    }

    /// Moves these blocks behind the others and leaves the order among each as it is. Whether any moved.
    pub fn move_back(&mut self, is_late: impl Fn(Block) -> bool) -> bool {
        let Some(end) = self.iter().rev().find(|&block| !is_late(block)) else {
            return false;
        };
        let (mut walk, mut behind) = (self.walk(), end);
        while let Some(block) = walk.next(self).filter(|&block| block != end) {
            if is_late(block) {
                self.remove(block);
                self.insert_after(block, behind);
                behind = block;
            }
        }
        behind != end
    }

    fn insert(&mut self, prev: Option<Block>, block: Block, next: Option<Block>) {
        assert!(!self.contains(block), "{block} is in the layout");
        self.join(prev, Some(block));
        self.join(Some(block), next);
        self.len += 1;
    }

    /// Makes two blocks neighbours; none is the end on that side.
    fn join(&mut self, prev: Option<Block>, next: Option<Block>) {
        match prev {
            Some(prev) => self.links[prev].next = next.into(),
            None => self.first = next.into(),
        }
        match next {
            Some(next) => self.links[next].prev = prev.into(),
            None => self.last = prev.into(),
        }
    }
}

impl FromIterator<Block> for Layout {
    fn from_iter<I: IntoIterator<Item = Block>>(blocks: I) -> Layout {
        let mut layout = Layout::default();
        blocks.into_iter().for_each(|block| layout.push(block));
        layout
    }
}

impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for Layout {}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// As a list of blocks.
impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'a> IntoIterator for &'a Layout {
    type Item = Block;
    type IntoIter = Blocks<'a>;

    fn into_iter(self) -> Blocks<'a> {
        self.iter()
    }
}

/// The blocks of a [`Layout`] in order.
#[derive(Clone)]
pub struct Blocks<'a> {
    layout: &'a Layout,
    front: Option<Block>,
    back: Option<Block>,
    left: usize,
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        self.left = self.left.checked_sub(1)?;
        let block = self.front?;
        self.front = self.layout.next(block);
        Some(block)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl DoubleEndedIterator for Blocks<'_> {
    fn next_back(&mut self) -> Option<Block> {
        self.left = self.left.checked_sub(1)?;
        let block = self.back?;
        self.back = self.layout.prev(block);
        Some(block)
    }
}

impl ExactSizeIterator for Blocks<'_> {}

/// A walk over a [`Layout`] that does not borrow it. The block that it is at may be taken out, and what is inserted
/// behind it is not visited; the block after that must stay.
pub struct Walk(Option<Block>);

impl Walk {
    pub fn next(&mut self, layout: &Layout) -> Option<Block> {
        let block = self.0?;
        self.0 = layout.next(block);
        Some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(layout: &Layout, model: &[Block]) {
        assert_eq!(layout.iter().collect::<Vec<_>>(), model);
        assert_eq!(layout.iter().rev().collect::<Vec<_>>(), reversed(model));
        assert_eq!(layout.iter().len(), model.len());
        assert_eq!(
            (layout.len(), layout.is_empty()),
            (model.len(), model.is_empty())
        );
        assert_eq!(layout.first(), model.first().copied());
        assert_eq!(layout.last(), model.last().copied());
        for block in (0..40).map(Block::from_u32) {
            let at = model.iter().position(|&b| b == block);
            let neighbour = |n: Option<usize>| n.and_then(|n| model.get(n).copied());
            assert_eq!(layout.contains(block), at.is_some());
            assert_eq!(layout.next(block), neighbour(at.map(|n| n + 1)));
            assert_eq!(
                layout.prev(block),
                neighbour(at.and_then(|n| n.checked_sub(1)))
            );
        }
    }

    fn reversed(model: &[Block]) -> Vec<Block> {
        model.iter().rev().copied().collect()
    }

    /// Does the same to a layout and to a vector.
    #[test]
    fn layouts_are_lists() {
        let (mut layout, mut model) = (Layout::default(), Vec::new());
        let mut state = 1_u64;
        let mut below = |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        for _ in 0..2000 {
            let block = Block::from_u32(below(40) as u32);
            match model.iter().position(|&b| b == block) {
                Some(at) => {
                    layout.remove(block);
                    model.remove(at);
                }
                None if model.is_empty() || below(3) == 0 => {
                    layout.push(block);
                    model.push(block);
                }
                None => {
                    let at = below(model.len());
                    if below(2) == 0 {
                        layout.insert_before(block, model[at]);
                        model.insert(at, block);
                    } else {
                        layout.insert_after(block, model[at]);
                        model.insert(at + 1, block);
                    }
                }
            }
            check(&layout, &model);
            if below(50) == 0 {
                let keep = |block: Block| !block.as_u32().is_multiple_of(3);
                layout.retain(keep);
                model.retain(|&block| keep(block));
                check(&layout, &model);
                let is_late = |block: Block| block.as_u32().is_multiple_of(4);
                let before = model.clone();
                model.sort_by_key(|&block| is_late(block));
                assert_eq!(layout.move_back(is_late), model != before);
                check(&layout, &model);
            }
        }
        assert_eq!(model.iter().copied().collect::<Layout>(), layout);
    }

    #[test]
    fn a_walk_goes_on_behind_what_is_removed_and_inserted() {
        let [a, b, c, d] = [0, 1, 2, 3].map(Block::from_u32);
        let mut layout: Layout = [a, b, c].into_iter().collect();
        let (mut walk, mut seen) = (layout.walk(), Vec::new());
        while let Some(block) = walk.next(&layout) {
            seen.push(block);
            if block == a {
                layout.insert_after(d, a);
                layout.remove(a);
            }
        }
        assert_eq!(seen, [a, b, c]);
        check(&layout, &[d, b, c]);
    }

    #[test]
    fn lists_that_are_no_layout_are_refused() {
        let blocks = [0, 1, 0, u32::MAX].map(Block::from_u32);
        let error = |blocks: &[Block]| Layout::checked(blocks, 2).map_err(|e| e.to_string());
        assert_eq!(
            error(&blocks[..2]),
            Ok(blocks[..2].iter().copied().collect())
        );
        assert_eq!(
            error(&blocks[..3]),
            Err("block0 stands twice in the layout".to_owned())
        );
        assert!(error(&blocks[3..]).is_err_and(|e| e.ends_with("which does not exist")));
    }
}
