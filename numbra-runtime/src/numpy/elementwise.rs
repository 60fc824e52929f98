//! Functions of each element that are no ufuncs.

use super::shapes::{operand_shapes, single_shape};
use crate::array::{Axes, View};
use crate::elements::{Bool, Element, Kind, Pair, Wide, with_element};
use crate::simd::widest;
use crate::strided::zeros;
use crate::strided::{copy, run_of, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{Gather, gathered_or};
use std::borrow::Cow;

bodies! {
    allclose = allclose, 5;
    angle = angle, 2;
    array_equal = array_equal, 2;
    clip = clip, 4;
    isclose = isclose, 5;
    iscomplex = iscomplex, 1;
    isneginf = isneginf, 2;
    isposinf = isposinf, 2;
    isreal = isreal, 1;
    nan_to_num = nan_to_num, 5;
    round = round, 3;
    sinc = sinc, 1;
    unwrap = unwrap, 4;
}

/// Numbers of an argument in a shape that it broadcasts to.
fn spread<T: Element>(arg: &Arg, shape: &[usize]) -> Result<Vec<T>, Failure> {
    let source = arg.like()?;
    let view = source.view().broadcast(shape);
    Ok(to_vec(&view.ok_or_else(bad_call)?))
}

fn common_shape(args: &[&Arg]) -> Result<Axes<usize>, Failure> {
    let sources = gathered_or(args.iter().map(|a| a.like()))?;
    let shapes: Vec<&[usize]> = sources.iter().map(|s| &s.view().shape[..]).gathered();
    single_shape(&shapes)
}

/// Writes the result: into `out` where it is an array, and as the result, which is `out` itself or new.
fn finish<T: Element>(out: &Arg, ret: Ret, shape: &[usize], values: &[T]) -> Result<(), Failure> {
    if let Arg::Array(view, owner) = out {
        if *view.shape != *shape {
            let shapes = [&view.shape, shape].map(|shape| operand_shapes(&[shape]));
            return Err(value_error(format!(
                "output array has wrong shape: {} instead of {}",
                shapes[0], shapes[1]
            )));
        }
        copy(&View::of(values, shape), view);
        return ret.view(view, *owner);
    }
    if ret.is_array() {
        return ret.array(shape, values);
    }
    ret.scalar(values.first().ok_or_else(bad_call)?.wide())
}

/// `(a, a_min | none, a_max | none, out | none) -> array | scalar`
fn clip(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [a, low, high, out] = args else {
        return Err(bad_call());
    };
    if low.is_nothing() && high.is_nothing() {
        return Err(value_error("array_clip: must set either max or min"));
    }
    let given: Vec<&Arg> = [a, low, high]
        .into_iter()
        .filter(|x| !x.is_nothing())
        .gathered();
    let shape = common_shape(&given)?;
    if let Arg::Array(out, _) = out
        && out.shape != shape
    {
        return Err(value_error(format!(
            "clip: the shape of the 'out' array does not match the shape of the result: {}",
            operand_shapes(&[&out.shape, &shape])
        )));
    }
    let kind = ret.kind()?;
    let real = matches!(kind, Kind::Float16 | Kind::Float32 | Kind::Float64);
    let complex = matches!(kind, Kind::Complex64 | Kind::Complex128);
    if given.iter().any(|x| is_float(x)) && !real && !complex {
        // Limits that are no integers decide before they are rounded.
        let mut values = zeros(shape.iter().product());
        let a = numbers::<f64>(a, &shape, None)?;
        Limits::of(low, high, &shape, None)?.keep(&a, &mut values);
        return finish(out, ret, &shape, &values);
    }
    with_element!(kind, T => clip_as::<T>(args, &shape, ret))
}

/// [`clip`] in the type of the result.
fn clip_as<T: Element>(args: &[Arg], shape: &[usize], ret: Ret) -> Result<(), Failure> {
    let out = &args[3];
    let mut target = match out {
        Arg::Array(view, _) => view.as_slice::<T>().map(|_| view.clone()),
        _ if ret.is_array() && !ret.is_fortran() => Some(ret.new_room(shape)?),
        _ => None,
    };
    let a = numbers::<T>(&args[0], shape, target.as_ref())?;
    let limits = Limits::of(&args[1], &args[2], shape, target.as_ref())?;
    match (&mut target, out) {
        (Some(to), Arg::Array(view, owner)) => {
            limits.keep(&a, to.elements_mut());
            ret.view(view, *owner)
        }
        (Some(to), _) => {
            limits.keep(&a, to.elements_mut());
            Ok(())
        }
        (None, _) => {
            let mut values = zeros(a.len());
            limits.keep(&a, &mut values);
            finish(out, ret, shape, &values)
        }
    }
}

fn is_float(arg: &Arg) -> bool {
    match arg {
        Arg::Scalar(Wide::Float(_)) => true,
        Arg::Array(view, _) => matches!(view.kind, Kind::Float16 | Kind::Float32 | Kind::Float64),
        _ => false,
    }
}

/// Numbers of an argument in a shape that it broadcasts to: where they are, unless they are to be kept `apart` from memory
/// that is written.
fn numbers<'a, T: Element>(
    arg: &'a Arg,
    shape: &[usize],
    apart: Option<&View>,
) -> Result<Cow<'a, [T]>, Failure> {
    if let Arg::Array(view, _) = arg
        && *view.shape == *shape
        && !apart.is_some_and(|other| view.may_overlap(other))
        && let Some(run) = view.as_slice::<T>()
    {
        return Ok(Cow::Borrowed(run));
    }
    Ok(Cow::Owned(spread::<T>(arg, shape)?))
}

