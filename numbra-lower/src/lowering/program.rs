//! Programs: which functions are lowered, in which order, and what they may raise.

use super::error::Fault;
use super::function::Fx;
use super::model;
use super::module::{Mx, Site};
use super::options::Options;
use super::parallel::ParallelLoop;
use super::recursion;
use crate::analysis::has_loop;
use crate::lir::{DebugInfo, Func, FuncDecl, FuncRef, InstKind, Linkage, Module, Terminator};
use numbra_base::{Diagnostic, FxHashMap};
use numbra_ir::{EntityRef, Instance, InstanceOrigin, TypedProgram, Types};
use numbra_library::Library;

/// Lowers a typed program to one LIR module. The root is exported; everything else is local to the module.
///
/// An error is a construct without lowering (`L001`) or an inconsistency of the input (`L002`).
/// The module is what `verify` accepts. Functions that can neither raise nor run for long have no status.
pub fn lower(
    program: &TypedProgram,
    types: &Types,
    library: &Library,
    options: &Options,
) -> Result<Module, Box<Diagnostic>> {
    lower_reporting(program, types, library, options).map(|(module, _)| module)
}

/// As [`lower`]; also what became of the `prange` loops.
pub fn lower_reporting(
    program: &TypedProgram,
    types: &Types,
    library: &Library,
    options: &Options,
) -> Result<(Module, Vec<ParallelLoop>), Box<Diagnostic>> {
    let Some((_, root)) = program.functions.get(program.root) else {
        let fault = Fault::bug("the program has no root function");
        return Err(fault.at(numbra_base::Span::NONE, "?"));
    };
    let mut mx = Mx::new(program, types, library, options);
    mx.module.name = root.func.name.clone();
    mx.module.debug = options.debug;
    let groups = recursive_groups(program);
    declare(&mut mx, &groups)?;
    for group in &groups {
        if is_library_body(program, group) {
            continue; // Lowered where it is called.
        }
        lower_group(&mut mx, group)?;
    }
    Ok((mx.module, mx.parallel_loops))
}

/// True for a group of one library body, which is lowered for its callers.
fn is_library_body(program: &TypedProgram, group: &[Instance]) -> bool {
    let [one] = group else { return false };
    *one != program.root
        && matches!(program.functions[*one].0, InstanceOrigin::Prelude(..))
        && !callees(program, *one).contains(one)
}

/// Declares the functions of the program, the root first, then in the order of discovery.
fn declare(mx: &mut Mx<'_>, groups: &[Vec<Instance>]) -> Result<(), Box<Diagnostic>> {
    let program = mx.program;
    for group in groups.iter().rev() {
        if is_library_body(program, group) {
            continue;
        }
        for &instance in group {
            let func = declare_function(mx, instance, instance == program.root)?;
            mx.functions.insert(instance, func);
        }
    }
    Ok(())
}

/// Adds a declaration without a body.
fn declare_function(
    mx: &mut Mx<'_>,
    instance: Instance,
    root: bool,
) -> Result<FuncRef, Box<Diagnostic>> {
    let (origin, typed) = &mx.program.functions[instance];
    let sig = model::signature(mx.types, &typed.args, typed.ret, true)
        .map_err(|what| Fault::unsupported(what).at(typed.func.span, &typed.func.name))?;
    let name = match (&mx.options.symbol, root) {
        (Some(symbol), true) => symbol.clone(),
        _ => mx.unique_name(&typed.func.name),
    };
    Ok(mx.module.functions.push(FuncDecl {
        name,
        linkage: if root {
            Linkage::Export
        } else {
            Linkage::Local
        },
        sig,
        body: None,
        inline_always: false,
        // Debuggers show calls of the user's functions.
        inline_never: mx.options.debug == DebugInfo::Full
            && !root
            && !matches!(origin, InstanceOrigin::Prelude(..)),
    }))
}

