//! Programs: which functions are lowered, in which order, and what they may raise.

use super::error::Fault;
use super::function::Fx;
use super::model;
use super::module::{Mx, Node, Site};
use super::options::{FunctionOptions, Options};
use super::recursion;
use numbra_base::{Diagnostic, FxHashMap};
use numbra_graph::{Node as GraphNode, components};
use numbra_ir::{EntityRef, Instance, InstanceOrigin, TypedFunc, TypedProgram, Types};
use numbra_library::Library;
use numbra_lir::analysis::has_loop;
use numbra_lir::{
    DebugInfo, FastMath, Func, FuncDecl, FuncRef, InstKind, Linkage, Module, Param, Terminator,
};
use numbra_parallel::{FunctionKey, LoopReport, ParallelPlan};

/// A lowered program.
#[derive(Clone, PartialEq, Debug)]
pub struct Lowered {
    /// The root is exported; everything else is local to the module.
    pub module: Module,
    /// Loops over elements of arrays that run in parallel: which there are, fusion decides.
    pub element_loops: Vec<LoopReport>,
}

/// Lowers a typed program to one LIR module; its loops over `prange` run as the plan says, and serially where it says nothing.
///
/// An error is a construct without lowering (`L001`) or an inconsistency of the input (`L002`).
/// The module is what `verify` accepts. Functions that can neither raise nor run for long have no status.
pub fn lower(
    program: &TypedProgram,
    plan: &ParallelPlan,
    types: &Types,
    library: &Library,
    options: &Options,
) -> Result<Lowered, Box<Diagnostic>> {
    let Some((_, root)) = program.functions.get(program.root) else {
        let fault = Fault::bug("the program has no root function");
        return Err(fault.at(numbra_base::Span::NONE, "?"));
    };
    let mut mx = Mx::new(program, plan, types, library, options);
    mx.module.name = root.func.name.clone();
    mx.module.debug = options.debug;
    let groups = recursive_groups(program, options);
    declare(&mut mx, &groups)?;
    for group in &groups {
        if is_library_body(&mx, group) {
            continue; // Lowered where it is called.
        }
        lower_group(&mut mx, group)?;
    }
    Ok(Lowered {
        module: mx.module,
        element_loops: mx.element_loops,
    })
}