/// A limit of each element.
enum Limit<'a, T: Element> {
    Absent,
    Same(T),
    Own(Cow<'a, [T]>),
}

impl<T: Element> Limit<'_, T> {
    /// The same number for all elements, or absent.
    fn is_number(&self) -> bool {
        match self {
            Limit::Absent => true,
            Limit::Same(limit) => !limit.is_nan(),
            Limit::Own(_) => false,
        }
    }
}

/// What elements are kept between.
struct Limits<'a, T: Element> {
    low: Limit<'a, T>,
    high: Limit<'a, T>,
}

/// Elements that go from one memory to the other and meet both limits before the next ones do.
const BLOCK: usize = 1024;

impl<'a, T: Element> Limits<'a, T> {
    fn of(
        low: &'a Arg,
        high: &'a Arg,
        shape: &[usize],
        apart: Option<&View>,
    ) -> Result<Limits<'a, T>, Failure> {
        let limit = |arg: &'a Arg| {
            Ok(match arg {
                Arg::Nothing => Limit::Absent,
                Arg::Scalar(one) => Limit::Same(T::from_wide(*one)),
                each => Limit::Own(numbers(each, shape, apart)?),
            })
        };
        Ok(Limits {
            low: limit(low)?,
            high: limit(high)?,
        })
    }

    /// `min(max(a, low), high)` with NumPy's NaN, which wins, and NumPy's zeros: an element that equals its limit is replaced,
    /// unless the limits are the same for all elements.
    fn keep(&self, a: &[T], to: &mut [T]) {
        let simple = self.low.is_number() && self.high.is_number();
        for (n, (to, a)) in to.chunks_mut(BLOCK).zip(a.chunks(BLOCK)).enumerate() {
            to.copy_from_slice(a);
            let start = n * BLOCK;
            if simple {
                replace(to, &self.low, start, |x, low| !x.less(low));
                replace(to, &self.high, start, |x, high| !high.less(x));
            } else {
                replace(to, &self.low, start, |x, low| x.is_nan() | low.less(x));
                replace(to, &self.high, start, |x, high| x.is_nan() | x.less(high));
            }
        }
    }
}

/// Puts its limit in place of each number that is not to stay.
#[inline(always)]
fn replace<T: Element>(
    values: &mut [T],
    limit: &Limit<'_, T>,
    start: usize,
    stays: impl Fn(T, T) -> bool,
) {
    let kept = |x: T, limit: T| if stays(x, limit) { x } else { limit };
    match limit {
        Limit::Absent => {}
        Limit::Same(limit) => {
            for x in values {
                *x = kept(*x, *limit);
            }
        }
        Limit::Own(limits) => {
            for (x, limit) in values.iter_mut().zip(&limits[start..]) {
                *x = kept(*x, *limit);
            }
        }
    }
}

/// `x` to `decimals` digits as NumPy, with `scale` the power of 10: scaled, rounded to even, scaled back.
#[inline(always)]
fn rounded(x: f64, decimals: i64, scale: f64) -> f64 {
    match decimals {
        0 => x.round_ties_even(),
        1.. => (x * scale).round_ties_even() / scale,
        _ => (x / scale).round_ties_even() * scale,
    }
}

