//! A [`Host`] that notes what it is asked.

use super::ask::{Asker, Unstable, free_names, view};
use crate::captured::resolved_in_scope;
use crate::dispatcher;
use crate::host::PythonHost;
use crate::overload;
use crate::resolved::Resolved;
use crate::types::is_portable;
use numbra_base::Diagnostic;
use numbra_driver::cache::{Digest, Manifest, OverloadTarget, Question};
use numbra_ir::lattice::ExtRules;
use numbra_ir::stencil::Stencil;
use numbra_ir::{DispatcherId, Func, ObjDesc, ObjRef, PrimaryMap, Type, Types};
use numbra_typeinfer::{
    DispatcherInfo, Host, HostError, NamedTupleClass, Overload, OverloadQuery,
    OverloadTarget as Target, Reader,
};
use rustc_hash::FxHashSet;
use std::sync::{Mutex, PoisonError};

/// What a compilation asked, in order and without repetitions.
#[derive(Default)]
pub(crate) struct Trace {
    questions: Vec<Question>,
    known: FxHashSet<Question>,
    /// Functions whose code was read.
    functions: Vec<DispatcherId>,
    unstable: Option<Unstable>,
    /// What answers were when the compiler asked, each with the function that asked: what changes while a function is
    /// compiled is not what its code was made from.
    snapshots: Vec<Snapshot>,
}

struct Snapshot {
    function: DispatcherId,
    question: Question,
    answer: Option<Digest>,
}

impl Snapshot {
    fn new(function: DispatcherId, question: Question) -> Snapshot {
        let answer = Snapshot::ask(function, &question);
        Snapshot {
            function,
            question,
            answer,
        }
    }

    fn ask(function: DispatcherId, question: &Question) -> Option<Digest> {
        digest(function, |asker| asker.ask(question))
    }

    /// What the names of a function stood for when the code that the compilation has used was made.
    fn of_resolved(resolved: &Resolved) -> Vec<Snapshot> {
        let (function, mut all) = (resolved.id, Vec::new());
        resolved.each(|question, answer| {
            let answer = digest(function, |asker| asker.noted(&question, answer));
            all.push(Snapshot {
                function,
                question,
                answer,
            });
        });
        all
    }

    /// What the variables of a function stand for.
    fn of_names(function: DispatcherId) -> Vec<Snapshot> {
        let names = free_names(function).unwrap_or_default().into_iter();
        let question = |name| Question::Name { function: 0, name };
        names
            .map(|name| Snapshot::new(function, question(name)))
            .collect()
    }

    fn holds(&self) -> bool {
        Snapshot::ask(self.function, &self.question) == self.answer
    }
}

fn digest(
    function: DispatcherId,
    ask: impl FnOnce(&mut Asker<'_, '_>) -> Result<Digest, Unstable>,
) -> Option<Digest> {
    crate::python::enter(|py| {
        let types = view();
        let (mut asker, _) = Asker::new(py, &types, function, &[]).ok()?;
        ask(&mut asker).ok()
    })
}

impl Trace {
    fn question(&mut self, question: Question) {
        if self.known.insert(question.clone()) {
            self.questions.push(question);
        }
    }

    fn function(&mut self, id: DispatcherId) {
        if !self.functions.contains(&id) {
            self.functions.push(id);
        }
    }

