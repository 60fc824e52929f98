//! The functions of one inference: each once per source and argument types, recursion by strongly connected component.
//!
//! Callees are inferred with an explicit stack, not by recursion in Rust, so that long chains of calls cost no native
//! stack. A call of a function that is still on the stack takes the type of its returns so far. When the function that
//! a component hangs on is done, and a member assumed another type, the component is inferred again with that type.

use crate::context::{Cx, extent};
use crate::failure::Failure;
use crate::finish::{Finished, finish};
use crate::network::{Network, Run};
use crate::report;
use crate::{Host, Reader};
use numbra_base::{Diagnostic, FxHashMap};
use numbra_ir::{
    BodyIx, DispatcherId, Func, InstanceOrigin, ObjDesc, RowId, Signature, Type, TypedFunc, Types,
};
use std::sync::Arc;

/// What a function is made from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The function given to `infer`, when it is no dispatcher.
    Root,
    Dispatcher(DispatcherId),
    Prelude(RowId, BodyIx),
    Overload(u64),
    /// By position in [`Program::closures`].
    Closure(usize),
}

/// A function at given argument types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) source: Source,
    pub(crate) args: Vec<Type>,
}

impl Key {
    /// How large the argument types are.
    fn extent(&self, types: &Types) -> usize {
        let extents = self.args.iter().map(|ty| extent(types, *ty));
        extents.fold(0, |sum, one| sum.saturating_add(one.unwrap_or(usize::MAX)))
    }
}

/// How far an entry is.
#[derive(Clone)]
pub(crate) enum State {
    /// Not begun, or to be inferred again.
    New,
    /// On the stack, at this depth.
    Active(usize),
    /// Inferred, but part of a component whose head is still on the stack at this depth.
    Provisional(usize),
    /// Inferred for good.
    Done,
    /// Wrong.
    Failed(Box<Failure>),
}

/// A function of the program.
pub(crate) struct Entry {
    pub(crate) key: Key,
    pub(crate) origin: InstanceOrigin,
    /// Name for messages.
    pub(crate) name: String,
    pub(crate) state: State,
    func: Option<Box<Func>>,
    /// Result type: final when done, the best known before that.
    pub(crate) ret: Option<Type>,
    /// Result type that was declared, which calls in recursion use, too. Of a function, not of a generator.
    declared: Option<Type>,
    /// Result type that others have used while it was on the stack.
    assumed: Option<Option<Type>>,
    pub(crate) typed: Option<Box<TypedFunc>>,
    /// Error of a function in recursion, which may yet vanish when more is known.
    doubt: Option<Box<Failure>>,
    /// Functions it calls, by entry.
    pub(crate) callees: Vec<usize>,
    rounds: u32,
    /// See [`Network::prunes`]. Where a function has types with all its branches, they are those that it has in Numba; else
    /// branches that types exclude are left out.
    prunes: bool,
}

/// All functions of one inference.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) entries: Vec<Entry>,
    by_key: FxHashMap<Key, usize>,
    /// Local functions with their captured constants filled in, and whose code they are.
    closures: Vec<(Func, Option<Arc<Reader>>)>,
    /// Entries on the stack, from the root.
    stack: Vec<usize>,
    /// Lowest depth of the stack that the function on top depends on.
    lowest: Vec<usize>,
    /// Returns so far of the functions on the stack.
    partial: Vec<Option<Type>>,
    /// Evaluations of statements so far.
    pub(crate) steps: u64,
}

/// Nested calls of one function at types not yet inferred: so many are a recursion at ever new types. A chain of different
/// functions may be as long as it is.
const MAX_DEPTH: usize = 500;
/// Nested calls of one function whose argument types each are larger than those before, after which it is refused.
/// A recursion that ends would have met types that it has seen.
const MAX_GROWTH: usize = 64;
/// Times that a component is inferred again. Return types move up a short lattice.
const MAX_ROUNDS: u32 = 12;

/// What is known of a callee.
pub(crate) enum Lookup {
    /// Its result type.
    Known(Type),
    /// It is in recursion and its result type is not known yet.
    InRecursion,
    /// It must be inferred first.
    Unknown,
    /// It is wrong.
    Failed(Box<Failure>),
}

impl Program {
    /// The entry of a function, made if new. `func` gives its IR when it is new.
    pub(crate) fn entry(
        &mut self,
        key: Key,
        origin: InstanceOrigin,
        name: &str,
        func: impl FnOnce() -> Result<Func, Box<Failure>>,
    ) -> usize {
        if let Some(at) = self.by_key.get(&key) {
            return *at;
        }
        let (func, state) = match func() {
            Ok(func) => match Network::malformed(&func) {
                None => (Some(Box::new(func)), State::New),
                Some(bad) => (None, State::Failed(Box::new(Failure::new(bad)))),
            },
            Err(failure) => (None, State::Failed(failure)),
        };
        self.push(key, origin, name, func, state)
    }

