//! What names stand for in a compiled signature.
//!
//! As in Numba, a signature is compiled once: code that calls it later is compiled from what its globals, its closure and
//! attributes of modules were then. They are noted when a compilation reads the function, for these argument types, and
//! last as long as code that was made from them; `recompile` notes them anew.

use crate::cache::Kept;
use crate::captured::{Part, capture, capturing_part, resolved_in_scope};
use crate::constant_arrays::ConstantArray;
use crate::dispatcher::{self, Dispatcher};
use crate::host::{self, Detail, Scope};
use crate::kernels;
use crate::types::from_python;
use numbra_driver::cache::Question;
use numbra_ir::{DispatcherId, Func, ObjDesc, ObjKind, ObjRef, PrimaryMap, Type, TypeKind, Types};
use numbra_typeinfer::Reader;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What a name or an attribute stands for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Meaning {
    pub(crate) desc: ObjDesc,
    /// What the description is made of.
    pub(crate) parts: PrimaryMap<ObjRef, ObjDesc>,
}

impl Meaning {
    /// The description, with what it is made of in `objects`.
    fn place(&self, objects: &mut PrimaryMap<ObjRef, ObjDesc>) -> ObjDesc {
        let mut moved: PrimaryMap<ObjRef, ObjRef> = PrimaryMap::new();
        let translated = |desc: &ObjDesc, moved: &PrimaryMap<ObjRef, ObjRef>| {
            let mut desc = desc.clone();
            if let ObjKind::Tuple(items, _) = &mut desc.kind {
                items.iter_mut().for_each(|item| *item = moved[*item]);
            }
            desc
        };
        for part in self.parts.values() {
            let part = translated(part, &moved);
            let known = objects.iter().find(|(_, known)| **known == part);
            let at = known.map(|(at, _)| at);
            moved.push(at.unwrap_or_else(|| objects.push(part)));
        }
        translated(&self.desc, &moved)
    }

    /// False where a description holds for one compilation only: device arrays and functions that other code defines.
    fn lasts(&self, types: &Types) -> bool {
        let lasts = |desc: &ObjDesc| match &desc.kind {
            ObjKind::Array { handle, .. } => !kernels::captured::is_captured(*handle),
            ObjKind::Typed(ty, value) => {
                let is_symbol = matches!(value, numbra_ir::Const::Str(_));
                !(is_symbol && matches!(types.kind(*ty), TypeKind::FunctionType { .. }))
            }
            _ => true,
        };
        lasts(&self.desc) && self.parts.values().all(lasts)
    }

    fn dispatchers(&self) -> impl Iterator<Item = DispatcherId> {
        let all = std::iter::once(&self.desc).chain(self.parts.values());
        all.filter_map(|desc| match desc.kind {
            ObjKind::Dispatcher(id) => Some(id),
            _ => None,
        })
    }
}

/// See the module's documentation.
pub(crate) struct Resolved {
    pub(crate) id: DispatcherId,
    pub(crate) args: Vec<Type>,
    device: bool,
    /// Holds the argument types.
    _types: Types,
    /// It is of the compilation that runs on this thread: no other knows it.
    is_new: AtomicBool,
    noted: Mutex<Noted>,
}

#[derive(Clone, Default)]
struct Noted {
    /// The function's free names.
    names: Vec<(String, Meaning)>,
    /// Attributes by owner and name.
    attributes: Vec<((String, String), Option<Meaning>)>,
    arrays: Vec<Arc<ConstantArray>>,
    /// Objects that the above refers to. Whatever has captured this has captured them, and gives this up first.
    objects: Vec<Borrowed>,
}

/// An object that somebody else owns.
#[derive(Clone, Copy)]
struct Borrowed(NonNull<PyObject>);

// SAFETY: a number to other threads than those that hold the GIL.
unsafe impl Send for Borrowed {}

impl Noted {
    fn add(&mut self, part: Part) {
        let objects = part.objects.iter();
        let objects = objects.filter_map(|object| NonNull::new(object.as_ptr()));
        self.objects.extend(objects.map(Borrowed));
        self.arrays.extend(part.arrays);
    }
}