    /// The questions with their answers. The free names of functions come as soon as functions do: what they stand for
    /// makes classes and further functions known to the questions that follow.
    pub(crate) fn manifest(self, asker: &mut Asker<'_, '_>) -> Result<Manifest, Unstable> {
        if let Some(unstable) = self.unstable {
            return Err(unstable);
        }
        // Names are noted by the compilation itself, and maybe by an earlier one.
        let names = resolved_in_scope(|all| all.clone());
        let names = names.iter().flat_map(|one| Snapshot::of_resolved(one));
        let mut snapshots = self.snapshots.into_iter().chain(names);
        if let Some(changed) = snapshots.find(|snapshot| !snapshot.holds()) {
            let text = format!("{} changed while it was compiled", changed.question);
            return Err(Unstable::Other(text));
        }
        let mut manifest = Manifest::default();
        let mut named = 0;
        let mut questions = self.questions.into_iter();
        loop {
            while named < asker.count() {
                let id = asker
                    .function(named)
                    .filter(|id| named == 0 || self.functions.contains(id));
                for name in id.map_or(Ok(Vec::new()), free_names)? {
                    let question = Question::Name {
                        function: named as u32,
                        name,
                    };
                    let answer = asker.ask(&question)?;
                    manifest.answers.push((question, answer));
                }
                named += 1;
            }
            let Some(question) = questions.next() else {
                break;
            };
            let answer = asker.ask(&question)?;
            manifest.answers.push((question, answer));
        }
        if self
            .functions
            .iter()
            .all(|id| asker.number_of(*id).is_some())
        {
            Ok(manifest)
        } else {
            Err(Unstable::Other(
                "it calls a function that no name leads to".to_owned(),
            ))
        }
    }
}

/// See the module's documentation.
pub(crate) struct TracingHost {
    root: DispatcherId,
    trace: Mutex<Trace>,
}

impl TracingHost {
    /// For the compilation of a function, which starts after this.
    pub(crate) fn new(root: DispatcherId) -> TracingHost {
        TracingHost {
            root,
            trace: Mutex::default(),
        }
    }

