//! A [`Host`] that notes what it is asked.

use super::ask::{Asker, Unstable, free_names};
use crate::host::PythonHost;
use crate::overload;
use crate::types_py::is_portable;
use numbra_base::Diagnostic;
use numbra_driver::cache::{Manifest, OverloadTarget, Question};
use numbra_ir::lattice::ExtRules;
use numbra_ir::{DispatcherId, Func, ObjDesc, ObjRef, Type, Types};
use numbra_typeinfer::{
    DispatcherInfo, Host, HostError, NamedTupleClass, Overload, OverloadQuery,
    OverloadTarget as Target,
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
#[derive(Default)]
pub(crate) struct TracingHost {
    trace: Mutex<Trace>,
}

impl TracingHost {
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
        self.note(|trace| trace.question(question));
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

    fn attribute(&self, owner: &str, attr: &str) -> Option<ObjDesc> {
        self.ask(Question::Attribute {
            owner: owner.to_owned(),
            name: attr.to_owned(),
        });
        PythonHost.attribute(owner, attr)
    }

    fn dispatcher(&self, id: DispatcherId) -> Option<DispatcherInfo> {
        PythonHost.dispatcher(id)
    }

    fn dispatcher_func(
        &self,
        id: DispatcherId,
        args: &[Type],
        types: &Types,
    ) -> Result<Func, HostError> {
        self.note(|trace| trace.function(id));
        PythonHost.dispatcher_func(id, args, types)
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
            });
        } else {
            self.ask(Question::IsOverloaded { target, name });
        }
        if let Ok(Some(overload)) = &found {
            let id = DispatcherId(u32::try_from(overload.id).unwrap_or(u32::MAX));
            self.note(|trace| trace.function(id));
        }
        found
    }

    fn ext_attribute(&self, receiver: Type, attr: &str, types: &Types) -> Option<Type> {
        PythonHost.ext_attribute(receiver, attr, types)
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
