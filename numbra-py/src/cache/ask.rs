//! The questions of a manifest, asked of the live objects of this process.

use super::content;
use crate::constant_arrays::{MOST_FROZEN, kept};
use crate::dispatcher::{self, Dispatcher};
use crate::host::{self, Detail, PythonHost, Scope};
use crate::kernels::captured;
use crate::overload::{self, Implementation};
use crate::resolved::Meaning;
use crate::session::session;
use numbra_driver::cache::{Digest, Digester, OverloadTarget, Position, Question};
use numbra_ir::{
    DispatcherId, ObjDesc, ObjKind, ObjRef, PrimaryMap, TupleClass, Type, TypeKind, Types,
};
use numbra_typeinfer::{Host, HostError, OverloadQuery, OverloadTarget as Target};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::sync::Arc;

/// Why a function has no digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unstable {
    /// What Numba calls dynamic globals: addresses, arrays of more than [`MOST_FROZEN`].
    Dynamic(String),
    /// Anything else.
    Other(String),
}

impl Unstable {
    fn other(why: impl ToString) -> Unstable {
        Unstable::Other(why.to_string())
    }

    /// The reason in words.
    pub(crate) fn text(&self) -> &str {
        match self {
            Unstable::Dynamic(text) | Unstable::Other(text) => text,
        }
    }
}

/// Asks questions, and numbers the functions and arrays that answers name in the order in which they come up.
pub(crate) struct Asker<'py, 'a> {
    py: Python<'py>,
    types: &'a Types,
    functions: Vec<DispatcherId>,
    scopes: Vec<Option<Scope<'py>>>,
    /// Handles of constant arrays.
    pub(crate) arrays: Vec<u64>,
}

impl<'py, 'a> Asker<'py, 'a> {
    /// For the compilation of a function for these argument types: functions among them come first. With the digest of
    /// the arguments.
    pub(crate) fn new(
        py: Python<'py>,
        types: &'a Types,
        root: DispatcherId,
        args: &[Type],
    ) -> Result<(Self, Digest), Unstable> {
        let mut asker = Asker {
            py,
            types,
            functions: vec![root],
            scopes: vec![None],
            arrays: Vec::new(),
        };
        let mut digester = Digester::of("arguments");
        digester.number(args.len() as u64);
        for ty in args {
            match types.kind(*ty) {
                TypeKind::Dispatcher { id, .. } => asker.dispatcher(&mut digester, *id)?,
                _ => asker.add_type(&mut digester, *ty)?,
            }
        }
        Ok((asker, digester.finish()))
    }

    /// The functions that have come up, as numbers of this process.
    pub(crate) fn functions(&self) -> Vec<u64> {
        self.functions.iter().map(|id| u64::from(id.0)).collect()
    }

    /// How many functions have come up.
    pub(crate) fn count(&self) -> usize {
        self.functions.len()
    }

    /// The number of a function that has come up.
    pub(crate) fn number_of(&self, id: DispatcherId) -> Option<usize> {
        self.functions.iter().position(|known| *known == id)
    }

    /// A function by number.
    pub(crate) fn function(&self, number: usize) -> Option<DispatcherId> {
        self.functions.get(number).copied()
    }

    /// Where the functions that have come up stand, by number.
    pub(crate) fn positions(&self) -> PyResult<Vec<Position>> {
        let position = |id: &DispatcherId| {
            let function = dispatcher::with(*id, |d| d.function.clone_ref(self.py));
            let Some(function) = function else {
                return Ok(Position {
                    file: String::new(),
                    first: 0,
                    last: 0,
                });
            };
            let code = function.bind(self.py).getattr("__code__")?;
            let first: u32 = code.getattr("co_firstlineno")?.extract()?;
            Ok(Position {
                file: code.getattr("co_filename")?.extract()?,
                first,
                last: first,
            })
        };
        self.functions.iter().map(position).collect()
    }