    /// What was asked.
    pub(crate) fn into_trace(self) -> Trace {
        self.trace
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, note: impl FnOnce(&mut Trace)) {
        note(&mut self.trace.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn ask(&self, question: Question) {
        let mut known = false;
        self.note(|trace| known = trace.known.contains(&question));
        if known {
            return;
        }
        // Users' overloads run user code: once is enough. No lock is held while Python is asked.
        let snapshot = match question {
            Question::Overload { .. } => None,
            _ => Some(Snapshot::new(self.root, question.clone())),
        };
        self.note(|trace| {
            trace.question(question);
            trace.snapshots.extend(snapshot);
        });
    }

    /// A function whose code is about to be read.
    fn read(&self, id: DispatcherId) {
        let mut known = id == self.root;
        self.note(|trace| known |= trace.functions.contains(&id));
        // Of other functions the compilation notes what names stand for.
        let inlined = dispatcher::with(id, |d| d.options.inline_always).unwrap_or(false);
        let snapshots = match inlined && !known {
            true => Snapshot::of_names(id),
            false => Vec::new(),
        };
        self.note(|trace| {
            trace.function(id);
            trace.snapshots.extend(snapshots);
        });
    }

    /// The text of a type that another process understands.
    fn text(&self, types: &Types, ty: Type) -> String {
        if !is_portable(types, ty) {
            let text = format!("the type {} is of this process", types.display(ty));
            self.note(|trace| trace.unstable = Some(Unstable::Other(text)));
        }
        types.text(ty).to_string()
    }
}

impl Host for TracingHost {
    fn resolve(&self, func: &Func, obj: ObjRef) -> ObjDesc {
        PythonHost.resolve(func, obj)
    }

    fn attribute(
        &self,
        owner: &str,
        attr: &str,
        reader: Option<&Reader>,
        objects: &mut PrimaryMap<ObjRef, ObjDesc>,
    ) -> Option<ObjDesc> {
        self.ask(Question::Attribute {
            owner: owner.to_owned(),
            name: attr.to_owned(),
        });
        PythonHost.attribute(owner, attr, reader, objects)
    }

    fn members(&self, owner: &str) -> Vec<String> {
        PythonHost.members(owner)
    }

    fn dispatcher(&self, id: DispatcherId) -> Option<DispatcherInfo> {
        PythonHost.dispatcher(id)
    }

    fn overload_dispatcher(&self, id: u64) -> Option<DispatcherInfo> {
        PythonHost.overload_dispatcher(id)
    }

    fn dispatcher_func(
        &self,
        id: DispatcherId,
        args: &[Type],
        types: &Types,
    ) -> Result<Func, HostError> {
        self.read(id);
        PythonHost.dispatcher_func(id, args, types)
    }

    fn stencil(&self, id: DispatcherId) -> Result<(Stencil, Func), HostError> {
        self.read(id);
        PythonHost.stencil(id)
    }

    fn is_overloaded(&self, name: &str) -> bool {
        self.ask(Question::IsOverloaded {
            target: OverloadTarget::Function,
            name: name.to_owned(),
        });
        PythonHost.is_overloaded(name)
    }

    fn has_method(&self, receiver: Type, name: &str, types: &Types) -> bool {
        if overload::is_registered(OverloadTarget::Method, name) {
            let receiver = self.text(types, receiver);
            self.ask(Question::HasMethod {
                receiver,
                name: name.to_owned(),
            });
        } else {
            self.ask(Question::IsOverloaded {
                target: OverloadTarget::Method,
                name: name.to_owned(),
            });
        }
        PythonHost.has_method(receiver, name, types)
    }

    fn is_exception(&self, name: &str) -> bool {
        self.ask(Question::IsException(name.to_owned()));
        PythonHost.is_exception(name)
    }

    fn is_enum(&self, name: &str) -> bool {
        self.ask(Question::IsEnum(name.to_owned()));
        PythonHost.is_enum(name)
    }

    fn named_tuple(&self, name: &str) -> Option<NamedTupleClass> {
        self.ask(Question::NamedTuple(name.to_owned()));
        PythonHost.named_tuple(name)
    }

    fn overload(
        &self,
        query: &OverloadQuery<'_>,
        types: &Types,
    ) -> Result<Option<Overload>, HostError> {
        let found = PythonHost.overload(query, types);
        let (target, name) = match query.target {
            Target::Function(name) => (OverloadTarget::Function, name),
            Target::Method(name) => (OverloadTarget::Method, name),
            Target::Attribute(name) => (OverloadTarget::Attribute, name),
        };
        let name = name.to_owned();
        if overload::is_registered(target, &name) {
            let args = query.args.iter().map(|ty| self.text(types, *ty)).collect();
            let kws = query.kws.iter();
            let kws = kws.map(|(name, ty)| (name.clone(), self.text(types, *ty)));
            self.ask(Question::Overload {
                target,
                name,
                args,
                kws: kws.collect(),
                skip: u32::try_from(query.skip).unwrap_or(u32::MAX),
            });
        } else {
            self.ask(Question::IsOverloaded { target, name });
        }
        if let Ok(Some(overload)) = &found
            && !crate::recorded::is_recorded(overload.id)
        {
            let id = DispatcherId(u32::try_from(overload.id).unwrap_or(u32::MAX));
            self.read(id);
        }
        found
    }

    fn external_code(&self, id: u64) -> Option<String> {
        PythonHost.external_code(id)
    }

    fn ext_attribute(&self, receiver: Type, attr: &str, types: &Types) -> Option<Type> {
        PythonHost.ext_attribute(receiver, attr, types)
    }

    fn numpy_version(&self) -> (u32, u32) {
        PythonHost.numpy_version()
    }

    fn ext_rules(&self) -> &dyn ExtRules {
        PythonHost.ext_rules()
    }

    fn prepare(&self, func: Func, args: &[Type], types: &Types) -> Result<Func, HostError> {
        PythonHost.prepare(func, args, types)
    }
}

/// A failed manifest is no failed compilation: what Python's diagnostics say of it is a reason.
impl From<Box<Diagnostic>> for Unstable {
    fn from(diagnostic: Box<Diagnostic>) -> Unstable {
        Unstable::Other(diagnostic.message.clone())
    }
}
