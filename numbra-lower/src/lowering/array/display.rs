//! Arrays of list displays and of tuples, whose items are known: `np.array([[x, y], [y, x]])` writes them where they will stay.
//!
//! A display makes no list if nothing but `np.array`, or a display of which that is so, reads the list.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::element::ArrayRef;
use super::gather::{Gather, Places};
use numbra_ir::{CallArg, Expr, Inst, Rhs, StmtKind, Type, Var};
use numbra_library::native::bodies;
use numbra_library::{shape_of_neighbours, shape_of_numbers};
use numbra_lir::Value;

/// Items of a tuple that become stores of their own at most; more are copied by the runtime.
const MOST: usize = 64;

/// The items of nested displays of lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Display {
    /// A number, or nested tuples of numbers, as an item of this type.
    Item(Var, Type),
    List(Vec<Display>),
}

impl Fx<'_, '_> {
    /// The roles of all statements that touch the lists that `end` makes an array of, if displays make them.
    pub(super) fn displayed_by(
        &self,
        end: Inst,
        places: &Places<'_>,
    ) -> Option<Vec<(Inst, Gather)>> {
        let site = self.typed.calls[end].as_ref()?;
        let CallArg::Var(given) = *site.args.first()? else {
            return None;
        };
        let mut roles = Vec::new();
        let display = self.display(given, end, places, &mut roles)?;
        let ndim = usize::from(self.types.as_array(site.sig.ret)?.ndim);
        if self.display_shape(&display)?.len() != ndim {
            return None;
        }
        roles.push((end, Gather::Display(display)));
        Some(roles)
    }

    /// The display that makes a list which only `reader` reads, and what else happens to the list.
    fn display(
        &self,
        list: Var,
        reader: Inst,
        places: &Places<'_>,
        roles: &mut Vec<(Inst, Gather)>,
    ) -> Option<Display> {
        let ty = self.var_type(list)?;
        let (dtype, _) = self.types.as_list(ty)?;
        // Back to where the list is made.
        let mut name = list;
        let (made, items) = loop {
            let def = (*places.def.get(&name)?)?;
            match self.value_of(def)? {
                Rhs::Var(from) if self.var_type(*from) == Some(ty) => name = *from,
                Rhs::Expr(Expr::BuildList(items)) if !items.is_empty() => {
                    roles.push((def, Gather::Skip));
                    break (def, items);
                }
                _ => return None,
            }
        };
        // Forward to all that read it.
        let mut todo = vec![name];
        while let Some(name) = todo.pop() {
            for &user in places.uses.get(&name).into_iter().flatten() {
                if user == reader {
                    continue;
                }
                let kind = &self.typed.func.insts[user].kind;
                match kind {
                    StmtKind::Del(_) => {}
                    StmtKind::Assign {
                        target,
                        value: Rhs::Var(_),
                    } if self.var_type(*target) == Some(ty) => todo.push(*target),
                    _ => return None,
                }
                roles.push((user, Gather::Skip));
            }
        }
        let items = items.iter().map(|item| {
            if self.types.as_list(dtype).is_some() {
                return self.display(*item, made, places, roles);
            }
            // Read later than the display stands, so it must not change in between.
            let once = (*places.def.get(item)?).is_some();
            once.then_some(Display::Item(*item, dtype))
        });
        Some(Display::List(items.collect::<Option<_>>()?))
    }

    /// Extents of the array of a display, unless neighbours differ.
    fn display_shape(&self, display: &Display) -> Option<Vec<usize>> {
        match display {
            Display::Item(_, ty) => shape_of_numbers(self.types, *ty),
            Display::List(items) => {
                let shapes = items.iter().map(|item| self.display_shape(item));
                shape_of_neighbours(shapes.collect::<Option<Vec<_>>>()?)
            }
        }
    }

