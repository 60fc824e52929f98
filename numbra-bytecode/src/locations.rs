//! The location table of CPython 3.11 and later.

use crate::code::Position;

/// Decodes `co_linetable`: one position a code unit, as `co_positions()` gives them. Ends where the table is cut off.
///
/// ```
/// // Two units of line 7, columns 4 to 9; then one without a place.
/// let table = [0x80 | 0 << 3 | 1, 0x45, 0x80 | 15 << 3];
/// let all = numbra_bytecode::parse_location_table(&table, 7);
/// assert_eq!([all[0].line, all[0].end_line, all[0].col, all[0].end_col], [7, 7, 4, 9]);
/// assert_eq!((all[1], all[2].line, all.len()), (all[0], -1, 3));
/// ```
// InternalDocs/code_objects.md in CPython: each entry begins with a byte that has bit 7 set, its kind in bits 3 to 6 and its
// length in code units, less one, in bits 0 to 2.
pub fn parse(table: &[u8], firstlineno: u32) -> Vec<Position> {
    let mut positions = Vec::with_capacity(table.len());
    let mut reader = Reader {
        rest: table.iter(),
        line: firstlineno as i32,
    };
    while let Some((position, units)) = reader.entry() {
        positions.resize(positions.len() + units, position);
    }
    positions
}

struct Reader<'a> {
    rest: std::slice::Iter<'a, u8>,
    /// Of the last entry that has one: lines are told by their difference.
    line: i32,
}

impl Reader<'_> {
    fn entry(&mut self) -> Option<(Position, usize)> {
        let first = self.byte()?;
        let (kind, units) = (first >> 3 & 15, first & 7);
        let mut position = Position {
            line: -1,
            end_line: -1,
            col: -1,
            end_col: -1,
        };
        match kind {
            15 => {}
            14 => {
                position.line = self.advance()?;
                position.end_line = position.line.wrapping_add(self.varint()?);
                position.col = self.varint()?.wrapping_sub(1);
                position.end_col = self.varint()?.wrapping_sub(1);
            }
            13 => {
                position.line = self.advance()?;
                position.end_line = position.line;
            }
            10..=12 => {
                self.line = self.line.wrapping_add(kind - 10);
                (position.line, position.end_line) = (self.line, self.line);
                position.col = self.byte()?;
                position.end_col = self.byte()?;
            }
            _ => {
                (position.line, position.end_line) = (self.line, self.line);
                let columns = self.byte()?;
                position.col = kind << 3 | columns >> 4 & 7;
                position.end_col = position.col + (columns & 15);
            }
        }
        Some((position, units as usize + 1))
    }

    fn byte(&mut self) -> Option<i32> {
        self.rest.next().map(|&byte| i32::from(byte))
    }

    /// Six bits a byte, low ones first; bit 6 says that more follow.
    fn varint(&mut self) -> Option<i32> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            value |= (byte & 63).checked_shl(shift).unwrap_or(0);
            shift += 6;
            if byte & 64 == 0 {
                return Some(value);
            }
        }
    }

    /// Goes on by a number of lines whose sign is its lowest bit.
    fn advance(&mut self) -> Option<i32> {
        let coded = self.varint()? as u32;
        let lines = (coded >> 1) as i32;
        self.line = match coded & 1 {
            0 => self.line.wrapping_add(lines),
            _ => self.line.wrapping_sub(lines),
        };
        Some(self.line)
    }
}
