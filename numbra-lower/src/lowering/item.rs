//! Memory form of the items of containers: the leaves one after the other, each at its own alignment.

use super::model::leaves;
use numbra_ir::{Type, Types};
use numbra_lir::Ty;

/// Where the leaves of an item stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemLayout {
    /// Bytes of an item, a multiple of its alignment, 1 at least.
    pub size: u32,
    /// The leaves with the byte at which each stands; `i1` takes one byte.
    pub leaves: Vec<(Ty, u32)>,
    /// Bit `i`: 8-byte word `i` is a counted reference.
    pub refs: u64,
}

/// The memory form of items of a type. An error names what has none.
pub fn item_layout(types: &Types, ty: Type) -> Result<ItemLayout, String> {
    let mut at = 0_u32;
    let mut align = 1;
    let mut refs = 0;
    let mut places = Vec::new();
    for leaf in leaves(types, ty)? {
        let size = leaf.size();
        at = at.next_multiple_of(size);
        align = align.max(size);
        if leaf == Ty::Ref {
            if at / 8 >= u64::BITS {
                return Err(format!(
                    "items of type {}, with references beyond 512 bytes, are not supported in containers",
                    types.display(ty)
                ));
            }
            refs |= 1 << (at / 8);
        }
        places.push((leaf, at));
        at += size;
    }
    Ok(ItemLayout {
        size: at.next_multiple_of(align).max(1),
        leaves: places,
        refs,
    })
}