    /// `np.array` of a display.
    pub(super) fn array_of_display(&mut self, end: Inst, display: &Display) -> Res<ArrayRef> {
        let typed = self.typed;
        let ret = typed.calls[end].as_ref().map(|site| site.sig.ret);
        let shape = self.display_shape(display);
        let mut numbers = Vec::new();
        self.numbers_of(display, &mut numbers)?;
        self.array_of_numbers(
            &shape.unwrap_or_default(),
            &numbers,
            ret.unwrap_or(Type::NONE),
        )
    }

    fn numbers_of(&mut self, display: &Display, out: &mut Vec<Val>) -> Res<()> {
        match display {
            Display::Item(var, ty) => {
                let value = self.var(*var)?;
                let leaves = self.cast(&value, *ty)?;
                self.numbers_in(&Val::new(*ty, leaves), out)
            }
            Display::List(items) => items.iter().try_for_each(|item| self.numbers_of(item, out)),
        }
    }

    fn numbers_in(&self, value: &Val, out: &mut Vec<Val>) -> Res<()> {
        if self.types.tuple_items(value.ty).is_none() {
            out.push(value.clone());
            return Ok(());
        }
        let items = self.items(value)?;
        items.iter().try_for_each(|item| self.numbers_in(item, out))
    }

    /// A new array of these numbers, which are in C order.
    fn array_of_numbers(&mut self, shape: &[usize], numbers: &[Val], ret: Type) -> Res<ArrayRef> {
        let ty = self.result_array(ret)?;
        let shape: Vec<Value> = shape
            .iter()
            .map(|extent| self.i64(*extent as i64))
            .collect();
        let array = self.new_array(ty, shape, false)?;
        for (at, number) in numbers.iter().enumerate() {
            let at = self.i64(at as i64);
            self.put_item(&array, at, number)?;
        }
        Ok(array)
    }

    /// `np.array(x)` of nested tuples and lists of numbers.
    pub(in super::super) fn array_of_nested(&mut self, x: &Val, ret: Type) -> Res<Vec<Value>> {
        if let Some((item, _)) = self.types.as_list(x.ty)
            && let Some(shape) = shape_of_numbers(self.types, item)
        {
            return self.array_of_tuples(x, &shape, ret);
        }
        match shape_of_numbers(self.types, x.ty) {
            Some(shape) if shape.iter().product::<usize>() <= MOST => {
                let mut numbers = Vec::new();
                self.numbers_in(x, &mut numbers)?;
                Ok(self.array_of_numbers(&shape, &numbers, ret)?.leaves())
            }
            _ => {
                let no_dtype = Val::new(Type::NONE, Vec::new());
                self.native(bodies::ARRAY, &[x.clone(), no_dtype], ret)
            }
        }
    }

    /// `np.array(list)` of a list of nested tuples of numbers, of which each makes an array of this shape.
    fn array_of_tuples(&mut self, x: &Val, shape: &[usize], ret: Type) -> Res<Vec<Value>> {
        let list = self.list(x)?;
        let count = self.list_len(&list);
        let each = shape.iter().product::<usize>() as i64;
        let mut extents = vec![count];
        extents.extend(shape.iter().map(|extent| self.i64(*extent as i64)));
        let ty = self.result_array(ret)?;
        let array = self.new_array(ty, extents, false)?;
        self.count_loop(count, Vec::new(), |fx, at, _| {
            let place = fx.list_item_addr(&list, at);
            let leaves = fx.load_item_at(&list.item, place);
            let mut numbers = Vec::new();
            fx.numbers_in(&Val::new(list.dtype, leaves), &mut numbers)?;
            let each = fx.i64(each);
            let first = fx.imul(at, each);
            for (n, number) in numbers.iter().enumerate() {
                let n = fx.i64(n as i64);
                let at = fx.iadd(first, n);
                fx.put_item(&array, at, number)?;
            }
            Ok::<_, Fault>(Vec::new())
        })?;
        self.keep(vec![list.owner]);
        Ok(array.leaves())
    }
}
