//! Seeds, and what is drawn for a whole array at once: shuffled, chosen, distributed over categories.

use super::bits::Bits;
use super::cpython;
use super::legacy_integers::{binomial, range};
use super::streams::{Stream, seed_random_state, with_stream};
use super::twister::Twister;
use crate::array::{Axes, View};
use crate::elements::Wide;
use crate::strided::to_vec;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{Gather, filled};

bodies! {
    generator_permutation = permutation_of_generator, 3;
    generator_shuffle = shuffle_of_generator, 3;
    python_seed = seed_python, 1;
    python_shuffle = shuffle_of_python, 1;
    random_choice = choice, 3;
    random_dirichlet = dirichlet, 2;
    random_multinomial = multinomial, 3;
    random_permutation = permutation, 1;
    random_seed = seed, 1;
    random_shuffle = shuffle, 1;
}

/// `random.seed`: `(integer) -> none`
fn seed_python(args: &[Arg], _ret: Ret) -> Result<(), Failure> {
    seed_stream(Stream::Python, &args[0])
}

/// `numpy.random.seed`: `(integer) -> none`
fn seed(args: &[Arg], _ret: Ret) -> Result<(), Failure> {
    seed_stream(Stream::Numpy, &args[0])
}

fn seed_stream(stream: Stream, seed: &Arg) -> Result<(), Failure> {
    let word = match seed.number()? {
        Wide::Int(x) => x as u32,
        Wide::UInt(x) => x as u32,
        Wide::Float(_) | Wide::Complex(..) => return Err(bad_call()),
    };
    seed_random_state(stream, Ok(word));
    Ok(())
}

/// Extents of a new array: an integer or a tuple of integers.
pub(super) fn extents(size: &Arg) -> Result<Axes<usize>, Failure> {
    let extent =
        |x: i64| usize::try_from(x).map_err(|_| value_error("negative dimensions not allowed"));
    size.ints()?.into_iter().map(extent).collect()
}

/// `random.shuffle`: `(array) -> none`
fn shuffle_of_python(args: &[Arg], _ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    with_stream(Stream::Python, |twister| {
        mix(array, 0, |most| cpython::below(twister, most + 1));
    });
    Ok(())
}

/// `numpy.random.shuffle`: `(array) -> none`
fn shuffle(args: &[Arg], _ret: Ret) -> Result<(), Failure> {
    mix_by_numpy(args[0].array()?);
    Ok(())
}

/// `Generator.shuffle`: `(generator, array, axis) -> none`
fn shuffle_of_generator(args: &[Arg], _ret: Ret) -> Result<(), Failure> {
    let mut generator = args[0].generator()?;
    let array = args[1].array()?;
    let axis = axis_of(&args[2], array)?;
    mix(array, axis, |most| generator.up_to(most));
    Ok(())
}

fn axis_of(axis: &Arg, array: &View) -> Result<usize, Failure> {
    let prefix = "Axis is out of bounds for the given array";
    crate::value::axis_named(axis.int()?, array.ndim(), Some(prefix))
}

fn mix_by_numpy(array: &View) {
    with_stream(Stream::Numpy, |twister| {
        mix(array, 0, |most| twister.up_to(most))
    });
}

/// Fisher and Yates from the last index of the axis on; `pick(most)` gives an integer from 0 to `most`.
fn mix(array: &View, axis: usize, mut pick: impl FnMut(u64) -> u64) {
    let (count, step) = (array.shape[axis], array.strides[axis]);
    let places: Vec<isize> = array.without(axis).offsets().gathered();
    let size = array.kind.size();
    for i in (1..count).rev() {
        let j = pick(i as u64) as usize;
        if i == j {
            continue;
        }
        for &place in &places {
            let at = |i: usize| {
                array
                    .data
                    .wrapping_offset(step.wrapping_mul(i as isize).wrapping_add(place))
            };
            // SAFETY: both are elements of the array, and not the same one.
            unsafe { swap(at(i), at(j), size) };
        }
    }
}

/// # Safety
/// `a` and `b` are two elements of `size` bytes that may be read and written.
unsafe fn swap(a: *mut u8, b: *mut u8, size: usize) {
    macro_rules! swap_as {
        ($($word:ty),*) => {
            match size {
                $(_ if size == size_of::<$word>() => {
                    let (a, b) = (a.cast::<$word>(), b.cast::<$word>());
                    // SAFETY: by contract.
                    let x = unsafe { a.read_unaligned() };
                    // SAFETY: by contract.
                    let y = unsafe { b.read_unaligned() };
                    // SAFETY: by contract.
                    unsafe { a.write_unaligned(y) };
                    // SAFETY: by contract.
                    unsafe { b.write_unaligned(x) };
                })*
                // SAFETY: by contract.
                _ => unsafe { std::ptr::swap_nonoverlapping(a, b, size) },
            }
        };
    }
    swap_as!(u64, u32, u8, u16);
}

/// `numpy.random.permutation`: `(integer | array) -> array`
fn permutation(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = population(&args[0], ret)?;
    mix_by_numpy(&array);
    Ok(())
}

