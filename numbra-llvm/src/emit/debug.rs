//! What the code says about its source, as LLVM's debug metadata: lines for profilers and checkers, variables and their
//! types for debuggers.
//!
//! Functions that no source function stands for have none: where LLVM inlines them, their code stands at the call.
//! Attributes of nodes are in alphabetical order, base types stand before functions and other types behind them, so that
//! the text looks as Numba's.

use super::names::bytes_text;
use numbra_base::{FileId, FxHashMap, Span};
use numbra_lir::{
    DebugInfo, DebugType, Encoding, EntityRef, Func, FuncDebug, FuncDecl, Linkage, Member, Module,
};

/// The first metadata node; the odd ones belong to `Declarations`.
const FIRST: usize = 1000;

/// The debug metadata of a module.
pub(super) struct DebugText {
    /// Paths of source files by `FileId`.
    paths: Vec<String>,
    nodes: usize,
    unit: usize,
    files: FxHashMap<FileId, usize>,
    bases: FxHashMap<DebugType, usize>,
    extents: FxHashMap<u32, usize>,
    scopes: FxHashMap<(usize, FileId), usize>,
    locations: FxHashMap<(usize, u32, u32), usize>,
    /// Lines of text: units and files, base types, functions, other types, variables, positions.
    groups: [String; 6],
}

/// Indices of [`DebugText::groups`].
const UNITS: usize = 0;
const BASES: usize = 1;
const FUNCTIONS: usize = 2;
const TYPES: usize = 3;
const VARIABLES: usize = 4;
const LOCATIONS: usize = 5;

/// A function of the source, as far as its instructions need it.
#[derive(Clone, Copy)]
pub(super) struct DebugFunction {
    /// Its metadata node.
    pub(super) node: usize,
    span: Span,
    line: u32,
}

impl DebugText {
    /// The metadata of a module that says something about its source.
    pub(super) fn new(module: &Module) -> Option<DebugText> {
        let kind = match module.debug {
            DebugInfo::None => return None,
            DebugInfo::Lines => "DebugDirectivesOnly",
            DebugInfo::Full => "FullDebug",
        };
        let described = |decl: &&FuncDecl| decl.body.as_ref().is_some_and(|b| b.debug.is_some());
        let entered = |decl: &&FuncDecl| decl.linkage != Linkage::Local;
        let mut all = module.functions.values().filter(described);
        let first = all.clone().find(entered).or_else(|| all.next())?;
        let span = first.body.as_ref()?.span;
        let mut text = DebugText {
            paths: module.files.clone(),
            nodes: 0,
            unit: 0,
            files: FxHashMap::default(),
            bases: FxHashMap::default(),
            extents: FxHashMap::default(),
            scopes: FxHashMap::default(),
            locations: FxHashMap::default(),
            groups: Default::default(),
        };
        text.unit = text.number();
        let file = text.file(span.file);
        // gdb looks for the end of a prologue by itself unless the producer begins with `clang `.
        text.put(
            UNITS,
            text.unit,
            &format!(
                "distinct !DICompileUnit(emissionKind: {kind}, file: !{file}, isOptimized: true, language: DW_LANG_C_plus_plus, producer: \"clang (Numba)\", runtimeVersion: 0)"
            ),
        );
        Some(text)
    }

