//! What every step of one inference shares.

use crate::program::Program;
use crate::values::Names;
use crate::{Host, Options};
use numbra_ir::lattice::{can_convert_with, unify_with};
use numbra_ir::{Type, TypeKind, Types};
use numbra_library::Library;

/// Shared, read-only surroundings, and the program as far as it is inferred.
pub(crate) struct Cx<'a> {
    pub(crate) types: &'a Types,
    pub(crate) lib: &'a Library,
    pub(crate) host: &'a dyn Host,
    pub(crate) opts: &'a Options<'a>,
    pub(crate) program: Program,
}

impl<'a> Cx<'a> {
    /// What names mean.
    pub(crate) fn names(&self) -> Names<'a> {
        Names {
            types: self.types,
            lib: self.lib,
            host: self.host,
            promotion: self.opts.promotion,
            device: self.opts.device,
        }
    }

    /// True if a value of `from` converts to `to` without being asked to.
    pub(crate) fn converts(&self, from: Type, to: Type) -> bool {
        can_convert_with(self.types, self.host.ext_rules(), from, to).is_some()
    }

    /// The common type of two.
    pub(crate) fn unify(&self, a: Type, b: Type) -> Option<Type> {
        unify_with(self.types, self.host.ext_rules(), a, b)
    }

    /// The text of a type.
    pub(crate) fn show(&self, ty: Type) -> String {
        self.types.display(ty).to_string()
    }

    /// The text of a type for readers, without what only the compiler tells apart. Numba's phrases have [`Cx::show`].
    pub(crate) fn plain(&self, ty: Type) -> String {
        let ty = self.types.unliteral(ty);
        match self.types.kind(ty) {
            TypeKind::LiteralList(items) => {
                let items: Vec<String> = items.iter().map(|item| self.plain(*item)).collect();
                format!("a list of {}", items.join(", "))
            }
            TypeKind::LiteralDict { items, .. } => {
                let items: Vec<String> = items.iter().map(|item| self.plain(*item)).collect();
                format!("a dict of {}", items.join(", "))
            }
            TypeKind::Dispatcher { name, .. } | TypeKind::Function { name, .. } => {
                format!("the function `{name}`")
            }
            _ => self.show(ty).replace("<iv=None>", ""),
        }
    }

    /// The texts of types, separated by commas.
    pub(crate) fn show_all(&self, all: &[Type]) -> String {
        let texts: Vec<String> = all.iter().map(|ty| self.show(*ty)).collect();
        texts.join(", ")
    }
}

/// Parts of one type after which it is refused. Types are shared, their texts are not: a text may be exponentially long.
const MAX_PARTS: usize = 4096;

/// True if a type has too many parts to be printed or passed.
pub(crate) fn is_too_large(types: &Types, ty: Type) -> bool {
    extent(types, ty).is_none()
}

/// How large a type is: its parts, the items of its homogeneous tuples and the axes of its arrays, added up. `None` where
/// it has too many parts. A type that is made of another one and more has the larger extent.
pub(crate) fn extent(types: &Types, ty: Type) -> Option<usize> {
    let mut todo = vec![ty];
    let mut parts = 0;
    let mut repeated: usize = 0;
    while let Some(ty) = todo.pop() {
        parts += 1;
        if parts > MAX_PARTS {
            return None;
        }
        let kind = types.kind(ty);
        match kind {
            TypeKind::UniTuple(_, count) => repeated = repeated.saturating_add(*count as usize),
            TypeKind::Array(array) => repeated = repeated.saturating_add(array.ndim as usize),
            _ => {}
        }
        kind.for_each_part(&mut |part| todo.push(part));
    }
    Some(parts + repeated)
}
