//! Records: the elements of NumPy's structured arrays.

use super::kind::Kind;
use super::kinds;
use super::record_text::parse_record;
use super::text::{Reader, Writer, parse_type};
use crate::lattice::{Conversion, Lattice};
use crate::text::Parse;
use crate::{RecordType, Type, TypeKind};
use std::fmt::{self, Write};

impl RecordType {
    /// What the parser needs of each field; Numba's text leaves out its title where it has an alignment.
    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.write_str("Record(")?;
        for (i, field) in self.fields.iter().enumerate() {
            w.write_str(if i > 0 { "," } else { "" })?;
            w.name(&field.name)?;
            let ty = w.show(field.ty);
            write!(w, "[type={ty};offset={}", field.offset)?;
            if let Some(alignment) = field.alignment {
                write!(w, ";alignment={alignment}")?;
            }
            if let Some(title) = &field.title
                && (w.exact || field.alignment.is_none())
            {
                w.write_str(";title=")?;
                w.name(title)?;
            }
            w.write_str("]")?;
        }
        let aligned = if self.aligned { "True" } else { "False" };
        write!(w, ";{};{aligned})", self.size)
    }
}

impl Kind for kinds::Record<'_> {
    fn is_word(word: &str) -> bool {
        word == "Record"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let types = r.types;
        let record = parse_record(r.c, |c| parse_type(c, types))?;
        Ok(TypeKind::Record(record))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        self.record.write(w)
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        self.record.fields.iter().for_each(|field| each(field.ty));
    }

    /// A record whose first fields are those of the other one.
    fn convert(&self, to: &Self, _: &Lattice<'_>) -> Option<Conversion> {
        self.record
            .starts_with(to.record)
            .then_some(Conversion::Safe)
    }
}