impl Resolved {
    fn noted<R>(&self, look: impl FnOnce(&mut Noted) -> R) -> R {
        look(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_for(&self, id: DispatcherId, args: &[Type], device: bool) -> bool {
        self.id == id && self.device == device && self.args == args
    }

    /// The running compilation uses what an earlier one has noted, and captures what it refers to.
    fn capture_again(&self, py: Python<'_>) {
        for object in self.noted(|noted| noted.objects.clone()) {
            // SAFETY: who keeps this alive has captured the object and gives it up later, under the GIL, which is held.
            capture(&unsafe { Bound::from_borrowed_ptr(py, object.0.as_ptr()) });
        }
    }

    /// What the running compilation has of the function whose code asks.
    pub(crate) fn of_reader(reader: &Reader) -> Option<Arc<Resolved>> {
        let device = kernels::for_device();
        resolved_in_scope(|all| {
            let found = all
                .iter()
                .find(|one| one.is_for(reader.id, &reader.args, device));
            found.cloned()
        })
    }

    /// Fills in the objects that the IR builder left by name.
    pub(crate) fn resolve(&self, func: &mut Func) {
        self.noted(|noted| resolve_in(func, &noted.names));
    }

    /// What an attribute of a module or class stands for. Objects that it is made of are added to `objects`.
    pub(crate) fn attribute(
        &self,
        py: Python<'_>,
        (owner, name): (&str, &str),
        objects: &mut PrimaryMap<ObjRef, ObjDesc>,
    ) -> Option<ObjDesc> {
        let known = self.noted(|noted| {
            let mut all = noted.attributes.iter();
            let known = all.find(|((o, n), _)| o == owner && n == name)?;
            Some(known.1.as_ref().map(|meaning| meaning.place(objects)))
        });
        if let Some(known) = known {
            return known;
        }
        let mut parts = PrimaryMap::new();
        let describe = || host::attribute(py, owner, name, &mut parts, Detail::Full);
        let (desc, part) = capturing_part(describe);
        let meaning = desc.map(|desc| Meaning { desc, parts });
        let placed = meaning.as_ref().map(|meaning| meaning.place(objects));
        let types = &crate::session::session().types;
        if self.is_new.load(Ordering::Acquire) && meaning.as_ref().is_none_or(|m| m.lasts(types)) {
            self.noted(|noted| {
                noted.add(part);
                let key = (owner.to_owned(), name.to_owned());
                noted.attributes.push((key, meaning));
            });
        }
        placed
    }

    /// Each name and attribute as a question for which the function has number 0, and what it stands for.
    pub(crate) fn each(&self, mut look: impl FnMut(Question, Option<&Meaning>)) {
        let (names, attributes) =
            self.noted(|noted| (noted.names.clone(), noted.attributes.clone()));
        for (name, meaning) in names {
            look(Question::Name { function: 0, name }, Some(&meaning));
        }
        for ((owner, name), meaning) in attributes {
            look(Question::Attribute { owner, name }, meaning.as_ref());
        }
    }

    /// The compilation has succeeded: others may use this.
    pub(crate) fn publish(self: &Arc<Resolved>) {
        if self.is_new.swap(false, Ordering::AcqRel) {
            dispatcher::with(self.id, |d| {
                let mut all = d.resolved.lock().unwrap_or_else(PoisonError::into_inner);
                all.retain(|one| one.strong_count() > 0);
                all.push(Arc::downgrade(self));
            });
        }
    }
}

fn resolve_in(func: &mut Func, names: &[(String, Meaning)]) {
    let done = func.describe_objects(|objects, desc| {
        let found = match desc.kind {
            ObjKind::Unresolved => names.iter().find(|(name, _)| *name == desc.name),
            _ => None,
        };
        Ok::<ObjDesc, std::convert::Infallible>(found.map_or(desc, |(_, m)| m.place(objects)))
    });
    let Ok(()) = done;
    for (_, nested) in &mut func.nested {
        resolve_in(nested, names);
    }
}

impl Dispatcher {
    /// Code for these argument types was found in the cache: its names stand for what they do now.
    pub(crate) fn resolve_as_found(
        &self,
        py: Python<'_>,
        args: &[Type],
        types: &Types,
        kept: &Kept,
    ) {
        let Ok(built) = self.built() else {
            return;
        };
        // What cannot be described now is described where it is asked for.
        if let Ok(resolved) = self.resolved(py, args, types, &built.func) {
            for attribute in kept.attributes() {
                resolved.attribute(py, attribute, &mut PrimaryMap::new());
            }
        }
    }

    /// What its names stand for at these argument types: as the code that there is was made, or as they are now.
    pub(crate) fn resolved(
        &self,
        py: Python<'_>,
        args: &[Type],
        types: &Types,
        built: &Func,
    ) -> PyResult<Arc<Resolved>> {
        let device = kernels::for_device();
        let is_it = |one: &Arc<Resolved>| one.is_for(self.id, args, device);
        if let Some(known) = resolved_in_scope(|all| all.iter().find(|one| is_it(one)).cloned()) {
            return Ok(known);
        }
        if let Some(known) = self.published(is_it) {
            known.capture_again(py);
            resolved_in_scope(|all| all.push(known.clone()));
            return Ok(known);
        }
        let own = types.view();
        args.iter().for_each(|ty| own.hold(*ty));
        let made = |noted: Noted| {
            let made = Arc::new(Resolved {
                id: self.id,
                args: args.to_vec(),
                device,
                _types: own,
                is_new: AtomicBool::new(true),
                noted: Mutex::new(noted),
            });
            resolved_in_scope(|all| all.push(made.clone()));
            made
        };
        if let Some(shared) = self.shared_names() {
            shared.capture_again(py);
            return Ok(made(shared.noted(|noted| noted.clone())));
        }
        let mut names = Vec::new();
        let (result, part) = capturing_part(|| -> PyResult<()> {
            let scope = Scope::of(py, self.function.bind(py))?;
            collect(built, &scope, self.id, &mut names)
        });
        result?;
        names.retain(|(_, meaning)| meaning.lasts(types));
        let mut noted = Noted {
            names,
            ..Noted::default()
        };
        noted.add(part);
        Ok(made(noted))
    }

    /// See [`_share_names`]. Who asks holds no lock afterwards: describing what names stand for runs Python code, which
    /// other threads that wait for the lock may keep from running.
    fn shared_names(&self) -> Option<Arc<Resolved>> {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.as_ref().and_then(Weak::upgrade)
    }

    fn published(&self, is_it: impl FnMut(&Arc<Resolved>) -> bool) -> Option<Arc<Resolved>> {
        let all = self.resolved.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(Weak::upgrade).find(is_it)
    }
}

/// What the names of a function stand for, which nothing is compiled for yet, is what they stand for in the code of `other`
/// for these argument types, as long as that is there.
#[pyfunction]
pub(crate) fn _share_names(
    dispatcher: &Bound<'_, PyAny>,
    other: &Bound<'_, PyAny>,
    args: Vec<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let args = args
        .iter()
        .map(from_python)
        .collect::<PyResult<Vec<Type>>>()?;
    let found = dispatcher::inner(other)?.published(|one| one.args == args);
    let d = dispatcher::inner(dispatcher)?;
    *d.shared.lock().unwrap_or_else(PoisonError::into_inner) = found.as_ref().map(Arc::downgrade);
    Ok(())
}

/// Notes what the free names of a function and of those in it stand for now. The jitted functions among them stay as long
/// as code that calls them.
fn collect(
    func: &Func,
    scope: &Scope<'_>,
    own: DispatcherId,
    names: &mut Vec<(String, Meaning)>,
) -> PyResult<()> {
    for desc in func.objects.values() {
        let is_known = names.iter().any(|(name, _)| *name == desc.name);
        if desc.kind != ObjKind::Unresolved || is_known {
            continue;
        }
        let meaning = scope.meaning(desc)?;
        for id in meaning.dispatchers().filter(|id| *id != own) {
            dispatcher::capture_object(id);
        }
        names.push((desc.name.clone(), meaning));
    }
    let mut nested = func.nested.iter();
    nested.try_for_each(|(_, inner)| collect(inner, scope, own, names))
}