/// Lowers mutually recursive functions: first as if none could raise, and again if one does.
fn lower_group(mx: &mut Mx<'_>, group: &[Instance]) -> Result<(), Box<Diagnostic>> {
    let recursive = group.len() > 1 || callees(mx.program, group[0]).contains(&group[0]);
    for raises in [false, true] {
        let mut fails = Fails::default();
        let (functions, loops) = (mx.module.functions.len(), mx.parallel_loops.len());
        for &instance in group {
            let func = mx.functions[&instance];
            mx.module.functions[func].sig.raises = raises;
        }
        for &instance in group {
            let func = mx.functions[&instance];
            fails |= lower_into(mx, instance, func, None)?;
        }
        if !recursive || raises {
            for &instance in group {
                let func = mx.functions[&instance];
                set_raises(mx, func, recursive || fails.any());
            }
            if recursive && !mx.options.device {
                recursion::with_status(mx, group);
            }
            break;
        }
        if !fails.any() && (mx.options.device || recursion::without_status(mx, group)) {
            break;
        }
        mx.drop_tasks(functions);
        mx.parallel_loops.truncate(loops);
    }
    Ok(())
}

fn set_raises(mx: &mut Mx<'_>, func: FuncRef, raises: bool) {
    let decl = &mut mx.module.functions[func];
    decl.sig.raises = raises;
    if let Some(body) = &mut decl.body {
        body.sig.raises = raises;
    }
}

/// Why a function has a status.
#[derive(Clone, Copy, Default)]
struct Fails {
    /// It raises something.
    raises: bool,
    /// It may run for long, and be interrupted.
    interrupted: bool,
}

impl Fails {
    fn any(self) -> bool {
        self.raises || self.interrupted
    }
}

impl std::ops::BitOrAssign for Fails {
    fn bitor_assign(&mut self, other: Fails) {
        self.raises |= other.raises;
        self.interrupted |= other.interrupted;
    }
}

/// Lowers the body of a declared function; says whether it can fail.
fn lower_into(
    mx: &mut Mx<'_>,
    instance: Instance,
    func: FuncRef,
    site: Option<&Site>,
) -> Result<Fails, Box<Diagnostic>> {
    let (origin, typed) = &mx.program.functions[instance];
    let sig = mx.module.functions[func].sig.clone();
    let outer = (mx.error_model, mx.parallel);
    mx.parallel = match origin {
        InstanceOrigin::Dispatcher(id) => {
            let own = mx.options.parallels.get(id);
            own.copied().unwrap_or(mx.options.parallel)
        }
        InstanceOrigin::Closure(_) | InstanceOrigin::Overload(_) | InstanceOrigin::Text(_) => {
            mx.options.parallel
        }
        InstanceOrigin::Prelude(..) => false,
    };
    if let InstanceOrigin::Dispatcher(id) = origin {
        let options = mx.options;
        let own = options.error_models.get(id);
        mx.error_model = own.copied().unwrap_or(options.error_model);
    }
    let lowered = if typed.func.is_generator {
        super::generator::lower(mx, typed, sig, site)
    } else {
        Fx::lower(mx, typed, sig, site)
    };
    (mx.error_model, mx.parallel) = outer;
    let (body, raises) = lowered?;
    let interrupted =
        !mx.options.device && (has_loop(&body) || calls_what_fails(&mx.module, &body));
    mx.module.functions[func].body = Some(body);
    Ok(Fails {
        raises,
        interrupted,
    })
}

fn calls_what_fails(module: &Module, body: &Func) -> bool {
    let mut insts = body.layout.iter().flat_map(|&b| &body.blocks[b].insts);
    insts.any(|&inst| match body.insts[inst].kind {
        InstKind::Call { func, .. } => module.functions[func].sig.raises,
        _ => false,
    })
}