    /// The digest of the answer.
    pub(crate) fn ask(&mut self, question: &Question) -> Result<Digest, Unstable> {
        match question {
            Question::Name { function, name } => self.name(*function as usize, name),
            Question::Attribute { owner, name } => {
                let mut objects = PrimaryMap::new();
                let found = host::attribute(self.py, owner, name, &mut objects, Detail::Bare);
                self.answer(found.as_ref(), &objects)
            }
            Question::NamedTuple(name) => {
                let mut digester = Digester::of("named tuple");
                if let Some(class) = PythonHost.named_tuple(name) {
                    digester.text(&class.name);
                    for field in &class.fields {
                        digester.text(&field.name);
                        match &field.default {
                            Some(default) => content::constant(&mut digester, default),
                            None => digester.number(0),
                        }
                    }
                }
                Ok(digester.finish())
            }
            Question::IsEnum(name) => Ok(Digest::of_bool(PythonHost.is_enum(name))),
            Question::IsException(name) => Ok(Digest::of_bool(PythonHost.is_exception(name))),
            Question::IsOverloaded { target, name } => {
                Ok(Digest::of_bool(overload::is_registered(*target, name)))
            }
            Question::HasMethod { receiver, name } => {
                let ty = self.parse(receiver)?;
                Ok(Digest::of_bool(overload::has_method(ty, name)))
            }
            Question::Overload {
                target,
                name,
                args,
                kws,
                skip,
            } => self.overload((*target, name), args, kws, *skip),
        }
    }

    /// What a variable of a function stands for.
    fn name(&mut self, number: usize, name: &str) -> Result<Digest, Unstable> {
        let gone = || Unstable::other("a function is gone");
        let id = self.function(number).ok_or_else(gone)?;
        if self.scopes[number].is_none() {
            let py = self.py;
            let function = dispatcher::with(id, |d| d.function.clone_ref(py)).ok_or_else(gone)?;
            let scope = Scope::of(py, function.bind(py)).map_err(Unstable::other)?;
            self.scopes[number] = Some(scope);
        }
        let mut objects = PrimaryMap::new();
        let scope = self.scopes[number].as_ref().ok_or_else(gone)?;
        let own = scope.own_name == name;
        let found = scope
            .describe(&mut objects, name, Detail::Bare)
            .map_err(Unstable::other)?;
        self.named(own.then_some(id), found.as_ref(), &objects)
    }

    /// What a name stands for; that of the function itself, `own`, may be bound nowhere yet.
    fn named(
        &mut self,
        own: Option<DispatcherId>,
        found: Option<&ObjDesc>,
        objects: &PrimaryMap<ObjRef, ObjDesc>,
    ) -> Result<Digest, Unstable> {
        match (found, own) {
            (None, Some(id)) => {
                let mut digester = Digester::of("unbound");
                self.dispatcher(&mut digester, id)?;
                Ok(digester.finish())
            }
            _ => self.answer(found, objects),
        }
    }

    /// The digest of the answer that code was made with, for a function whose number is 0.
    pub(crate) fn noted(
        &mut self,
        question: &Question,
        answer: Option<&Meaning>,
    ) -> Result<Digest, Unstable> {
        let none = PrimaryMap::new();
        let answer = answer.filter(|meaning| meaning.desc.kind != ObjKind::Undefined);
        let (found, objects) = match answer {
            Some(Meaning { desc, parts }) => (Some(desc), parts),
            None => (None, &none),
        };
        match question {
            Question::Name { name, .. } => {
                let id = self.functions[0];
                let own = dispatcher::with(id, |d| d.name == *name).unwrap_or(false);
                self.named(own.then_some(id), found, objects)
            }
            _ => self.answer(found, objects),
        }
    }

    fn answer(
        &mut self,
        found: Option<&ObjDesc>,
        objects: &PrimaryMap<ObjRef, ObjDesc>,
    ) -> Result<Digest, Unstable> {
        let mut digester = Digester::of("object");
        match found {
            Some(desc) => self.described(&mut digester, desc, objects)?,
            None => digester.text("nothing"),
        }
        Ok(digester.finish())
    }