    /// The entry of a function whose code the Host keeps: types only.
    pub(crate) fn external(&mut self, key: Key, id: u64, name: &str, sig: &Signature) -> usize {
        if let Some(at) = self.by_key.get(&key) {
            return *at;
        }
        let origin = InstanceOrigin::Overload(id);
        let at = self.push(key, origin, name, None, State::Done);
        let entry = &mut self.entries[at];
        entry.ret = Some(sig.ret);
        entry.typed = Some(Box::new(TypedFunc {
            func: Func::new(name, numbra_base::Span::NONE),
            args: sig.params.clone(),
            ret: sig.ret,
            var_types: Default::default(),
            calls: Default::default(),
        }));
        at
    }

    fn push(
        &mut self,
        key: Key,
        origin: InstanceOrigin,
        name: &str,
        func: Option<Box<Func>>,
        state: State,
    ) -> usize {
        let at = self.entries.len();
        self.by_key.insert(key.clone(), at);
        self.entries.push(Entry {
            key,
            origin,
            name: name.to_owned(),
            state,
            func,
            ret: None,
            declared: None,
            assumed: None,
            typed: None,
            doubt: None,
            callees: Vec::new(),
            rounds: 0,
            prunes: false,
        });
        at
    }

    /// The number of a closure: equal closures share one.
    pub(crate) fn closure(&mut self, func: Func, reader: Option<Arc<Reader>>) -> usize {
        if let Some(at) = self.closures.iter().position(|(known, _)| *known == func) {
            return at;
        }
        self.closures.push((func, reader));
        self.closures.len() - 1
    }

    /// The function of a closure.
    pub(crate) fn closure_func(&self, at: usize) -> Option<&Func> {
        self.closures.get(at).map(|(func, _)| func)
    }

    /// What a call of an entry may use now. Records the dependency of the function on top of the stack.
    pub(crate) fn look_up(&mut self, at: usize, own_returns: Option<Type>) -> Lookup {
        let depth = self.stack.len().saturating_sub(1);
        let entry = &mut self.entries[at];
        match &entry.state {
            State::New => Lookup::Unknown,
            State::Done => match entry.ret {
                Some(ret) => Lookup::Known(ret),
                None => Lookup::InRecursion,
            },
            State::Failed(failure) => Lookup::Failed(failure.clone()),
            State::Provisional(head) => {
                let head = *head;
                let ret = entry.ret;
                self.depends_on(head);
                ret.map_or(Lookup::InRecursion, Lookup::Known)
            }
            State::Active(active) => {
                let active = *active;
                if active == depth {
                    // Self-recursion: this network's own returns, evaluated again when they change.
                    let known = entry.declared.or(own_returns);
                    return known.map_or(Lookup::InRecursion, Lookup::Known);
                }
                let known = entry.declared.or(self.partial[active]);
                self.entries[at].assumed = Some(known);
                self.depends_on(active);
                known.map_or(Lookup::InRecursion, Lookup::Known)
            }
        }
    }

    fn depends_on(&mut self, depth: usize) {
        if let Some(lowest) = self.lowest.last_mut() {
            *lowest = (*lowest).min(depth);
        }
    }

    /// True if stencils that the function on top of the stack calls run in parallel: by its own options, or by its
    /// caller's where these are its own. `root` is what those of the root say.
    pub(crate) fn has_parallel_stencils(&self, host: &dyn Host, root: bool) -> bool {
        let callers = self.stack.iter().skip(1).rev();
        let mut says = callers.filter_map(|at| match &self.entries[*at].key.source {
            Source::Dispatcher(id) => host.dispatcher(*id).filter(|info| !info.inline_always),
            Source::Overload(id) => host.overload_dispatcher(*id).filter(|info| info.parallel),
            Source::Root | Source::Prelude(..) | Source::Closure(_) => None,
        });
        says.next().map_or(root, |info| info.parallel_stencils)
    }

    /// True if an entry is the function on top of the stack.
    pub(crate) fn is_current(&self, at: usize) -> bool {
        self.stack.last() == Some(&at)
    }

    /// How often the function of an entry is on the stack, where that may be [`MAX_DEPTH`] times.
    fn repeats(&self, at: usize) -> usize {
        if self.stack.len() < MAX_DEPTH {
            return 0;
        }
        let source = &self.entries[at].key.source;
        let same = |caller: &&usize| self.entries[**caller].key.source == *source;
        self.stack.iter().filter(same).count()
    }