/// As [`rounded`], in single precision.
#[inline(always)]
fn rounded_single(x: f32, decimals: i64, scale: f32) -> f32 {
    match decimals {
        0 => x.round_ties_even(),
        1.. => (x * scale).round_ties_even() / scale,
        _ => (x / scale).round_ties_even() * scale,
    }
}

widest! {
    /// Numbers as [`rounded`].
    fn round_all(from: &[f64], to: &mut [f64], decimals: i64, scale: f64) {
        let each = from.iter().zip(to);
        // A loop for each kind of rounding: vectors can do them.
        match decimals {
            0 => each.for_each(|(&x, to)| *to = rounded(x, 0, scale)),
            1.. => each.for_each(|(&x, to)| *to = rounded(x, 1, scale)),
            _ => each.for_each(|(&x, to)| *to = rounded(x, -1, scale)),
        }
    }

    /// Numbers as [`rounded_single`].
    fn round_all_single(from: &[f32], to: &mut [f32], decimals: i64, scale: f32) {
        let each = from.iter().zip(to);
        match decimals {
            0 => each.for_each(|(&x, to)| *to = rounded_single(x, 0, scale)),
            1.. => each.for_each(|(&x, to)| *to = rounded_single(x, 1, scale)),
            _ => each.for_each(|(&x, to)| *to = rounded_single(x, -1, scale)),
        }
    }
}

/// The array's numbers, of which `f` makes those of the result, in the type of the result.
fn mapped<T: Element>(
    view: &View,
    out: &Arg,
    ret: Ret,
    f: impl Fn(&[T], &mut [T]),
) -> Result<(), Failure> {
    let values = run_of::<T>(view);
    if out.is_nothing() && ret.is_array() && !ret.is_fortran() {
        f(&values, ret.new_room(&view.shape)?.elements_mut());
        return Ok(());
    }
    let mut results = zeros(values.len());
    f(&values, &mut results);
    finish(out, ret, &view.shape, &results)
}

/// `(a, decimals, out | none) -> array | scalar`
fn round(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let decimals = args[1].int_checked()?;
    let view = source.view();
    let out = args.get(2).unwrap_or(&Arg::Nothing);
    let scale = 10_f64.powf(decimals.unsigned_abs() as f64);
    let single = 10_f32.powi(decimals.unsigned_abs().min(400) as i32);
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => {
            let mut values = to_vec::<Pair<f64>>(view);
            for z in &mut values {
                *z = Pair {
                    re: rounded(z.re, decimals, scale),
                    im: rounded(z.im, decimals, scale),
                };
            }
            finish(out, ret, &view.shape, &values)
        }
        Kind::Float64 => mapped(view, out, ret, |from, to| {
            round_all(from, to, decimals, scale);
        }),
        Kind::Float32 => mapped(view, out, ret, |from, to| {
            round_all_single(from, to, decimals, single);
        }),
        Kind::Float16 => {
            let mut values = to_vec::<f32>(view);
            for x in &mut values {
                *x = rounded_single(*x, decimals, single);
            }
            finish(out, ret, &view.shape, &values)
        }
        _ => {
            let mut values = to_vec::<i64>(view);
            if decimals < 0 {
                for x in &mut values {
                    *x = rounded(*x as f64, decimals, scale) as i64;
                }
            }
            finish(out, ret, &view.shape, &values)
        }
    }
}

/// How far apart numbers may be.
struct Tolerance {
    relative: f64,
    absolute: f64,
    equal_nan: bool,
}

impl Tolerance {
    fn of(args: &[Arg]) -> Result<Tolerance, Failure> {
        Ok(Tolerance {
            relative: args[0].float()?,
            absolute: args[1].float()?,
            equal_nan: args[2].flag()?,
        })
    }

    /// `|a - b| <= absolute + relative * |b|`, or both the same.
    fn reaches(&self, a: f64, b: f64) -> bool {
        let near = (a - b).abs() <= self.absolute + self.relative * b.abs();
        (a == b) | near & b.is_finite() | self.equal_nan & a.is_nan() & b.is_nan()
    }

    /// As [`Self::reaches`], of complex numbers.
    fn reaches_in_plane(&self, a: Pair<f64>, b: Pair<f64>) -> bool {
        let finite = |z: Pair<f64>| z.re.is_finite() && z.im.is_finite();
        if finite(a) && finite(b) {
            let d = a.sub(b);
            let near = d.re.hypot(d.im) <= self.absolute + self.relative * b.re.hypot(b.im);
            return near || a == b;
        }
        if a.is_nan() || b.is_nan() {
            return self.equal_nan && a.is_nan() && b.is_nan();
        }
        a == b
    }
}