impl Mx<'_> {
    /// Empties the tasks of parallel loops that were declared from `first` on: their callers are lowered again.
    fn drop_tasks(&mut self, first: usize) {
        for (func, decl) in self.module.functions.iter_mut() {
            if func.index() < first || !self.tasks.contains(&func) {
                continue;
            }
            let mut body = Func::new(decl.sig.clone(), numbra_base::Span::NONE);
            let entry = body.entry();
            let (span, origin) = (numbra_base::Span::NONE, numbra_base::Origin::Compiler);
            body.set_term(entry, Terminator::Return(Vec::new()), span, origin);
            decl.body = Some(body);
        }
    }

    /// The function to call for an instance, from `site`.
    pub(super) fn callee(
        &mut self,
        instance: Instance,
        site: Site,
    ) -> Result<FuncRef, Box<Diagnostic>> {
        if let Some(&func) = self.functions.get(&instance) {
            return Ok(func);
        }
        let key = (instance, site);
        if let Some(&func) = self.copies.get(&key) {
            return Ok(func);
        }
        let (instance, site) = key;
        let Some((_, typed)) = self.program.functions.get(instance) else {
            return Err(Fault::bug("a call of a function that the program lacks")
                .at(site.span, &site.function));
        };
        if self.open.contains(&instance) {
            return Err(
                Fault::bug(format!("library body `{}` is recursive", typed.func.name))
                    .at(site.span, &site.function),
            );
        }
        let func = declare_function(self, instance, false)?;
        self.open.push(instance);
        let fails = lower_into(self, instance, func, Some(&site));
        self.open.pop();
        let fails = fails?;
        set_raises(self, func, fails.any());
        // What a body raises names the call.
        if fails.raises {
            self.copies.insert((instance, site), func);
        } else {
            self.functions.insert(instance, func);
        }
        Ok(func)
    }
}

/// Functions that a function calls, without repetition.
fn callees(program: &TypedProgram, instance: Instance) -> Vec<Instance> {
    let Some((_, typed)) = program.functions.get(instance) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for &block in &typed.func.layout {
        for &inst in &typed.func.blocks[block].insts {
            if let Some(site) = &typed.calls[inst]
                && let Some(callee) = site.callee.instance()
                && program.functions.is_valid(callee)
                && !out.contains(&callee)
            {
                out.push(callee);
            }
        }
    }
    out
}

/// Strongly connected components of the call graph below the root, callees first (Tarjan 1972, without recursion).
fn recursive_groups(program: &TypedProgram) -> Vec<Vec<Instance>> {
    struct State {
        index: usize,
        low: usize,
        on_stack: bool,
    }
    let mut states: FxHashMap<Instance, State> = FxHashMap::default();
    let mut stack: Vec<Instance> = Vec::new();
    let mut groups = Vec::new();
    let mut work: Vec<(Instance, Vec<Instance>, usize)> = Vec::new();
    let open = |node: Instance,
                states: &mut FxHashMap<Instance, State>,
                stack: &mut Vec<Instance>,
                work: &mut Vec<(Instance, Vec<Instance>, usize)>| {
        let index = states.len();
        states.insert(
            node,
            State {
                index,
                low: index,
                on_stack: true,
            },
        );
        stack.push(node);
        work.push((node, callees(program, node), 0));
    };
    open(program.root, &mut states, &mut stack, &mut work);
    while let Some((node, next, at)) = work.last_mut() {
        let node = *node;
        if let Some(&to) = next.get(*at) {
            *at += 1;
            match states.get(&to) {
                None => open(to, &mut states, &mut stack, &mut work),
                Some(seen) if seen.on_stack => {
                    let low = seen.index;
                    if let Some(state) = states.get_mut(&node) {
                        state.low = state.low.min(low);
                    }
                }
                Some(_) => {}
            }
            continue;
        }
        work.pop();
        let (low, index) = states.get(&node).map_or((0, 0), |s| (s.low, s.index));
        if let Some((parent, ..)) = work.last()
            && let Some(state) = states.get_mut(parent)
        {
            state.low = state.low.min(low);
        }
        if low == index {
            let mut group = Vec::new();
            while let Some(member) = stack.pop() {
                if let Some(state) = states.get_mut(&member) {
                    state.on_stack = false;
                }
                group.push(member);
                if member == node {
                    break;
                }
            }
            group.sort_by_key(|i| i.index());
            groups.push(group);
        }
    }
    groups
}
