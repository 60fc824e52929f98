//! NumPy's dates and durations.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::{Conversion, Lattice};
use crate::text::Parse;
use crate::{TimeType, TimeUnit, TypeKind};
use std::fmt::{self, Write};

/// `[D]`, `[]`
fn read_unit(r: &mut Reader<'_, '_>) -> Parse<TimeUnit> {
    r.c.expect("[")?;
    let start = r.c.clone();
    let name = r.c.word().unwrap_or("");
    let Some(unit) = TimeUnit::from_name(name) else {
        return start.error(format!("`{name}` is not a unit of time"));
    };
    r.c.expect("]")?;
    Ok(unit)
}

impl TimeType {
    fn conversion(self, to: TimeUnit) -> Option<Conversion> {
        self.converts(to).then_some(Conversion::Safe)
    }
}

impl Kind for kinds::Datetime<'_> {
    fn is_word(word: &str) -> bool {
        word == "datetime64"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::Datetime(read_unit(r)?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        write!(w, "datetime64[{}]", self.unit.name())
    }

    fn convert(&self, to: &Self, _: &Lattice<'_>) -> Option<Conversion> {
        TimeType {
            is_date: true,
            unit: *self.unit,
        }
        .conversion(*to.unit)
    }
}

impl Kind for kinds::Timedelta<'_> {
    fn is_word(word: &str) -> bool {
        word == "timedelta64"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::Timedelta(read_unit(r)?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        write!(w, "timedelta64[{}]", self.unit.name())
    }

    fn convert(&self, to: &Self, _: &Lattice<'_>) -> Option<Conversion> {
        TimeType {
            is_date: false,
            unit: *self.unit,
        }
        .conversion(*to.unit)
    }
}