    /// A function with a body: its node and what declares its variables, a line each.
    pub(super) fn function(
        &mut self,
        decl: &FuncDecl,
        func: &Func,
    ) -> Option<(DebugFunction, Vec<String>)> {
        let debug: &FuncDebug = func.debug.as_deref()?;
        let file = self.file(func.span.file);
        let node = self.number();
        let mut parameters: Vec<_> = debug.variables.iter().collect();
        parameters.retain(|variable| variable.parameter.is_some());
        parameters.sort_by_key(|variable| variable.parameter);
        let mut signature = vec!["null".to_owned()];
        for parameter in parameters {
            let ty = self.type_node(&parameter.ty);
            signature.push(format!("!{ty}"));
        }
        let list = self.list(FUNCTIONS, &signature);
        let ty = self.node(FUNCTIONS, &format!("!DISubroutineType(types: !{list})"));
        let local = decl.linkage == Linkage::Local;
        self.put(
            FUNCTIONS,
            node,
            &format!(
                "distinct !DISubprogram(file: !{file}, isDefinition: true, isLocal: {local}, isOptimized: true, line: {line}, linkageName: \"{}\", name: \"{}\", scope: !{file}, scopeLine: {line}, type: !{ty}, unit: !{})",
                bytes_text(decl.name.as_bytes()),
                bytes_text(debug.name.as_bytes()),
                self.unit,
                line = debug.line,
            ),
        );
        let function = DebugFunction {
            node,
            span: func.span,
            line: debug.line,
        };
        let mut declared = Vec::new();
        for variable in &debug.variables {
            let ty = self.type_node(&variable.ty);
            let arg = variable.parameter.map_or(0, |n| n + 1);
            let node = self.node(
                VARIABLES,
                &format!(
                    "!DILocalVariable(arg: {arg}, file: !{file}, line: {}, name: \"{}\", scope: !{node}, type: !{ty})",
                    variable.line.max(debug.line),
                    bytes_text(variable.name.as_bytes()),
                ),
            );
            declared.push(format!(
                "call void @\"llvm.dbg.declare\"(metadata ptr %slot{}, metadata !{node}, metadata !DIExpression())",
                variable.slot.index()
            ));
        }
        Some((function, declared))
    }

    /// The node of a position in a function.
    pub(super) fn location(&mut self, function: DebugFunction, span: Span) -> usize {
        let span = if span.is_known() { span } else { function.span };
        let home = span.file == function.span.file;
        let scope = if home {
            function.node
        } else {
            let key = (function.node, span.file);
            match self.scopes.get(&key) {
                Some(&scope) => scope,
                None => {
                    let file = self.file(span.file);
                    let scope = self.node(
                        FUNCTIONS,
                        &format!(
                            "!DILexicalBlockFile(discriminator: 0, file: !{file}, scope: !{})",
                            function.node
                        ),
                    );
                    self.scopes.insert(key, scope);
                    scope
                }
            }
        };
        // Arguments are set up at the decorator; whoever steps through a function begins at its `def`.
        let setup = home && span.line < function.line && span.line >= function.span.line;
        let (line, column) = if setup {
            (function.line, 1)
        } else {
            (span.line, span.col + 1)
        };
        if let Some(&known) = self.locations.get(&(scope, line, column)) {
            return known;
        }
        let text = format!("!DILocation(column: {column}, line: {line}, scope: !{scope})");
        let node = self.node(LOCATIONS, &text);
        self.locations.insert((scope, line, column), node);
        node
    }