/// Two arguments in the shape that both broadcast to.
enum Operands<'a> {
    Real(Cow<'a, [f64]>, Cow<'a, [f64]>),
    Complex(Vec<Pair<f64>>, Vec<Pair<f64>>),
}

impl<'a> Operands<'a> {
    fn of(a: &'a Arg, b: &'a Arg, shape: &[usize]) -> Result<Operands<'a>, Failure> {
        let complex = |arg: &Arg| -> Result<bool, Failure> {
            let kind = arg.like()?.view().kind;
            Ok(matches!(kind, Kind::Complex64 | Kind::Complex128))
        };
        if complex(a)? || complex(b)? {
            return Ok(Operands::Complex(spread(a, shape)?, spread(b, shape)?));
        }
        let (a, b) = (numbers(a, shape, None)?, numbers(b, shape, None)?);
        Ok(Operands::Real(a, b))
    }
}

/// `(a, b, rtol, atol, equal_nan) -> bool | array(bool)`
fn isclose(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let shape = common_shape(&[&args[0], &args[1]])?;
    let to = Tolerance::of(&args[2..])?;
    let close: Vec<Bool> = match Operands::of(&args[0], &args[1], &shape)? {
        Operands::Real(a, b) => {
            let pairs = a.iter().zip(b.iter());
            pairs
                .map(|(&a, &b)| Bool(to.reaches(a, b).into()))
                .gathered()
        }
        Operands::Complex(a, b) => {
            let pairs = a.into_iter().zip(b);
            pairs
                .map(|(a, b)| Bool(to.reaches_in_plane(a, b).into()))
                .gathered()
        }
    };
    finish(&Arg::Nothing, ret, &shape, &close)
}

/// `(a, b, rtol, atol, equal_nan) -> bool`
fn allclose(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let shape = common_shape(&[&args[0], &args[1]])?;
    let to = Tolerance::of(&args[2..])?;
    ret.bool(match Operands::of(&args[0], &args[1], &shape)? {
        Operands::Real(a, b) => {
            let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
            let mut pairs = blocks.map(|(a, b)| a.iter().zip(b));
            pairs.all(|pairs| pairs.fold(true, |all, (&a, &b)| all & to.reaches(a, b)))
        }
        Operands::Complex(a, b) => {
            let mut pairs = a.into_iter().zip(b);
            pairs.all(|(a, b)| to.reaches_in_plane(a, b))
        }
    })
}

/// `(a, b) -> bool`
fn array_equal(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (a, b) = (args[0].like()?, args[1].like()?);
    let (a, b) = (a.view(), b.view());
    if a.shape != b.shape {
        return ret.bool(false);
    }
    if a.kind == b.kind {
        return with_element!(a.kind, T => ret.bool(equal::<T>(a, b)));
    }
    let integer = |k: Kind| {
        !matches!(
            k,
            Kind::Float16 | Kind::Float32 | Kind::Float64 | Kind::Complex64 | Kind::Complex128
        )
    };
    if integer(a.kind) && integer(b.kind) {
        return ret.bool(to_vec::<i64>(a) == to_vec::<i64>(b));
    }
    ret.bool(to_vec::<Pair<f64>>(a) == to_vec::<Pair<f64>>(b))
}

fn equal<T: Element>(a: &View, b: &View) -> bool {
    equal_runs(&run_of::<T>(a), &run_of::<T>(b))
}

widest! {
    /// Whether two runs of one length are equal.
    fn equal_runs[T: Element](a: &[T], b: &[T]) -> bool {
        /// So many elements are compared without a branch.
        const BLOCK: usize = 128;
        let mut blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
        blocks.all(|(a, b)| a.iter().zip(b).fold(true, |same, (x, y)| same & (x == y)))
    }
}

widest! {
    /// Numbers as [`finite`].
    fn make_finite(from: &[f64], to: &mut [f64], nan: f64, ends: [f64; 2]) {
        for (to, &x) in to.iter_mut().zip(from) {
            *to = finite(x, nan, ends[0], ends[1]);
        }
    }

    fn make_single_finite(from: &[f32], to: &mut [f32], nan: f32, ends: [f32; 2]) {
        for (to, &x) in to.iter_mut().zip(from) {
            *to = finite(x, nan, ends[0], ends[1]);
        }
    }
}

