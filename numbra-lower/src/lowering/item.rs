//! Memory form of the items of containers: the leaves one after the other, each at its own alignment.

use super::model::leaves;
use numbra_abi::TEXT_PART;
use numbra_ir::{Type, Types};
use numbra_library::native;
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

/// What makes the first items of a type equal, in memory of this layout: for each part its number (a position in
/// [`numbra_abi::Kind::ALL`], or [`TEXT_PART`]) and its byte. `None` for types without equality.
pub fn item_parts(types: &Types, ty: Type, layout: &ItemLayout) -> Option<Vec<(usize, usize)>> {
    fn walk(types: &Types, ty: Type, out: &mut Vec<(usize, usize)>) -> Option<()> {
        if let Some(items) = types.tuple_items(ty) {
            return items.iter().try_for_each(|item| walk(types, *item, out));
        }
        let number = match types.as_scalar(ty) {
            Some(scalar) => native::element(scalar)?.position(),
            None if ty == Type::UNICODE => TEXT_PART as usize,
            None => return None,
        };
        out.push((number, leaves(types, ty).ok()?.len()));
        Some(())
    }
    let mut parts = Vec::new();
    walk(types, ty, &mut parts)?;
    let mut at = 0;
    for (_, part) in &mut parts {
        let count = std::mem::replace(part, layout.leaves.get(at)?.1 as usize);
        at += count;
    }
    Some(parts)
}
