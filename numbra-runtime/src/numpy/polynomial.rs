//! Polynomials by their coefficients, the lowest first.

use super::shapes::{broadcast_shape, not_together};
use super::statistics::quotient;
use crate::array::View;
use crate::elements::{Element, Kind, Pair, Wide, with_element};
use crate::strided::{run_of, to_vec};
use crate::value::{Arg, Failure, Ret, value_error};
use numbra_memory::{Gather, Grow, copied, filled, gathered_or, room};

bodies! {
    as_series = as_series, 2;
    polyadd = polyadd, 2;
    polydiv = polydiv, 2;
    polyint = polyint, 2;
    polymul = polymul, 2;
    polynomial = polynomial, 3;
    polysub = polysub, 2;
    polyval = polyval, 3;
    trimseq = trimseq, 1;
}

/// Coefficients without zeros at the end; one at least stays.
fn trimmed<T: Element>(arg: &Arg) -> Result<Vec<T>, Failure> {
    let mut all = to_vec::<T>(arg.like()?.view());
    if all.is_empty() {
        return Err(value_error("Coefficient array is empty"));
    }
    trim(&mut all);
    Ok(all)
}

fn trim<T: Element>(all: &mut Vec<T>) {
    while all.len() > 1 && all.last().is_some_and(|x| x.is_zero()) {
        all.pop();
    }
}

/// `(c1, c2) -> array`
fn polyadd(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    combined(args, ret, false)
}

/// `(c1, c2) -> array`
fn polysub(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    combined(args, ret, true)
}

fn combined(args: &[Arg], ret: Ret, minus: bool) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => {
        let (mut a, b) = (trimmed::<T>(&args[0])?, trimmed::<T>(&args[1])?);
        let zero = T::from_wide(Wide::Int(0));
        a.make_room(b.len().saturating_sub(a.len()));
        a.resize(a.len().max(b.len()), zero);
        for (x, y) in a.iter_mut().zip(b) {
            *x = if minus { x.sub(y) } else { x.add(y) };
        }
        trim(&mut a);
        ret.vector(&a)
    })
}

/// `(c1, c2) -> array`
fn polymul(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => {
        let (a, b) = (trimmed::<T>(&args[0])?, trimmed::<T>(&args[1])?);
        let mut out = filled(a.len() + b.len() - 1, T::from_wide(Wide::Int(0)));
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                out[i + j] = out[i + j].add(x.mul(*y));
            }
        }
        trim(&mut out);
        ret.vector(&out)
    })
}

/// `(c1, c2) -> (quotient, remainder)`
fn polydiv(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let mut rest = trimmed::<Pair<f64>>(&args[0])?;
    let by = trimmed::<Pair<f64>>(&args[1])?;
    let Some((&lead, lower)) = by.split_last() else {
        return Err(value_error("Coefficient array is empty"));
    };
    if lead.is_zero() {
        return Err(Failure::new(
            "builtins.ZeroDivisionError",
            "division by zero",
        ));
    }
    let give = |to: Ret, all: &[Pair<f64>]| match to.kind()? {
        Kind::Complex64 | Kind::Complex128 => to.vector(all),
        _ => to.vector(&all.iter().map(|z| z.re).gathered()),
    };
    let zero = Pair { re: 0.0, im: 0.0 };
    let mut found = vec![zero];
    if rest.len() >= by.len() {
        let steps = rest.len() - by.len() + 1;
        found = filled(steps, zero);
        for step in (0..steps).rev() {
            let top = rest.pop().unwrap_or(zero);
            let factor = quotient(top, lead);
            found[step] = factor;
            for (i, &c) in lower.iter().enumerate() {
                rest[step + i] = rest[step + i].sub(factor.mul(c));
            }
        }
        if rest.is_empty() {
            rest.push(zero);
        }
        trim(&mut rest);
    }
    give(ret.item(0)?, &found)?;
    give(ret.item(1)?, &rest)
}

/// [`polyval`] of real numbers, by one row of coefficients. As in NumPy the last coefficient is taken with `x * 0`,
/// which is NaN for what is not finite.
fn real_polyval(x: &View, c: &View, ret: Ret) -> Result<(), Failure> {
    let (all, c) = (run_of::<f64>(x), run_of::<f64>(c));
    if !ret.is_array() {
        let x = all.first().copied().unwrap_or_default();
        let value = c[..c.len() - 1]
            .iter()
            .rev()
            .fold(c[c.len() - 1] + x * 0.0, |y, c| c + y * x);
        return ret.scalar(Wide::Float(value));
    }
    let mut values: Vec<f64> = all.iter().map(|x| c[c.len() - 1] + x * 0.0).gathered();
    for &c in c.iter().rev().skip(1) {
        for (y, x) in values.iter_mut().zip(all.iter()) {
            *y = c + *y * x;
        }
    }
    ret.array(&x.shape, &values)
}

