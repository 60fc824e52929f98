//! What the functions of one module share: declared functions, exceptions, constant data.

use super::function_values;
use super::options::{FunctionOptions, Options};
use numbra_abi::{HEADER, header_flags};
use numbra_base::{FxHashMap, Span};
use numbra_ir::{DispatcherId, Instance, Scalar, Type, TypedProgram, Types};
use numbra_library::Library;
use numbra_lir::{
    AddrSpace, Data, DataId, Exception, ExceptionId, FuncRef, Module, SigRef, Signature,
};
use numbra_parallel::{LoopPlan, LoopReport, ParallelPlan};

/// Where a library body is called from: its errors are reported there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Site {
    /// The user's call.
    pub(super) span: Span,
    /// The function that contains it.
    pub(super) function: String,
}

/// A function of the program, with options that it has for some caller.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Node {
    pub(super) instance: Instance,
    pub(super) own: FunctionOptions,
}

/// The module being made and its inputs.
pub(super) struct Mx<'m> {
    pub(super) types: &'m Types,
    pub(super) library: &'m Library,
    pub(super) options: &'m Options,
    pub(super) program: &'m TypedProgram,
    pub(super) module: Module,
    /// Functions by instance and options. Library bodies that cannot raise are shared and stand here too.
    pub(super) functions: FxHashMap<Node, FuncRef>,
    /// Library bodies that raise: one copy a call site, so that errors name the site.
    pub(super) copies: FxHashMap<(Node, Site), FuncRef>,
    /// Library bodies being lowered, innermost last.
    pub(super) open: Vec<Node>,
    /// Options of the function being lowered.
    pub(super) own: FunctionOptions,
    /// How loops over `prange` run.
    pub(super) plan: &'m ParallelPlan,
    /// Those of the function being lowered.
    pub(super) loops: &'m [LoopPlan],
    /// Loops over elements run in parallel in the function being lowered.
    pub(super) parallel: bool,
    /// Bodies of parallel loops.
    pub(super) tasks: Vec<FuncRef>,
    /// Loops over elements that run in parallel.
    pub(super) element_loops: Vec<LoopReport>,
    exceptions: FxHashMap<Exception, ExceptionId>,
    data: FxHashMap<Vec<u8>, DataId>,
    arrays: FxHashMap<u64, DataId>,
    names: FxHashMap<String, u32>,
}

impl<'m> Mx<'m> {
    pub(super) fn new(
        program: &'m TypedProgram,
        plan: &'m ParallelPlan,
        types: &'m Types,
        library: &'m Library,
        options: &'m Options,
    ) -> Mx<'m> {
        Mx {
            types,
            library,
            options,
            program,
            module: Module::default(),
            functions: FxHashMap::default(),
            copies: FxHashMap::default(),
            open: Vec::new(),
            own: options.root,
            plan,
            loops: &[],
            parallel: options.root.parallel,
            tasks: Vec::new(),
            element_loops: Vec::new(),
            exceptions: FxHashMap::default(),
            data: FxHashMap::default(),
            arrays: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }

    /// A symbol that no other function of the module has: letters, digits, `_` and `.` only.
    pub(super) fn unique_name(&mut self, wanted: &str) -> String {
        let mut base: String = wanted
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' || c == '.' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            base.insert(0, '_');
        }
        let count = self.names.entry(base.clone()).or_insert(0);
        *count += 1;
        match *count {
            1 => base,
            n => format!("{base}.{}", n - 1),
        }
    }

    /// The table entry of an exception.
    pub(super) fn exception(&mut self, exception: Exception) -> ExceptionId {
        if let Some(&id) = self.exceptions.get(&exception) {
            return id;
        }
        let id = self.module.exceptions.push(exception.clone());
        self.exceptions.insert(exception, id);
        id
    }

    /// A signature of indirect calls, as the module knows it.
    pub(super) fn signature(&mut self, sig: Signature) -> SigRef {
        let known = &mut self.module.signatures;
        match known.iter().find(|(_, one)| **one == sig) {
            Some((at, _)) => at,
            None => known.push(sig),
        }
    }

    /// Constant bytes, merged when equal.
    pub(super) fn bytes(&mut self, bytes: Vec<u8>) -> DataId {
        if let Some(&id) = self.data.get(&bytes) {
            return id;
        }
        let id = self.module.data.push(Data {
            name: format!("const.{}", self.module.data.len()),
            bytes: bytes.clone(),
            align: 8,
            writable: false,
            space: AddrSpace::Generic,
            zeros: 0,
            relocs: Vec::new(),
        });
        self.data.insert(bytes, id);
        id
    }

    /// The header that stands for the code itself, as the owner of its constants: see [`header_flags::CODE`].
    pub(super) fn code_header(&mut self) -> DataId {
        const NAME: &str = "code.header";
        let known = self.module.data.iter().find(|(_, d)| d.name == NAME);
        if let Some((id, _)) = known {
            return id;
        }
        let mut bytes = vec![0; HEADER.size as usize];
        // One reference, which nobody gives up; no destructor, no object.
        for (field, word) in [(0, 1), (2, header_flags::CODE)] {
            let at = HEADER.offset(field) as usize;
            bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(word));
        }
        self.module.data.push(Data {
            name: NAME.to_owned(),
            bytes,
            align: 8,
            writable: true,
            space: AddrSpace::Generic,
            zeros: 0,
            relocs: Vec::new(),
        })
    }

    /// A cell that holds the address of the leaves of the constant array `handle`: leaf `i` at byte `16 * i`.
    /// The symbol is `numbra_array_<handle>`.
    pub(super) fn constant_array(&mut self, handle: u64) -> DataId {
        if let Some(&id) = self.arrays.get(&handle) {
            return id;
        }
        let id = self.module.data.push(Data {
            name: format!("array.{handle}"),
            bytes: vec![0; 8],
            align: 8,
            writable: false,
            space: AddrSpace::Generic,
            zeros: 0,
            relocs: vec![(0, format!("numbra_array_{handle}"))],
        });
        self.arrays.insert(handle, id);
        id
    }

    /// A cell that holds the address of the leaves of a jitted function as a value of the type `ty` of functions: leaf `i` at
    /// byte `16 * i`.
    pub(super) fn function_value(&mut self, id: DispatcherId, ty: Type) -> DataId {
        let symbol = function_values::symbol(id, &self.types.text(ty).to_string());
        let name = format!("cell.{symbol}");
        let known = self.module.data.iter().find(|(_, d)| d.name == name);
        if let Some((id, _)) = known {
            return id;
        }
        self.module.data.push(Data {
            name,
            bytes: vec![0; 8],
            align: 8,
            writable: false,
            space: AddrSpace::Generic,
            zeros: 0,
            relocs: vec![(0, symbol)],
        })
    }

    /// The scalar behind a type, literals included.
    pub(super) fn scalar(&self, ty: Type) -> Option<Scalar> {
        self.types.as_scalar(self.types.unliteral(ty))
    }
}
