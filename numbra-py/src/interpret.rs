//! Compiled signatures on LIR's interpreter: the oracle that tests hold machine code against.
//!
//! Values travel as leaves. What they mean for a type is `numbra_lower::lowering::leaves`; Python flattens and builds.

use crate::convert::{Kept, exception};
use crate::dispatcher;
use numbra_abi::{NativeId, STACK_OVERFLOW};
use numbra_lir::interp::{
    Completion, DefaultNatives, Interpreter, LirValue, Natives, Raised, Trap,
};
use numbra_lir::{Module, Ty};
use numbra_opt::Pass;
use pyo3::exceptions::{PyRecursionError, PySystemError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyList, PyTuple};

/// Runs signature `index` of a dispatcher on the interpreter: its optimised LIR, or LIR as lowered.
///
/// `leaves` has an item for each leaf of the arguments: the bits of a scalar as an int; bytes for a pointer to memory with
/// that content; `(i, offset)` for a pointer into the memory of item `i`; None for a borrowed owner. Returns the leaves of
/// the result in the same form (a pointer into other memory as `(bytes, offset)`, an owner as None), or the exception that
/// the program raises, and the contents of the memories afterwards. Raises SystemError for wrong LIR, no fuel, or a leak.
#[pyfunction]
pub(crate) fn _interpret<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
    index: usize,
    optimised: bool,
    leaves: Vec<Bound<'py, PyAny>>,
    fuel: u64,
) -> PyResult<(Bound<'py, PyAny>, Vec<Bound<'py, PyBytes>>)> {
    let compiled = dispatcher::made(py, dispatcher, index)?;
    let made = compiled.made_from();
    let module = if optimised {
        made.module.clone()
    } else {
        let mut module = made.lowered.clone();
        Pass::PlaceRefs.run(&mut module);
        module
    };
    let mut run = Run::new(&module, fuel).map_err(trapped)?;
    let root = compiled
        .entry
        .strip_suffix(".entry")
        .unwrap_or(&compiled.entry);
    let completion = run.call(root, &leaves)?;
    let results = match completion {
        Completion::Returned(values) => PyList::new(py, run.results(py, values)?)?.into_any(),
        Completion::Raised(raised) => run
            .raised(py, &module, raised)?
            .into_value(py)
            .into_bound(py)
            .into_any(),
    };
    let memories = run
        .memories
        .iter()
        .map(|(_, address)| {
            PyBytes::new(
                py,
                run.interpreter.memory.region(*address).unwrap_or_default(),
            )
        })
        .collect();
    let leaked = run.leaked().map_err(trapped)?;
    if leaked != 0 {
        return Err(PySystemError::new_err(format!("{leaked} objects leaked")));
    }
    Ok((results, memories))
}

fn trapped(trap: Trap) -> PyErr {
    PySystemError::new_err(format!("interpreter: {trap}"))
}

struct Run<'m> {
    interpreter: Interpreter<'m>,
    module: &'m Module,
    /// Argument leaf and address of the memories that arguments point to.
    memories: Vec<(usize, u64)>,
    /// References that the caller owns.
    owned: Vec<u64>,
}

impl<'m> Run<'m> {
    fn new(module: &'m Module, fuel: u64) -> Result<Run<'m>, Trap> {
        let mut interpreter = Interpreter::with_natives(module, DefaultNatives::default())?;
        interpreter.fuel = fuel;
        Ok(Run {
            interpreter,
            module,
            memories: Vec::new(),
            owned: Vec::new(),
        })
    }

    fn call(&mut self, name: &str, leaves: &[Bound<'_, PyAny>]) -> PyResult<Completion> {
        let found = self.module.functions.iter().find(|(_, f)| f.name == name);
        let (id, decl) =
            found.ok_or_else(|| PySystemError::new_err("the function is not in its module"))?;
        if decl.sig.params.len() != leaves.len() {
            let message = format!("{} leaves, {} given", decl.sig.params.len(), leaves.len());
            return Err(PyTypeError::new_err(message));
        }
        let mut values = Vec::with_capacity(leaves.len());
        for (at, (leaf, param)) in leaves.iter().zip(&decl.sig.params).enumerate() {
            let bits = self.argument(at, leaf)?;
            values.push(LirValue::int(param.ty, bits));
        }
        self.interpreter.call(id, &values).map_err(trapped)
    }

    fn argument(&mut self, at: usize, leaf: &Bound<'_, PyAny>) -> PyResult<i128> {
        if leaf.is_none() {
            let memory = &mut self.interpreter.memory;
            let owner = self
                .interpreter
                .natives
                .object(Vec::new(), memory)
                .map_err(trapped)?;
            self.owned.push(owner);
            return Ok(owner.into());
        }
        if let Ok(content) = leaf.cast::<PyBytes>() {
            let address = self.interpreter.memory.alloc(content.as_bytes().to_vec());
            self.memories.push((at, address));
            return Ok(address.into());
        }
        if let Ok((index, offset)) = leaf.extract::<(usize, i64)>() {
            let found = self.memories.iter().find(|(leaf, _)| *leaf == index);
            let (_, base) = found.ok_or_else(|| PyTypeError::new_err("no such memory"))?;
            return Ok(i128::from(*base) + i128::from(offset));
        }
        leaf.extract()
    }

    fn results<'py>(
        &mut self,
        py: Python<'py>,
        values: Vec<LirValue>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut out = Vec::with_capacity(values.len());
        for value in values {
            let bits = value.bits();
            out.push(match value.ty() {
                Ty::Ref => {
                    self.owned.push(bits as u64);
                    py.None().into_bound(py)
                }
                Ty::Ptr(_) => self.pointer(py, bits as u64)?,
                _ => bits.into_pyobject(py)?.into_any(),
            });
        }
        Ok(out)
    }

    fn pointer<'py>(&self, py: Python<'py>, address: u64) -> PyResult<Bound<'py, PyAny>> {
        // Each region has 4 GiB of addresses for itself, so the start of one follows from any address in it.
        let Some((base, content)) = self.interpreter.memory.region_around(address) else {
            return Err(PySystemError::new_err("a pointer to no memory"));
        };
        let offset = (address.wrapping_sub(base) as i64)
            .into_pyobject(py)?
            .into_any();
        let place = match self.memories.iter().find(|(_, start)| *start == base) {
            Some((leaf, _)) => leaf.into_pyobject(py)?.into_any(),
            None => PyBytes::new(py, content).into_any(),
        };
        Ok(PyTuple::new(py, [place, offset])?.into_any())
    }

    fn raised(&self, py: Python<'_>, module: &Module, raised: Raised) -> PyResult<PyErr> {
        match raised {
            Raised::Exception(id, words) => {
                let what = &module.exceptions[id];
                Ok(exception(
                    py,
                    &what.class,
                    &what.args,
                    &words,
                    &Kept::take(),
                ))
            }
            Raised::Described(..) => Err(PySystemError::new_err(
                "interpreter: an exception of the runtime",
            )),
            Raised::StackOverflow => Ok(PyRecursionError::new_err(STACK_OVERFLOW.1)),
            Raised::Nothing => Err(PySystemError::new_err(
                "interpreter: a function failed without an exception",
            )),
        }
    }

    /// Gives up what the caller owns; objects that are alive then.
    fn leaked(&mut self) -> Result<i64, Trap> {
        for owner in std::mem::take(&mut self.owned) {
            let value = LirValue::Scalar(Ty::Ref, owner.into());
            let memory = &mut self.interpreter.memory;
            self.interpreter
                .natives
                .call(NativeId::Release, &[value], memory)?;
        }
        Ok(self.interpreter.natives.live_objects())
    }
}