/// `Generator.permutation`: `(generator, integer | array, axis) -> array`
fn permutation_of_generator(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let mut generator = args[0].generator()?;
    let array = population(&args[1], ret)?;
    // NumPy ignores the axis for an integer.
    let axis = match &args[1] {
        Arg::Array(view, _) => axis_of(&args[2], view)?,
        _ => 0,
    };
    mix(&array, axis, |most| generator.up_to(most));
    Ok(())
}

/// The result is a copy of an array, or the integers below a number.
fn population(arg: &Arg, ret: Ret) -> Result<View, Failure> {
    if let Arg::Array(from, _) = arg {
        let copy = ret.new_room(&from.shape)?;
        crate::strided::copy(from, &copy);
        return Ok(copy);
    }
    let count = usize::try_from(arg.int()?).unwrap_or(0);
    let mut array = ret.new_room(&[count])?;
    for (i, place) in array.elements_mut::<i64>().iter_mut().enumerate() {
        *place = i as i64;
    }
    Ok(array)
}

/// `numpy.random.choice`: `(integer | array, size, replace) -> array`
fn choice(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let count = match &args[0] {
        Arg::Array(view, _) => view.shape[0] as i64,
        number => number.int()?,
    };
    let shape = extents(&args[1])?;
    let wanted: usize = shape.iter().product();
    let mut chosen: Vec<i64>;
    if args[2].flag()? {
        chosen = filled(wanted, 0);
        with_stream(Stream::Numpy, |twister| -> Result<(), Failure> {
            for i in &mut chosen {
                *i = range(twister, 0, count)?;
            }
            Ok(())
        })?;
    } else {
        if wanted as i64 > count {
            return Err(value_error(
                "Cannot take a larger sample than population when 'replace=False'",
            ));
        }
        chosen = (0..count).gathered();
        mix_by_numpy(&View::of_mut(&mut chosen, &[count as usize]));
        chosen.truncate(wanted);
    }
    let Arg::Array(view, _) = &args[0] else {
        return ret.array(&shape, &chosen);
    };
    let out = ret.new_room(&shape)?;
    let size = out.kind.size();
    if out.kind != view.kind {
        return Err(bad_call());
    }
    let pairs = chosen.iter().enumerate().map(|(at, &i)| {
        let from = view.strides[0].wrapping_mul(i as isize);
        let from = view.data.wrapping_offset(from).cast_const();
        (from, out.data.wrapping_add(at * size))
    });
    // SAFETY: elements of the array and of a new one in C order, of one type.
    unsafe { crate::strided::move_elements(pairs, size) };
    Ok(())
}

/// The shape of a number of vectors of `width` elements.
fn rows(size: &Arg, width: usize) -> Result<Axes<usize>, Failure> {
    let mut shape = if size.is_nothing() {
        Axes::new()
    } else {
        extents(size)?
    };
    shape.push(width);
    Ok(shape)
}

/// `numpy.random.multinomial`: `(n, probabilities, size | none) -> array`
fn multinomial(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let trials = args[0].int_checked()?;
    let chances: Vec<f64> = to_vec(args[1].like()?.view());
    let mut out = ret.new_array(&rows(&args[2], chances.len())?)?;
    let Some((_, first)) = chances.split_last() else {
        return Ok(());
    };
    with_stream(Stream::Numpy, |twister| {
        for row in out.elements_mut::<i64>().chunks_exact_mut(chances.len()) {
            distribute(twister, trials, first, row)?;
        }
        Ok(())
    })
}

/// Successes of each category among what the ones before it have left; the rest is of the last one.
fn distribute(
    twister: &mut Twister,
    trials: i64,
    first: &[f64],
    row: &mut [i64],
) -> Result<(), Failure> {
    let (mut left, mut sum) = (trials, 1.0);
    for (chance, place) in first.iter().zip(&mut *row) {
        *place = binomial(twister, left, chance / sum)?;
        left -= *place;
        if left <= 0 {
            return Ok(());
        }
        sum -= chance;
    }
    if let Some(last) = row.last_mut() {
        *last = left;
    }
    Ok(())
}

/// `numpy.random.dirichlet`: `(alpha, size | none) -> array`
fn dirichlet(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let shapes: Vec<f64> = to_vec(args[0].like()?.view());
    if shapes.iter().any(|&a| a <= 0.0) {
        return Err(value_error("dirichlet: alpha must be > 0.0"));
    }
    let mut out = ret.new_array(&rows(&args[1], shapes.len())?)?;
    if shapes.is_empty() {
        return Ok(());
    }
    with_stream(Stream::Numpy, |twister| {
        for row in out.elements_mut::<f64>().chunks_exact_mut(shapes.len()) {
            let mut sum = 0.0;
            for (&shape, place) in shapes.iter().zip(&mut *row) {
                *place = cpython::gamma(twister, shape, 1.0)?;
                sum += *place;
            }
            row.iter_mut().for_each(|x| *x /= sum);
        }
        Ok(())
    })
}