/// The functions whose loops over `prange` may run in parallel under these options, callees first.
pub fn parallel_functions(program: &TypedProgram, options: &Options) -> Vec<FunctionKey> {
    let mut callees = options.callees.values();
    let is_asked = options.root.parallel || callees.any(|callee| callee.parallel == Some(true));
    if !is_asked || !program.functions.is_valid(program.root) {
        return Vec::new();
    }
    let mut keys = Vec::new();
    for node in recursive_groups(program, options).into_iter().flatten() {
        let key = key_of(node);
        if is_parallel(program, node) && !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// True if a function's loops may run in parallel: those of library bodies may not.
fn is_parallel(program: &TypedProgram, node: Node) -> bool {
    let (origin, _) = &program.functions[node.instance];
    node.own.parallel && !matches!(origin, InstanceOrigin::Prelude(..))
}

/// What the plan knows a function by.
fn key_of(node: Node) -> FunctionKey {
    FunctionKey {
        instance: node.instance,
        no_nans: node.own.fast.contains(FastMath::NNAN),
    }
}

/// True for a group of one library body, which is lowered for its callers.
fn is_library_body(mx: &Mx<'_>, group: &[Node]) -> bool {
    let [one] = group else { return false };
    one.instance != mx.program.root
        && matches!(
            mx.program.functions[one.instance].0,
            InstanceOrigin::Prelude(..)
        )
        && !callees(mx.program, mx.options, *one).contains(one)
}

/// The options of a function for a caller with the options `caller`.
fn options_of(
    program: &TypedProgram,
    options: &Options,
    instance: Instance,
    caller: FunctionOptions,
) -> FunctionOptions {
    if instance == program.root {
        return options.root;
    }
    let says = options.callees.get(&instance);
    says.map_or(caller, |callee| callee.called_from(caller))
}

/// Declares the functions of the program, the root first, then in the order of discovery.
fn declare(mx: &mut Mx<'_>, groups: &[Vec<Node>]) -> Result<(), Box<Diagnostic>> {
    for group in groups.iter().rev() {
        if is_library_body(mx, group) {
            continue;
        }
        for &node in group {
            let is_root = node.instance == mx.program.root;
            let func = declare_function(mx, node.instance, is_root)?;
            mx.functions.insert(node, func);
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
fn lower_group(mx: &mut Mx<'_>, group: &[Node]) -> Result<(), Box<Diagnostic>> {
    let recursive =
        group.len() > 1 || callees(mx.program, mx.options, group[0]).contains(&group[0]);
    for raises in [false, true] {
        let mut fails = Fails::default();
        let (functions, loops) = (mx.module.functions.len(), mx.element_loops.len());
        for node in group {
            let func = mx.functions[node];
            mx.module.functions[func].sig.raises = raises;
        }
        for &node in group {
            let func = mx.functions[&node];
            fails |= lower_into(mx, node, func, None)?;
        }
        if !recursive || raises {
            for node in group {
                let func = mx.functions[node];
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
        mx.element_loops.truncate(loops);
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
    node: Node,
    func: FuncRef,
    site: Option<&Site>,
) -> Result<Fails, Box<Diagnostic>> {
    let (_, typed) = &mx.program.functions[node.instance];
    if let Some(code) = mx.options.externals.get(&node.instance) {
        return take_in(mx, typed, func, code);
    }
    let sig = mx.module.functions[func].sig.clone();
    let outer = (mx.own, mx.parallel, mx.loops);
    mx.own = node.own;
    mx.parallel = is_parallel(mx.program, node);
    mx.loops = match mx.plan.of(key_of(node)) {
        Some(plan) if mx.parallel => &plan.loops,
        _ => &[],
    };
    let lowered = if typed.func.is_generator {
        super::generator::lower(mx, typed, sig, site)
    } else {
        Fx::lower(mx, typed, sig, site)
    };
    (mx.own, mx.parallel, mx.loops) = outer;
    let (body, raises) = lowered?;
    let interrupted =
        !mx.options.device && (has_loop(&body) || calls_what_fails(&mx.module, &body));
    mx.module.functions[func].body = Some(body);
    Ok(Fails {
        raises,
        interrupted,
    })
}

/// The body of a function that the Host has recorded.
fn take_in(
    mx: &mut Mx<'_>,
    typed: &TypedFunc,
    func: FuncRef,
    code: &str,
) -> Result<Fails, Box<Diagnostic>> {
    let name = &typed.func.name;
    let code = numbra_lir::text::read(code);
    let (code, _) =
        code.map_err(|e| Fault::unsupported(e.to_string()).at(typed.func.span, name))?;
    let mut exported = code.functions.iter();
    let root = exported.find(|(_, decl)| decl.linkage == Linkage::Export);
    let Some((root, decl)) = root else {
        return Err(Fault::bug("recorded code exports nothing").at(typed.func.span, name));
    };
    let ours = &mut mx.module.functions[func].sig;
    let types = |params: &[Param]| params.iter().map(|p| p.ty).collect::<Vec<_>>();
    if types(&decl.sig.params) != types(&ours.params) || decl.sig.results != ours.results {
        let what =
            format!("the code of `{name}` has other parameters or results than its types say");
        return Err(Fault::unsupported(what).at(typed.func.span, name));
    }
    let raises = decl.sig.raises;
    ours.raises = raises;
    mx.module.absorb(code, root, func);
    Ok(Fails {
        raises,
        interrupted: false,
    })
}

fn calls_what_fails(module: &Module, body: &Func) -> bool {
    let mut insts = body.layout.iter().flat_map(|b| body.blocks[b].insts());
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
        let own = options_of(self.program, self.options, instance, self.own);
        let node = Node { instance, own };
        if let Some(&func) = self.functions.get(&node) {
            return Ok(func);
        }
        let key = (node, site);
        if let Some(&func) = self.copies.get(&key) {
            return Ok(func);
        }
        let (node, site) = key;
        let Some((_, typed)) = self.program.functions.get(instance) else {
            return Err(Fault::bug("a call of a function that the program lacks")
                .at(site.span, &site.function));
        };
        if self.open.contains(&node) {
            return Err(
                Fault::bug(format!("library body `{}` is recursive", typed.func.name))
                    .at(site.span, &site.function),
            );
        }
        let func = declare_function(self, instance, false)?;
        self.open.push(node);
        let fails = lower_into(self, node, func, Some(&site));
        self.open.pop();
        let fails = fails?;
        set_raises(self, func, fails.any());
        // What a body raises names the call.
        if fails.raises {
            self.copies.insert((node, site), func);
        } else {
            self.functions.insert(node, func);
        }
        Ok(func)
    }
}

/// Functions that a function calls, with the options that they have for it, without repetition.
fn callees(program: &TypedProgram, options: &Options, node: Node) -> Vec<Node> {
    let Some((_, typed)) = program.functions.get(node.instance) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for &block in &typed.func.layout {
        for &inst in &typed.func.blocks[block].insts {
            if let Some(site) = &typed.calls[inst]
                && let Some(instance) = site.callee.instance()
                && program.functions.is_valid(instance)
            {
                let own = options_of(program, options, instance, node.own);
                let callee = Node { instance, own };
                if !out.contains(&callee) {
                    out.push(callee);
                }
            }
        }
    }
    out
}

/// Strongly connected components of the call graph below the root, callees first.
fn recursive_groups(program: &TypedProgram, options: &Options) -> Vec<Vec<Node>> {
    let mut nodes = vec![Node {
        instance: program.root,
        own: options.root,
    }];
    let mut numbers: FxHashMap<Node, GraphNode> = FxHashMap::default();
    numbers.insert(nodes[0], GraphNode::new(0));
    let mut called: Vec<Vec<GraphNode>> = Vec::new();
    while let Some(&node) = nodes.get(called.len()) {
        let list = callees(program, options, node).into_iter().map(|callee| {
            *numbers.entry(callee).or_insert_with(|| {
                nodes.push(callee);
                GraphNode::new(nodes.len() - 1)
            })
        });
        called.push(list.collect());
    }
    let all = (0..nodes.len()).map(GraphNode::new);
    let groups = components(all, |node| called[node.index()].iter().copied());
    let groups = groups.into_iter().map(|group| {
        let mut group: Vec<Node> = group.into_iter().map(|n| nodes[n.index()]).collect();
        group.sort_by_key(|node| node.instance.index());
        group
    });
    groups.collect()
}