/// What [`finite`] computes with.
trait Real: Copy + PartialOrd {
    const INFINITY: Self;
    const NEG_INFINITY: Self;
}

impl Real for f32 {
    const INFINITY: f32 = f32::INFINITY;
    const NEG_INFINITY: f32 = f32::NEG_INFINITY;
}

impl Real for f64 {
    const INFINITY: f64 = f64::INFINITY;
    const NEG_INFINITY: f64 = f64::NEG_INFINITY;
}

/// Replaces NaN and infinities.
#[inline(always)]
fn finite<T: Real>(x: T, nan: T, high: T, low: T) -> T {
    if x.partial_cmp(&x).is_none() {
        nan
    } else if x == T::INFINITY {
        high
    } else if x == T::NEG_INFINITY {
        low
    } else {
        x
    }
}

/// `(x, copy, nan, posinf | none, neginf | none) -> array | scalar`
fn nan_to_num(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let in_place = !args[1].flag()?;
    let (highest, lowest) = match ret.kind()? {
        Kind::Float32 | Kind::Complex64 => (f64::from(f32::MAX), f64::from(f32::MIN)),
        Kind::Float16 => (65504.0, -65504.0),
        _ => (f64::MAX, f64::MIN),
    };
    let limit = |arg: &Arg, default: f64| {
        if arg.is_nothing() {
            Ok(default)
        } else {
            arg.float()
        }
    };
    let nan = limit(&args[2], 0.0)?;
    let (high, low) = (limit(&args[3], highest)?, limit(&args[4], lowest)?);
    let out = if in_place { &args[0] } else { &Arg::Nothing };
    let shape = &source.view().shape;
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => {
            let mut values = to_vec::<Pair<f64>>(source.view());
            for z in &mut values {
                z.re = finite(z.re, nan, high, low);
                z.im = finite(z.im, nan, high, low);
            }
            finish(out, ret, shape, &values)
        }
        Kind::Float64 => mapped(source.view(), out, ret, |from, to| {
            make_finite(from, to, nan, [high, low]);
        }),
        Kind::Float32 => mapped(source.view(), out, ret, |from, to| {
            let [nan, high, low] = [nan, high, low].map(|x| x as f32);
            make_single_finite(from, to, nan, [high, low]);
        }),
        Kind::Float16 => {
            let mut values = to_vec::<f64>(source.view());
            for x in &mut values {
                *x = finite(*x, nan, high, low);
            }
            finish(out, ret, shape, &values)
        }
        kind => with_element!(kind, T => finish(out, ret, shape, &to_vec::<T>(source.view()))),
    }
}

/// A number for each number, as a float or complex number.
fn each(args: &[Arg], ret: Ret, f: impl Fn(Pair<f64>) -> Pair<f64>) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    if let Some(all) = view.as_slice::<f64>()
        && ret.is_array()
        && !ret.is_fortran()
    {
        fn fill<T: Element>(mut out: View, all: &[f64], f: impl Fn(Pair<f64>) -> Pair<f64>) {
            for (to, &x) in out.elements_mut::<T>().iter_mut().zip(all) {
                *to = T::from_wide(Wide::Float(f(real(x)).re));
            }
        }
        match ret.kind()? {
            Kind::Float64 => {
                fill::<f64>(ret.new_room(&view.shape)?, all, f);
                return Ok(());
            }
            Kind::Bool => {
                fill::<Bool>(ret.new_room(&view.shape)?, all, f);
                return Ok(());
            }
            _ => {}
        }
    }
    let values = to_vec::<Pair<f64>>(source.view()).into_iter().map(f);
    let shape = &source.view().shape;
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => finish(&Arg::Nothing, ret, shape, &values.gathered()),
        _ => finish(&Arg::Nothing, ret, shape, &values.map(|z| z.re).gathered()),
    }
}

fn real(re: f64) -> Pair<f64> {
    Pair { re, im: 0.0 }
}

/// `(z, deg) -> number | array`
fn angle(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let scale = if args[1].flag()? {
        180.0 / std::f64::consts::PI
    } else {
        1.0
    };
    each(args, ret, |z| real(z.im.atan2(z.re) * scale))
}

/// `(x) -> bool | array(bool)`
fn iscomplex(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    each(args, ret, |z| real(f64::from(u8::from(z.im != 0.0))))
}

