//! A Host made of tables, for tests and for tools that run without Python.

use crate::host::{
    DispatcherForm, DispatcherInfo, Host, HostError, Overload, OverloadBody, OverloadQuery,
    OverloadTarget, Reader,
};
use crate::values::is_builtin_exception;
use numbra_ir::stencil::Stencil;
use numbra_ir::{
    Const, DispatcherId, Func, ObjDesc, ObjKind, ObjRef, PrimaryMap, Signature, Type, Types,
};
use numbra_library::{Library, RowKind, constant, prelude};
use std::collections::BTreeMap;

/// A jitted function of a [`TestHost`].
#[derive(Clone, Debug)]
pub struct TestDispatcher {
    /// In SSA form.
    pub func: Func,
    /// Explicit signatures, when compilation is disabled.
    pub frozen: Option<Vec<Signature>>,
    /// Signatures whose result type was declared.
    pub declared: Vec<Signature>,
}

/// A user's overload of a [`TestHost`]: taken when the function and the positional argument types are these.
#[derive(Clone, Debug)]
pub struct TestOverload {
    /// Function, `.method` or attribute name.
    pub target: String,
    /// Types that it takes.
    pub args: Vec<Type>,
    /// What it gives, or what it demands.
    pub result: Result<Overload, HostError>,
}

/// A Host made of tables. Attributes of modules that the library has rows for exist; so do its constants.
pub struct TestHost {
    lib: &'static Library,
    globals: BTreeMap<String, ObjDesc>,
    attributes: BTreeMap<(String, String), ObjDesc>,
    dispatchers: BTreeMap<u32, TestDispatcher>,
    stencils: BTreeMap<u32, Stencil>,
    overloads: Vec<TestOverload>,
}

impl TestHost {
    /// A Host that knows what the library knows.
    pub fn new(lib: &'static Library) -> TestHost {
        let mut host = TestHost {
            lib,
            globals: BTreeMap::new(),
            attributes: BTreeMap::new(),
            dispatchers: BTreeMap::new(),
            stencils: BTreeMap::new(),
            overloads: Vec::new(),
        };
        for module in ["numpy", "math", "cmath", "operator"] {
            host.set_global(
                module,
                described(module, ObjKind::Module, &format!("<module '{module}'>")),
            );
        }
        host.set_global(
            "np",
            described("numpy", ObjKind::Module, "<module 'numpy'>"),
        );
        host
    }

    /// A described constant.
    pub fn value(name: &str, value: Const) -> ObjDesc {
        let repr = value.to_string();
        described(name, ObjKind::Value(value), &repr)
    }

    /// What the global `name` is.
    pub fn set_global(&mut self, name: &str, desc: ObjDesc) {
        self.globals.insert(name.to_owned(), desc);
    }

    /// What attribute `attr` of the module or class `owner` is.
    pub fn set_attribute(&mut self, owner: &str, attr: &str, desc: ObjDesc) {
        self.attributes
            .insert((owner.to_owned(), attr.to_owned()), desc);
    }

    /// The jitted function of this number, which globals of its name are, too.
    pub fn set_dispatcher(&mut self, id: u32, dispatcher: TestDispatcher) {
        let name = dispatcher.func.name.clone();
        let repr = format!("CPUDispatcher(<function {name}>)");
        self.set_global(
            &name,
            described(&name, ObjKind::Dispatcher(DispatcherId(id)), &repr),
        );
        self.dispatchers.insert(id, dispatcher);
    }

    /// Makes a dispatcher, whose function is not in SSA form then, a stencil.
    pub fn set_stencil(&mut self, id: u32, stencil: Stencil) {
        self.stencils.insert(id, stencil);
    }

    /// A user's overload.
    pub fn push_overload(&mut self, overload: TestOverload) {
        self.overloads.push(overload);
    }

    fn library_object(&self, name: &str) -> Option<ObjDesc> {
        let row = self.lib.row(self.lib.lookup(name)?);
        let is_function = matches!(row.kind, RowKind::Function | RowKind::Operator);
        let short = name.rsplit('.').next().unwrap_or(name);
        let repr = format!("<built-in function {short}>");
        is_function.then(|| described(name, ObjKind::Function, &repr))
    }
}

fn described(name: &str, kind: ObjKind, repr: &str) -> ObjDesc {
    ObjDesc {
        name: name.to_owned(),
        kind,
        repr: repr.to_owned(),
        digest: None,
    }
}

impl Host for TestHost {
    fn resolve(&self, func: &Func, obj: ObjRef) -> ObjDesc {
        let desc = &func.objects[obj];
        let found = self.globals.get(&desc.name).cloned();
        let builtin = || is_builtin_exception(&format!("builtins.{}", desc.name));
        found
            .or_else(|| prelude::describe_global(&desc.name))
            .or_else(|| {
                let class = format!("builtins.{}", desc.name);
                builtin()
                    .then(|| described(&class, ObjKind::Class, &format!("<class '{}'>", desc.name)))
            })
            .or_else(|| self.library_object(&desc.name))
            .or_else(|| self.library_object(&format!("builtins.{}", desc.name)))
            .unwrap_or_else(|| ObjDesc {
                kind: ObjKind::Undefined,
                ..desc.clone()
            })
    }