/// `(x, c, tensor) -> number | array`: coefficients along the first axis; with `tensor` each column at each `x`.
fn polyval(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (x, c) = (args[0].like()?, args[1].like()?);
    let tensor = args[2].flag()?;
    let (x, c) = (x.view(), c.view());
    if ret.kind()? == Kind::Float64 && c.ndim() == 1 && c.len() > 0 && x.kind != Kind::Complex128 {
        return real_polyval(x, c, ret);
    }
    let n = c.shape.first().copied().unwrap_or(1);
    let columns = |i: usize| if c.ndim() == 0 { c.clone() } else { c.at(0, i) };
    let shape = if tensor {
        columns(0).shape.iter().chain(&x.shape).copied().collect()
    } else {
        let column = columns(0);
        let shapes: [&[usize]; 2] = [&column.shape, &x.shape];
        broadcast_shape(&shapes).ok_or_else(|| not_together(&shapes))?
    };
    let spread = |view: &View, lead: bool| -> Result<Vec<Pair<f64>>, Failure> {
        let mut view = view.clone();
        if lead && tensor {
            for _ in 0..x.ndim() {
                view = view.expanded(view.ndim());
            }
        }
        let view = view.broadcast(&shape);
        Ok(to_vec(&view.ok_or_else(crate::value::bad_call)?))
    };
    let at = spread(x, false)?;
    let mut out = spread(&columns(n - 1), true)?;
    for i in (0..n - 1).rev() {
        let c = spread(&columns(i), true)?;
        for ((y, x), c) in out.iter_mut().zip(&at).zip(c) {
            *y = c.add(y.mul(*x));
        }
    }
    let complex = matches!(ret.kind()?, Kind::Complex64 | Kind::Complex128);
    if !ret.is_array() {
        let one = out.first().copied().unwrap_or_default();
        return ret.scalar(if complex {
            one.wide()
        } else {
            Wide::Float(one.re)
        });
    }
    if complex {
        return ret.array(&shape, &out);
    }
    ret.array(&shape, &out.iter().map(|z| z.re).gathered())
}

/// `(c, m) -> array`: integrated `m` times, 0 at 0; coefficients along the first axis.
fn polyint(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let view = if view.ndim() == 0 {
        view.expanded(0)
    } else {
        view.clone()
    };
    let times = args[1].int()?.max(0);
    let rest = view.without(0);
    let mut lines: Vec<Vec<Pair<f64>>> = room(rest.len());
    for start in rest.offsets() {
        let mut all = to_vec::<Pair<f64>>(&crate::reduce::line(&view, 0, start));
        for _ in 0..times {
            all = integral(&all);
        }
        lines.push(all);
    }
    let n = lines.first().map_or(0, Vec::len);
    let shape = [&[n], &rest.shape[..]].concat();
    let out: Vec<Pair<f64>> = (0..n)
        .flat_map(|i| lines.iter().map(move |line| line[i]))
        .gathered();
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => ret.array(&shape, &out),
        _ => ret.array(&shape, &out.iter().map(|z| z.re).gathered()),
    }
}

fn integral(all: &[Pair<f64>]) -> Vec<Pair<f64>> {
    let zero = Pair { re: 0.0, im: 0.0 };
    if let [only] = all
        && only.is_zero()
    {
        return copied(all);
    }
    let mut next = room(all.len() + 1);
    next.push(zero);
    for (i, c) in all.iter().enumerate() {
        let n = (i + 1) as f64;
        next.push(Pair {
            re: c.re / n,
            im: c.im / n,
        });
    }
    // What the integral is at 0, where coefficients are not finite.
    let at_zero = next.iter().rev().fold(zero, |sum, &c| Pair {
        re: c.re + sum.re * 0.0,
        im: c.im + sum.im * 0.0,
    });
    next[0] = zero.sub(at_zero);
    next
}

/// `(array) -> array`: without zeros at the end; one number at least stays.
fn trimseq(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => {
        let mut all = to_vec::<T>(args[0].like()?.view());
        trim(&mut all);
        ret.vector(&all)
    })
}

/// `(coef, domain | none, window | none) -> (array, array, array)`
fn polynomial(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let named = [(1, "Domain"), (2, "Window")];
    for (i, name) in named {
        if !args[i].is_nothing() && args[i].array()?.shape[..] != [2] {
            return Err(value_error(format!("{name} has wrong number of elements.")));
        }
    }
    ret.item(0)?.copy_of(args[0].array()?)?;
    for (i, _) in named {
        match &args[i] {
            Arg::Nothing => ret.item(i)?.vector(&[-1_i64, 1])?,
            given => ret.item(i)?.copy_of(given.array()?)?,
        }
    }
    Ok(())
}

/// `(alist, trim) -> list(array)`: the items as arrays with one axis.
fn as_series(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let trims = args[1].flag()?;
    let kind = ret.item_kind()?;
    let sources = match &args[0] {
        Arg::Tuple(items) => gathered_or(items.iter().map(Arg::like))?,
        whole => vec![whole.like()?],
    };
    let views: Vec<View> = match &args[0] {
        Arg::Tuple(_) => sources.iter().map(|s| s.view().clone()).gathered(),
        _ => {
            let whole = sources[0].view();
            let count = whole.shape.first().copied().unwrap_or(0);
            (0..count).map(|i| whole.at(0, i)).gathered()
        }
    };
    if views.is_empty() {
        return Err(value_error("min() arg is an empty sequence"));
    }
    with_element!(kind, T => {
        let mut series = room(views.len());
        for view in &views {
            let mut all = to_vec::<T>(view);
            if all.is_empty() {
                return Err(value_error("Coefficient array is empty"));
            }
            if trims {
                trim(&mut all);
            }
            series.push(all);
        }
        ret.list_of_vectors(&series)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_go() {
        let mut all = vec![0.0, 1.0, 0.0, 0.0];
        trim(&mut all);
        assert_eq!(all, [0.0, 1.0]);
        let mut zeros = vec![0_i64, 0];
        trim(&mut zeros);
        assert_eq!(zeros, [0]);
    }
}
