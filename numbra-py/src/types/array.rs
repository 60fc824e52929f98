//! Arrays, other buffers, and what iterates over them.

use super::{Args, Edge, Fields};
use crate::convert::{Boxing, Unboxing, box_array};
use numbra_ir::{ArrayType, BufferClass, Layout, Type, TypeKind, kinds};
use numbra_runtime::Header;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

fn layout_of(letter: &str) -> PyResult<Layout> {
    Ok(match letter {
        "C" => Layout::C,
        "F" => Layout::F,
        "A" => Layout::A,
        other => return Err(PyValueError::new_err(format!("invalid layout '{other}'"))),
    })
}

/// Most dimensions that NumPy gives an array.
const MAX_NESTED_RANK: usize = 64;

impl Edge for kinds::Array<'_> {
    const WORDS: &'static [&'static str] = &["array"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        let array = self.array;
        fields.ty(array.dtype)?;
        fields.push(array.ndim)?;
        fields.push(array.layout.letter().to_string())?;
        fields.push(array.mutable)?;
        fields.push(array.aligned)?;
        Ok("array")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let layout: String = args.get(3)?;
        Ok(TypeKind::Array(ArrayType {
            dtype: args.ty(1)?,
            ndim: args.get(2)?,
            layout: layout_of(&layout)?,
            mutable: args.get(4)?,
            aligned: args.get(5)?,
        }))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let leaves = boxing.take_many(2 + 2 * usize::from(self.array.ndim))?;
        box_array(boxing.py, boxing.types, *self.array, leaves)
    }
}

impl Edge for kinds::NestedArray<'_> {
    const WORDS: &'static [&'static str] = &["nested_array"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.dtype)?;
        let shape = PyTuple::new(fields.py, self.shape)?;
        fields.push(shape)?;
        Ok("nested_array")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let (dtype, shape) = (args.ty(1)?, args.get::<Vec<u32>>(2)?);
        if shape.len() > MAX_NESTED_RANK {
            return Err(PyValueError::new_err("too many dimensions"));
        }
        Ok(TypeKind::NestedArray { dtype, shape })
    }
}

impl Edge for kinds::Buffer<'_> {
    const WORDS: &'static [&'static str] = &["buffer"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.class.name())?;
        fields.ty(self.array.dtype)?;
        fields.push(self.array.ndim)?;
        fields.push(self.array.layout.letter().to_string())?;
        fields.push(self.array.mutable)?;
        Ok("buffer")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let (class, layout): (String, String) = (args.get(1)?, args.get(4)?);
        let class = BufferClass::named(&class);
        Ok(TypeKind::Buffer {
            class: class.ok_or_else(|| PyValueError::new_err("no class of buffers"))?,
            array: ArrayType {
                dtype: args.ty(2)?,
                ndim: args.get(3)?,
                layout: layout_of(&layout)?,
                mutable: args.get(5)?,
                aligned: true,
            },
        })
    }

    fn make(
        &self,
        unboxing: &mut Unboxing<'_>,
        ty: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<Option<*mut Header>> {
        let made = crate::buffers::unbox_buffer(unboxing.types(), ty, object)?;
        Ok(made.map(|(leaves, owner)| {
            leaves.into_iter().for_each(|leaf| unboxing.number(leaf));
            owner
        }))
    }
}

impl Edge for kinds::ArrayIter<'_> {
    const WORDS: &'static [&'static str] = &["array_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.array)?;
        Ok("array_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::ArrayIter(args.ty(1)?))
    }
}

impl Edge for kinds::FlatIter<'_> {
    const WORDS: &'static [&'static str] = &["flat_iter"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.array)?;
        fields.push(*self.indexed)?;
        Ok("flat_iter")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::FlatIter {
            array: args.ty(1)?,
            indexed: args.get(2)?,
        })
    }
}

impl Edge for kinds::NdIter<'_> {
    const WORDS: &'static [&'static str] = &["nditer"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(*self.ndim)?;
        fields.types(self.items)?;
        Ok("nditer")
    }
}