    fn attribute(
        &self,
        owner: &str,
        attr: &str,
        _: Option<&Reader>,
        _: &mut PrimaryMap<ObjRef, ObjDesc>,
    ) -> Option<ObjDesc> {
        let key = (owner.to_owned(), attr.to_owned());
        let known = self.attributes.get(&key).cloned();
        let name = format!("{owner}.{attr}");
        known
            .or_else(|| constant(&name).map(|value| TestHost::value(&name, value)))
            .or_else(|| {
                // NumPy's scalar classes are classes, not functions.
                let is_class = owner == "numpy" && numbra_library::scalar_class(&name).is_some();
                is_class.then(|| described(&name, ObjKind::Class, &format!("<class '{name}'>")))
            })
            .or_else(|| self.library_object(&name))
            .or_else(|| {
                // A module whose functions are rows, as `numpy.linalg`.
                let mut rows = self.lib.rows();
                let inside =
                    |full: &str| full.strip_prefix(&name).is_some_and(|r| r.starts_with('.'));
                let is_module = rows.any(|(_, row)| inside(row.name));
                is_module.then(|| described(&name, ObjKind::Module, &format!("<module '{name}'>")))
            })
    }

    fn dispatcher(&self, id: DispatcherId) -> Option<DispatcherInfo> {
        let dispatcher = self.dispatchers.get(&id.0)?;
        Some(DispatcherInfo {
            name: dispatcher.func.name.clone(),
            args: dispatcher.func.args.clone(),
            frozen: dispatcher.frozen.clone(),
            declared: dispatcher.declared.clone(),
            form: match self.stencils.contains_key(&id.0) {
                true => DispatcherForm::Stencil,
                false => DispatcherForm::Function,
            },
            numpy_errors: None,
            fastmath: None,
            boundscheck: false,
            locals: Vec::new(),
            parallel: false,
            parallel_stencils: false,
            inline_always: false,
        })
    }

    fn dispatcher_func(
        &self,
        id: DispatcherId,
        _args: &[Type],
        _types: &Types,
    ) -> Result<Func, HostError> {
        match self.dispatchers.get(&id.0) {
            Some(dispatcher) => Ok(dispatcher.func.clone()),
            None => Err(HostError::Failed(format!(
                "there is no dispatcher {}",
                id.0
            ))),
        }
    }

    fn stencil(&self, id: DispatcherId) -> Result<(Stencil, Func), HostError> {
        match (self.stencils.get(&id.0), self.dispatchers.get(&id.0)) {
            (Some(stencil), Some(dispatcher)) => Ok((stencil.clone(), dispatcher.func.clone())),
            _ => Err(HostError::Failed(format!("{} is no stencil", id.0))),
        }
    }

    fn is_overloaded(&self, name: &str) -> bool {
        self.overloads.iter().any(|o| o.target == name)
    }

    fn has_method(&self, receiver: Type, name: &str, _types: &Types) -> bool {
        let target = format!(".{name}");
        self.overloads
            .iter()
            .any(|o| o.target == target && o.args.first() == Some(&receiver))
    }

    fn overload(
        &self,
        query: &OverloadQuery<'_>,
        types: &Types,
    ) -> Result<Option<Overload>, HostError> {
        let target = match query.target {
            OverloadTarget::Function(name) | OverloadTarget::Attribute(name) => name.to_owned(),
            OverloadTarget::Method(name) => format!(".{name}"),
        };
        let plain: Vec<Type> = query.args.iter().map(|ty| types.unliteral(*ty)).collect();
        let answers = |overload: &TestOverload, literal: bool| {
            let args = if literal { query.args } else { &plain };
            let mut result = overload.result.clone();
            if let Ok(overload) = &mut result {
                overload.literal = literal;
            }
            (overload.target == target && overload.args == args).then_some(result)
        };
        // Plain types come first, as where Python's overloads say nothing.
        let attempts = [false, true]
            .into_iter()
            .filter(|literal| !literal || plain != query.args);
        let found = self
            .overloads
            .iter()
            .flat_map(|o| {
                attempts
                    .clone()
                    .filter_map(move |literal| answers(o, literal))
            })
            .nth(query.skip);
        found.map_or(Ok(None), |result| result.map(Some))
    }
}

impl TestOverload {
    /// An overload with a body in IR.
    pub fn with_func(id: u64, target: &str, args: Vec<Type>, func: Func) -> TestOverload {
        TestOverload {
            target: target.to_owned(),
            args,
            result: Ok(Overload {
                id,
                args: func.args.clone(),
                literal: false,
                body: OverloadBody::Func(Box::new(func)),
            }),
        }
    }
}