    /// All metadata.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str(&format!("!llvm.dbg.cu = !{{!{}}}\n", self.unit));
        for group in &self.groups {
            out.push_str(group);
        }
    }

    fn number(&mut self) -> usize {
        self.nodes += 1;
        FIRST + 2 * (self.nodes - 1)
    }

    fn put(&mut self, group: usize, number: usize, text: &str) {
        self.groups[group].push_str(&format!("!{number} = {text}\n"));
    }

    fn node(&mut self, group: usize, text: &str) -> usize {
        let number = self.number();
        self.put(group, number, text);
        number
    }

    fn list(&mut self, group: usize, items: &[String]) -> usize {
        self.node(group, &format!("!{{ {} }}", items.join(", ")))
    }

    fn file(&mut self, id: FileId) -> usize {
        if let Some(&known) = self.files.get(&id) {
            return known;
        }
        let path = self.paths.get(id.0 as usize);
        // Strings of PTX have no way to write a quote.
        let path = path.map_or("<unknown>", String::as_str).replace('"', "'");
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let node = self.node(
            UNITS,
            &format!(
                "!DIFile(directory: \"{}\", filename: \"{}\")",
                bytes_text(directory.as_bytes()),
                bytes_text(name.as_bytes())
            ),
        );
        self.files.insert(id, node);
        node
    }

    /// The node of a type: one for each base type, one for each use of another.
    fn type_node(&mut self, ty: &DebugType) -> usize {
        match ty {
            DebugType::Base { .. } => self.base(ty),
            DebugType::Pointer(to) => {
                let to = self.type_node(to);
                let text =
                    format!("!DIDerivedType(baseType: !{to}, size: 64, tag: DW_TAG_pointer_type)");
                self.node(TYPES, &text)
            }
            DebugType::Array { name, item, count } => {
                let item = self.type_node(item);
                let elements = self.extent(*count);
                let text = format!(
                    "!DICompositeType(baseType: !{item}, elements: !{elements}, {}, size: {}, tag: DW_TAG_array_type)",
                    named(name, ty),
                    bits(ty)
                );
                self.node(TYPES, &text)
            }
            DebugType::Struct { name, members, .. } => {
                self.members(name, ty, members, "DW_TAG_structure_type")
            }
            DebugType::Union { name, members } => {
                self.members(name, ty, members, "DW_TAG_union_type")
            }
        }
    }

    fn members(&mut self, name: &str, ty: &DebugType, members: &[Member], tag: &str) -> usize {
        let mut nodes = Vec::new();
        for member in members {
            let inner = self.type_node(&member.ty);
            let offset = match ty {
                DebugType::Union { .. } => String::new(),
                _ => format!(", offset: {}", u64::from(member.offset) * 8),
            };
            let node = self.node(
                TYPES,
                &format!(
                    "!DIDerivedType(baseType: !{inner}, name: \"{}\"{offset}, size: {}, tag: DW_TAG_member)",
                    bytes_text(member.name.as_bytes()),
                    bits(&member.ty)
                ),
            );
            nodes.push(format!("!{node}"));
        }
        let list = self.list(TYPES, &nodes);
        let text = format!(
            "distinct !DICompositeType(elements: !{list}, {}, size: {}, tag: {tag})",
            named(name, ty),
            bits(ty)
        );
        self.node(TYPES, &text)
    }

    fn base(&mut self, ty: &DebugType) -> usize {
        if let Some(&known) = self.bases.get(ty) {
            return known;
        }
        let DebugType::Base {
            name,
            encoding,
            bits,
        } = ty
        else {
            return self.type_node(ty);
        };
        let encoding = match encoding {
            Encoding::Boolean => "DW_ATE_boolean",
            Encoding::Signed => "DW_ATE_signed",
            Encoding::Unsigned => "DW_ATE_unsigned",
            Encoding::Float => "DW_ATE_float",
        };
        let text = format!(
            "!DIBasicType(encoding: {encoding}, name: \"{}\", size: {bits})",
            bytes_text(name.as_bytes())
        );
        let node = self.node(BASES, &text);
        self.bases.insert(ty.clone(), node);
        node
    }

    fn extent(&mut self, count: u32) -> usize {
        if let Some(&known) = self.extents.get(&count) {
            return known;
        }
        let range = self.node(BASES, &format!("!DISubrange(count: {count})"));
        let node = self.list(BASES, &[format!("!{range}")]);
        self.extents.insert(count, node);
        node
    }
}

fn bits(ty: &DebugType) -> u64 {
    u64::from(ty.size()) * 8
}

/// Name and identifier of a composite type. Both tell the machine types, as debuggers' printers for Numba expect.
fn named(name: &str, ty: &DebugType) -> String {
    let machine = machine_type(ty);
    let name = bytes_text(name.as_bytes());
    format!("identifier: \"{machine}\", name: \"{name} ({machine})\"")
}

/// The machine type, with pointers as LLVM wrote them when Numba chose these names.
fn machine_type(ty: &DebugType) -> String {
    match ty {
        DebugType::Base { encoding, bits, .. } => match (encoding, bits) {
            (Encoding::Float, 16) => "half".to_owned(),
            (Encoding::Float, 32) => "float".to_owned(),
            (Encoding::Float, _) => "double".to_owned(),
            _ => format!("i{bits}"),
        },
        DebugType::Pointer(to) => format!("{}*", machine_type(to)),
        DebugType::Array { item, count, .. } => format!("[{count} x {}]", machine_type(item)),
        DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
            let all: Vec<String> = members.iter().map(|m| machine_type(&m.ty)).collect();
            format!("{{{}}}", all.join(", "))
        }
    }
}