    /// Adds all that the compiler sees of an object.
    fn described(
        &mut self,
        digester: &mut Digester,
        desc: &ObjDesc,
        objects: &PrimaryMap<ObjRef, ObjDesc>,
    ) -> Result<(), Unstable> {
        digester.text(&desc.name);
        match &desc.kind {
            ObjKind::Unresolved | ObjKind::Undefined => digester.text("undefined"),
            ObjKind::Module => digester.text("module"),
            ObjKind::Function => digester.text("function"),
            ObjKind::Class => digester.text("class"),
            ObjKind::DType(ty) => {
                digester.text("dtype");
                self.add_type(digester, *ty)?;
            }
            ObjKind::TypeObject(ty) => {
                digester.text("type");
                self.add_type(digester, *ty)?;
            }
            ObjKind::Dispatcher(id) => self.dispatcher(digester, *id)?,
            ObjKind::Value(value) => {
                digester.text("value");
                content::constant(digester, value);
            }
            ObjKind::Typed(ty, value) => {
                if matches!(self.types.kind(*ty), TypeKind::FunctionType { .. }) {
                    let text = format!("'{}' is an address of this process", desc.name);
                    return Err(Unstable::Dynamic(text));
                }
                digester.text("typed");
                self.add_type(digester, *ty)?;
                content::constant(digester, value);
            }
            ObjKind::Array { handle, .. } if captured::is_captured(*handle) => {
                return Err(Unstable::other("it captures a device array"));
            }
            ObjKind::Array { ty, handle } => {
                digester.text("array");
                self.add_type(digester, *ty)?;
                self.array(digester, &desc.name, *handle)?;
            }
            ObjKind::Tuple(items, class) => {
                digester.text("tuple");
                if let Some(TupleClass { name, fields }) = class {
                    digester.text(name);
                    fields.iter().for_each(|field| digester.text(field));
                }
                digester.number(items.len() as u64);
                for item in items {
                    self.described(digester, &objects[*item], objects)?;
                }
            }
            ObjKind::ObjectBlock(_) => {
                return Err(Unstable::other("it has blocks in object mode"));
            }
            ObjKind::Opaque { class } => digester.text(class),
        }
        Ok(())
    }

    fn add_type(&self, digester: &mut Digester, ty: Type) -> Result<(), Unstable> {
        content::portable_type(digester, self.types, ty).map_err(Unstable::Other)
    }

    /// Adds a jitted function: by its number, with all that it is itself when it comes up first.
    pub(crate) fn dispatcher(
        &mut self,
        digester: &mut Digester,
        id: DispatcherId,
    ) -> Result<(), Unstable> {
        digester.text("jitted");
        if let Some(number) = self.number_of(id) {
            digester.number(number as u64);
            return Ok(());
        }
        digester.number(self.functions.len() as u64);
        self.functions.push(id);
        self.scopes.push(None);
        let (py, types) = (self.py, self.types);
        let own = dispatcher::with(id, |d: &Dispatcher| d.own_digest(py, types))
            .ok_or_else(|| Unstable::other("a function is gone"))?;
        digester.digest(&own.map_err(Unstable::Other)?);
        Ok(())
    }