    /// True if an entry goes on a recursion at ever larger types: its function is on the stack [`MAX_GROWTH`] times, each
    /// time with larger arguments, and these are larger still.
    fn grows(&self, types: &Types, at: usize) -> bool {
        let key = &self.entries[at].key;
        let mut above = key.extent(types);
        let mut growth = 0;
        for caller in self.stack.iter().rev() {
            let caller = &self.entries[*caller].key;
            if caller.source != key.source {
                continue;
            }
            let extent = caller.extent(types);
            if extent >= above {
                return false;
            }
            above = extent;
            growth += 1;
            if growth == MAX_GROWTH {
                return true;
            }
        }
        false
    }

    /// Ends a recursion that goes on at ever larger types: every call from its first one to `at` fails at once. Another
    /// call in the functions between would only recurse as far again.
    fn fail_recursion(&mut self, at: usize) {
        let source = self.entries[at].key.source.clone();
        let is_first = |caller: &usize| self.entries[*caller].key.source == source;
        let first = self
            .stack
            .iter()
            .position(is_first)
            .unwrap_or(self.stack.len());
        let entry = &self.entries[at];
        let failure = Failure::new(report::too_deep(&entry.name, entry.func.as_deref()));
        let failed = State::Failed(Box::new(failure));
        let mut ended = self.stack.split_off(first);
        self.lowest.truncate(first);
        self.partial.truncate(first);
        ended.push(at);
        let within =
            |entry: &Entry| matches!(entry.state, State::Provisional(head) if head >= first);
        ended.extend((0..self.entries.len()).filter(|i| within(&self.entries[*i])));
        for entry in ended {
            self.entries[entry].state = failed.clone();
        }
    }

    /// Entries that the root needs, callers before callees.
    pub(crate) fn reachable(&self, root: usize) -> Vec<usize> {
        let mut seen = vec![false; self.entries.len()];
        let mut order = Vec::new();
        let mut todo = vec![root];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            order.push(at);
            for callee in self.entries[at].callees.iter().rev() {
                if !seen[*callee] {
                    todo.push(*callee);
                }
            }
        }
        order
    }
}

/// Infers an entry and everything it needs.
pub(crate) fn solve(cx: &mut Cx<'_>, root: usize) {
    let mut networks: Vec<Network> = Vec::new();
    begin(cx, &mut networks, root);
    while let Some(network) = networks.last_mut() {
        match network.run(cx) {
            Run::Needs(at) if cx.program.repeats(at) >= MAX_DEPTH => {
                let entry = &mut cx.program.entries[at];
                let failure = Failure::new(report::too_deep(&entry.name, entry.func.as_deref()));
                entry.state = State::Failed(Box::new(failure));
            }
            Run::Needs(at) if cx.program.grows(cx.types, at) => {
                cx.program.fail_recursion(at);
                networks.truncate(cx.program.stack.len());
            }
            Run::Needs(at) => {
                let depth = cx.program.stack.len() - 1;
                let so_far = network.return_type(cx).ok().flatten();
                let before = cx.program.entries[cx.program.stack[depth]].ret;
                cx.program.partial[depth] = join(cx, so_far, before);
                begin(cx, &mut networks, at);
            }
            Run::Settled => end(cx, &mut networks),
        }
    }
}

/// The common type of what is known now and what was known in an earlier round.
pub(crate) fn join(cx: &Cx<'_>, a: Option<Type>, b: Option<Type>) -> Option<Type> {
    match (a, b) {
        (Some(a), Some(b)) => cx.unify(a, b).or(Some(a)),
        (known, None) | (None, known) => known,
    }
}

fn begin(cx: &mut Cx<'_>, networks: &mut Vec<Network>, at: usize) {
    let depth = cx.program.stack.len();
    let entry = &mut cx.program.entries[at];
    let Some(func) = entry.func.as_deref() else {
        // Failed or external entries are never New.
        return;
    };
    let (func, args) = (func.clone(), entry.key.args.clone());
    let entry_source = entry.key.source.clone();
    let is_library = matches!(entry_source, Source::Prelude(..));
    entry.state = State::Active(depth);
    entry.assumed = None;
    entry.callees.clear();
    cx.program.stack.push(at);
    cx.program.lowest.push(depth);
    cx.program.partial.push(None);
    let info = match &entry_source {
        _ if depth == 0 => None,
        Source::Dispatcher(id) => cx.host.dispatcher(*id),
        Source::Overload(id) => cx.host.overload_dispatcher(*id),
        Source::Prelude(..) | Source::Closure(..) | Source::Root => None,
    };
    let locals = match &info {
        _ if depth == 0 => &cx.opts.locals[..],
        Some(info) => &info.locals[..],
        None => &[],
    };
    let declared = match &info {
        _ if depth == 0 => cx.opts.ret,
        Some(info) => info.declared_result(&args),
        None => None,
    };
    cx.program.entries[at].declared = declared.filter(|_| !func.is_generator);
    let reader = |id| {
        let args = args.clone();
        Some(Arc::new(Reader { id, args }))
    };
    let reader = match entry_source {
        Source::Dispatcher(id) => reader(id),
        Source::Overload(id) => u32::try_from(id)
            .ok()
            .and_then(|id| reader(DispatcherId(id))),
        Source::Closure(at) => cx
            .program
            .closures
            .get(at)
            .and_then(|(_, reader)| reader.clone()),
        Source::Prelude(..) | Source::Root => None,
    };
    let asks_types =
        |desc: &ObjDesc| ["builtins.isinstance", "builtins.hasattr"].contains(&&*desc.name);
    let prunes = cx.program.entries[at].prunes || func.objects.values().any(asks_types);
    let mut network = Network::new(func, args, locals, declared);
    network.prunes = prunes;
    network.is_library = is_library;
    network.reader = reader;
    networks.push(network);
}