/// `(x) -> bool | array(bool)`
fn isreal(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    each(args, ret, |z| real(f64::from(u8::from(z.im == 0.0))))
}

/// `(x, out | none) -> bool | array(bool)`
fn isposinf(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    infinite(args, ret, f64::INFINITY)
}

/// `(x, out | none) -> bool | array(bool)`
fn isneginf(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    infinite(args, ret, f64::NEG_INFINITY)
}

fn infinite(args: &[Arg], ret: Ret, which: f64) -> Result<(), Failure> {
    let source = args[0].like()?;
    let values: Vec<Bool> = to_vec::<f64>(source.view())
        .into_iter()
        .map(|x| Bool((x == which).into()))
        .gathered();
    finish(&args[1], ret, &source.view().shape, &values)
}

/// `(x) -> number | array`: `sin(pi x) / (pi x)`, 1 at 0.
fn sinc(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let single = matches!(ret.kind()?, Kind::Float32 | Kind::Complex64);
    each(args, ret, |z| {
        let y = Pair {
            re: if single {
                (std::f32::consts::PI * z.re as f32).into()
            } else {
                std::f64::consts::PI * z.re
            },
            im: std::f64::consts::PI * z.im,
        };
        if y.im == 0.0 {
            return real(if y.re == 0.0 { 1.0 } else { y.re.sin() / y.re });
        }
        let sin = Pair {
            re: y.re.sin() * y.im.cosh(),
            im: y.re.cos() * y.im.sinh(),
        };
        super::statistics::quotient(sin, y)
    })
}

/// `(p, discont | none, axis, period) -> array`: jumps of more than half a period along the last axis taken out.
fn unwrap(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let axis = args[2].int()?;
    if axis != -1 {
        const REFUSED: &str = "Value for argument \"axis\" is not supported";
        crate::value::axis_named(axis, view.ndim(), Some(REFUSED))?;
        return Err(value_error(REFUSED));
    }
    let period = args[3].float()?;
    let jump = if args[1].is_nothing() {
        period / 2.0
    } else {
        args[1].float()?
    };
    let integers = matches!(ret.kind()?, Kind::Int64);
    let n = view.shape.last().copied().unwrap_or(0);
    let mut values = to_vec::<f64>(view);
    if n > 0 {
        for line in values.chunks_mut(n) {
            unwrap_line(line, jump, period, integers);
        }
    }
    finish(&Arg::Nothing, ret, &view.shape, &values)
}

/// Among integers half an odd period is rounded down.
fn unwrap_line(line: &mut [f64], jump: f64, period: f64, integers: bool) {
    let high = if integers {
        (period / 2.0).floor()
    } else {
        period / 2.0
    };
    let low = -high;
    let ambiguous = high * 2.0 == period;
    let mut moved = 0.0;
    let mut last = line[0];
    for x in &mut line[1..] {
        let step = *x - last;
        last = *x;
        let mut wrapped = (step - low).rem_euclid(period) + low;
        if ambiguous && wrapped == low && step > 0.0 {
            wrapped = high;
        }
        // A NaN moves everything after it.
        if step.is_nan() || step.abs() >= jump {
            moved += wrapped - step;
        }
        *x += moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_to_even() {
        assert_eq!([rounded(2.5, 0, 1.0), rounded(-0.5, 0, 1.0)], [2.0, -0.0]);
        assert_eq!(rounded(1234.0, -2, 100.0), 1200.0);
        assert_eq!(rounded(0.125, 2, 100.0), 0.12);
    }

    #[test]
    fn nan_is_close_to_nothing() {
        let tolerance = |absolute: f64, equal_nan| Tolerance {
            relative: absolute,
            absolute,
            equal_nan,
        };
        let [strict, wide, nans] = [(0.0, false), (1.0, false), (1.0, true)]
            .map(|(absolute, equal_nan)| tolerance(absolute, equal_nan));
        let (nan, infinity) = (f64::NAN, f64::INFINITY);
        let cases = [
            (&wide, nan, nan, false),
            (&nans, nan, nan, true),
            (&nans, nan, 1.0, false),
            (&strict, infinity, infinity, true),
            (&wide, infinity, -infinity, false),
            (&wide, infinity, 1.0, false),
            (&wide, 1.0, infinity, false),
        ];
        for (to, a, b, near) in cases {
            assert_eq!(to.reaches(a, b), near);
            assert_eq!(to.reaches_in_plane(real(a), real(b)), near);
        }
    }
}