    /// Adds the contents of a constant array.
    fn array(&mut self, digester: &mut Digester, name: &str, handle: u64) -> Result<(), Unstable> {
        if let Some(number) = self.arrays.iter().position(|known| *known == handle) {
            digester.number(number as u64);
            return Ok(());
        }
        digester.number(self.arrays.len() as u64);
        self.arrays.push(handle);
        let gone = || Unstable::other("an array is gone");
        let array = kept(self.py, handle).ok_or_else(gone)?;
        let array = array.bind(self.py);
        if is_large(self.py, handle) {
            return Err(Unstable::Dynamic(format!("the array '{name}' is large")));
        }
        let mut read = || -> PyResult<Bound<'_, PyAny>> {
            for name in ["shape", "strides"] {
                let numbers: Vec<i64> = array.getattr(name)?.extract()?;
                digester.number(numbers.len() as u64);
                numbers.iter().for_each(|n| digester.number(*n as u64));
            }
            array.call_method0("tobytes")
        };
        let bytes = read().map_err(Unstable::other)?;
        digester.bytes(bytes.extract().map_err(Unstable::other)?);
        Ok(())
    }

    fn overload(
        &mut self,
        (target, name): (OverloadTarget, &str),
        args: &[String],
        kws: &[(String, String)],
        skip: u32,
    ) -> Result<Digest, Unstable> {
        let parsed = args
            .iter()
            .map(|text| self.parse(text))
            .collect::<Result<Vec<Type>, _>>()?;
        let kws = kws
            .iter()
            .map(|(name, text)| Ok((name.clone(), self.parse(text)?)))
            .collect::<Result<Vec<_>, Unstable>>()?;
        let query = OverloadQuery {
            target: match target {
                OverloadTarget::Function => Target::Function(name),
                OverloadTarget::Method => Target::Method(name),
                OverloadTarget::Attribute => Target::Attribute(name),
            },
            args: &parsed,
            kws: &kws,
            skip: skip as usize,
        };
        let mut digester = Digester::of("overload");
        match overload::implementation(&query, self.types) {
            Ok(Some((found, literal))) => {
                digester.text(if literal {
                    "for literals"
                } else {
                    "for plain types"
                });
                match found {
                    Implementation::Jitted(id) => self.dispatcher(&mut digester, id)?,
                    Implementation::Recorded(code) => digester.text(&code),
                }
            }
            Ok(None) => digester.text("none"),
            Err(HostError::Failed(text)) => digester.text(&text),
            Err(HostError::ForceLiteral(positions)) => {
                digester.text("literal");
                positions.iter().for_each(|p| digester.number(*p as u64));
            }
            Err(HostError::Diagnostic(diagnostic)) => digester.text(&diagnostic.message),
        }
        Ok(digester.finish())
    }

    fn parse(&self, text: &str) -> Result<Type, Unstable> {
        self.types.parse(text).map_err(Unstable::other)
    }
}

/// The variables of a function that its globals and closure decide, in the order of its IR.
pub(crate) fn free_names(id: DispatcherId) -> Result<Vec<String>, Unstable> {
    let gone = || Unstable::other("a function is gone");
    let built = dispatcher::with(id, Dispatcher::built).ok_or_else(gone)?;
    let built: Arc<numbra_driver::Source> =
        built.map_err(|d| Unstable::Other(d.message.clone()))?;
    let mut names = Vec::new();
    collect(&built.func, &mut names)?;
    Ok(names)
}

fn collect(func: &numbra_ir::Func, names: &mut Vec<String>) -> Result<(), Unstable> {
    for desc in func.objects.values() {
        match desc.kind {
            ObjKind::Unresolved if !names.contains(&desc.name) => names.push(desc.name.clone()),
            ObjKind::ObjectBlock(_) => {
                return Err(Unstable::other("it has blocks in object mode"));
            }
            _ => {}
        }
    }
    func.nested
        .iter()
        .try_for_each(|(_, inner)| collect(inner, names))
}

/// True for a constant array of more than [`MOST_FROZEN`].
pub(crate) fn is_large(py: Python<'_>, handle: u64) -> bool {
    let bytes = kept(py, handle).and_then(|array| {
        array
            .bind(py)
            .getattr("nbytes")
            .ok()?
            .extract::<usize>()
            .ok()
    });
    bytes.is_some_and(|bytes| bytes > MOST_FROZEN)
}

/// The last line of a function.
pub(crate) fn last_line(id: DispatcherId) -> Option<u32> {
    let built = dispatcher::with(id, Dispatcher::built)?.ok()?;
    let lines = built.code.positions.iter().map(|p| p.end_line);
    lines.filter_map(|line| u32::try_from(line).ok()).max()
}

/// The view of types that asking uses.
pub(crate) fn view() -> Types {
    session().types.view()
}
