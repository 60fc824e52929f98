//! Records in text: `Record(a[type=int64;offset=0;alignment=8;title=t],..;16;True)`.

use crate::Type;
use crate::records::{RecordField, RecordType};
use crate::text::{Cursor, Parse};

/// Most dimensions that NumPy gives an array.
const MAX_RANK: usize = 64;

/// What follows `Record`.
pub(super) fn parse_record<'a>(
    c: &mut Cursor<'a>,
    mut ty: impl FnMut(&mut Cursor<'a>) -> Parse<Type>,
) -> Parse<RecordType> {
    c.expect("(")?;
    let mut fields = Vec::new();
    while !c.peek(";") {
        if !fields.is_empty() {
            c.expect(",")?;
        }
        fields.push(parse_field(c, &mut ty)?);
    }
    c.expect(";")?;
    let size = c.number("a number of bytes")?;
    c.expect(";")?;
    let aligned = match c.word() {
        Some("True") => true,
        Some("False") => false,
        _ => return c.error("expected `True` or `False`"),
    };
    c.expect(")")?;
    Ok(RecordType {
        fields,
        size,
        aligned,
    })
}

fn parse_field<'a>(
    c: &mut Cursor<'a>,
    ty: &mut impl FnMut(&mut Cursor<'a>) -> Parse<Type>,
) -> Parse<RecordField> {
    let name = c.name("a field name")?;
    c.expect("[")?;
    c.expect("type")?;
    c.expect("=")?;
    let ty = ty(c)?;
    c.expect(";")?;
    c.expect("offset")?;
    c.expect("=")?;
    let offset = c.number("an offset")?;
    let (mut alignment, mut title) = (None, None);
    while c.eat(";") {
        let word = c.word().unwrap_or("");
        match word {
            "alignment" => {
                c.expect("=")?;
                alignment = Some(c.number("an alignment")?);
            }
            "title" => {
                c.expect("=")?;
                title = Some(c.name("a title")?);
            }
            _ => return c.error("expected `alignment` or `title`"),
        }
    }
    c.expect("]")?;
    Ok(RecordField {
        name,
        ty,
        offset,
        alignment,
        title,
    })
}

/// `(2, 3)`, `(2,)`
pub(super) fn parse_shape(c: &mut Cursor<'_>) -> Parse<Vec<u32>> {
    c.expect("(")?;
    let mut shape = Vec::new();
    while !c.eat(")") {
        if shape.len() >= MAX_RANK {
            return c.error("too many dimensions");
        }
        shape.push(c.number("an extent")?);
        if !c.eat(",") {
            c.expect(")")?;
            break;
        }
    }
    Ok(shape)
}