/// The function on top of the stack has settled.
fn end(cx: &mut Cx<'_>, networks: &mut Vec<Network>) {
    let (Some(mut network), Some(at), Some(lowest)) = (
        networks.pop(),
        cx.program.stack.pop(),
        cx.program.lowest.pop(),
    ) else {
        return;
    };
    cx.program.partial.pop();
    let depth = cx.program.stack.len();
    if let Some(trace) = cx.opts.trace {
        trace(&crate::trace::variables(&network, cx));
    }
    let declared = cx.program.entries[at].declared;
    let ret = declared.or_else(|| network.return_type(cx).ok().flatten());
    if lowest < depth {
        // Part of a component whose head is below: its result is good enough for now.
        cx.program.depends_on(lowest);
        let waits = network.waits_for_recursion();
        let result = finish(&mut network, cx, at);
        let entry = &mut cx.program.entries[at];
        if result.is_err() && !waits && network.has_excluded {
            entry.prunes = true;
            begin(cx, networks, at);
            return;
        }
        entry.ret = ret.or(entry.ret);
        entry.state = State::Provisional(lowest);
        match result {
            Ok(finished) => entry.conclude(finished),
            Err(failure) => entry.doubt = (!waits).then_some(failure),
        }
        return;
    }
    let members: Vec<usize> = (0..cx.program.entries.len())
        .filter(
            |i| matches!(cx.program.entries[*i].state, State::Provisional(head) if head >= depth),
        )
        .collect();
    let entry = &cx.program.entries[at];
    let assumed_right = entry.assumed.is_none_or(|assumed| assumed == ret);
    let in_doubt = members
        .iter()
        .any(|m| cx.program.entries[*m].doubt.is_some());
    let all_typed = members
        .iter()
        .all(|m| cx.program.entries[*m].typed.is_some());
    let may_improve = (ret.is_some() && !(assumed_right && all_typed)) || in_doubt;
    if !members.is_empty() && may_improve && entry.rounds < MAX_ROUNDS {
        for member in members {
            let entry = &mut cx.program.entries[member];
            entry.typed = None;
            entry.state = match entry.doubt.take() {
                Some(failure) if assumed_right => State::Failed(failure),
                _ => State::New,
            };
        }
        let joined = join(cx, ret, cx.program.entries[at].ret);
        let entry = &mut cx.program.entries[at];
        entry.rounds += 1;
        entry.ret = joined;
        begin(cx, networks, at);
        return;
    }
    let result = finish(&mut network, cx, at);
    let entry = &mut cx.program.entries[at];
    if result.is_err() && network.has_excluded {
        entry.prunes = true;
        begin(cx, networks, at);
        return;
    }
    entry.state = match result {
        Ok(finished) if assumed_right => {
            entry.conclude(finished);
            State::Done
        }
        Ok(_) => State::Failed(report::runaway(&entry.name, network.func.span).into()),
        Err(failure) => State::Failed(failure),
    };
    for member in members {
        let entry = &mut cx.program.entries[member];
        entry.state = match (&entry.typed, entry.doubt.take()) {
            (Some(_), _) => State::Done,
            (None, Some(failure)) => State::Failed(failure),
            (None, None) => {
                let span = entry.func.as_deref().map(|f| f.span).unwrap_or_default();
                State::Failed(report::runaway(&entry.name, span).into())
            }
        };
    }
}

impl Entry {
    fn conclude(&mut self, finished: Finished) {
        self.ret = Some(finished.typed.ret);
        self.callees = finished.callees;
        self.typed = Some(Box::new(finished.typed));
        self.doubt = None;
    }
}

/// A diagnostic of a callee as its caller reports it.
pub(crate) fn first_error(cx: &Cx<'_>, at: usize) -> Option<Diagnostic> {
    match &cx.program.entries[at].state {
        State::Failed(failure) => Some(failure.diagnostic.clone()),
        State::New | State::Active(_) | State::Provisional(_) | State::Done => None,
    }
}
