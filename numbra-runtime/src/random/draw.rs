//! What compiled code calls to draw a number or to fill an array: `numbra_abi::Draw` says which there are.

use super::bits::{BitGenerator, Bits};
use super::streams::{Stream, with_stream};
use super::twister::Twister;
use super::{
    binomial, cpython, generator, generator_gamma, legacy, legacy_integers, poisson, ziggurat,
};
use crate::elements::{Element, Kind, Wide, with_element};
use crate::value::{Failure, bad_call};
use numbra_abi::{Draw, GeneratorDraw, NumpyDraw, PythonDraw, status};

/// Status and bits, in the two result registers.
#[repr(C)]
pub(crate) struct Drawn {
    status: i32,
    bits: u64,
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `generator` is a `bitgen_t` of this thread if the draw is from one.
pub(crate) unsafe extern "C" fn numbra_rt_draw(
    code: i32,
    bits: *const u8,
    a: u64,
    b: u64,
    c: u64,
) -> Drawn {
    if let Some(bits) = quick(code as u32, a as i64, b as i64) {
        return Drawn {
            status: status::OK,
            bits,
        };
    }
    // SAFETY: the same promise.
    unsafe { draw_one(code, bits, [a, b, c]) }
}

/// What loops draw most, without the way through all distributions: uniform floats, standard normal ones, and integers of a range
/// that is not empty.
#[inline]
fn quick(code: u32, a: i64, b: i64) -> Option<u64> {
    const FLOAT_OF_NUMPY: u32 = Draw::Numpy(NumpyDraw::Random).code();
    const FLOAT_OF_PYTHON: u32 = Draw::Python(PythonDraw::Random).code();
    const BELOW_OF_NUMPY: u32 = Draw::Numpy(NumpyDraw::Below).code();
    const RANGE_OF_NUMPY: u32 = Draw::Numpy(NumpyDraw::Range).code();
    const AMONG_OF_PYTHON: u32 = Draw::Python(PythonDraw::Among).code();
    const NORMAL_OF_NUMPY: u32 = Draw::Numpy(NumpyDraw::StandardNormal).code();
    let float = |stream| Some(with_stream(stream, Bits::f64).to_bits());
    let int = |low: i64, high: i64| {
        let bits = || with_stream(Stream::Numpy, |t| legacy_integers::within(t, low, high)) as u64;
        (low < high).then(bits)
    };
    match code {
        FLOAT_OF_NUMPY => float(Stream::Numpy),
        FLOAT_OF_PYTHON => float(Stream::Python),
        NORMAL_OF_NUMPY => Some(with_stream(Stream::Numpy, Twister::gauss).to_bits()),
        BELOW_OF_NUMPY => int(0, a),
        RANGE_OF_NUMPY => int(a, b),
        AMONG_OF_PYTHON if a <= b => {
            let bits = with_stream(Stream::Python, |t| cpython::among(t, a, b));
            Some(bits as u64)
        }
        _ => None,
    }
}

/// # Safety
/// As for [`numbra_rt_draw`].
#[inline(never)]
unsafe fn draw_one(code: i32, bits: *const u8, words: [u64; 3]) -> Drawn {
    // SAFETY: the same promise.
    match unsafe { draw(code, bits, words, One) } {
        Ok(bits) => Drawn {
            status: status::OK,
            bits,
        },
        Err(failure) => {
            failure.raise();
            Drawn {
                status: status::RAISED,
                bits: 0,
            }
        }
    }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// As for [`numbra_rt_draw`]; `params` are three words, and `data` is room for `count` elements.
pub(crate) unsafe extern "C" fn numbra_rt_draw_fill(
    code: i32,
    bits: *const u8,
    params: *const [u64; 3],
    data: *mut u8,
    count: i64,
    element: i32,
) -> i32 {
    // SAFETY: by contract.
    let words = unsafe { params.read() };
    let kind = usize::try_from(element)
        .ok()
        .and_then(|at| Kind::ALL.get(at).copied());
    let fill = Fill {
        data,
        count: usize::try_from(count).unwrap_or(0),
        kind,
    };
    // SAFETY: the same promise.
    match unsafe { draw(code, bits, words, fill) } {
        Ok(()) => status::OK,
        Err(failure) => {
            failure.raise();
            status::RAISED
        }
    }
}

/// What is done with a way to draw: one number is drawn, or as many as an array has.
trait Sink {
    type Out;
    fn floats(self, next: impl FnMut() -> Result<f64, Failure>) -> Result<Self::Out, Failure>;
    fn ints(self, next: impl FnMut() -> Result<i64, Failure>) -> Result<Self::Out, Failure>;
}

struct One;

impl Sink for One {
    type Out = u64;

    #[inline]
    fn floats(self, mut next: impl FnMut() -> Result<f64, Failure>) -> Result<u64, Failure> {
        next().map(f64::to_bits)
    }

    #[inline]
    fn ints(self, mut next: impl FnMut() -> Result<i64, Failure>) -> Result<u64, Failure> {
        next().map(|x| x as u64)
    }
}

/// An array in one run.
struct Fill {
    data: *mut u8,
    count: usize,
    kind: Option<Kind>,
}

impl Fill {
    fn fill<T: Element>(
        &self,
        mut next: impl FnMut() -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        for i in 0..self.count {
            let x = next()?;
            // SAFETY: the caller of `numbra_rt_draw_fill` promises room for so many elements.
            unsafe { self.data.cast::<T>().add(i).write(x) };
        }
        Ok(())
    }
}

impl Sink for Fill {
    type Out = ();

    fn floats(self, mut next: impl FnMut() -> Result<f64, Failure>) -> Result<(), Failure> {
        match self.kind {
            Some(Kind::Float64) => self.fill(next),
            Some(Kind::Float32) => self.fill(|| next().map(|x| x as f32)),
            _ => Err(bad_call()),
        }
    }

    fn ints(self, mut next: impl FnMut() -> Result<i64, Failure>) -> Result<(), Failure> {
        match self.kind {
            Some(Kind::Int64) => self.fill(next),
            Some(kind) => with_element!(kind, T => {
                self.fill::<T>(|| next().map(|x| T::from_wide(Wide::Int(x))))
            }),
            None => Err(bad_call()),
        }
    }
}

/// # Safety
/// `bits` is a `bitgen_t` of this thread if the draw is from one.
#[inline]
unsafe fn draw<S: Sink>(
    code: i32,
    bits: *const u8,
    words: [u64; 3],
    sink: S,
) -> Result<S::Out, Failure> {
    match Draw::from_code(code as u32) {
        Some(Draw::Numpy(draw)) => with_stream(Stream::Numpy, |t| of_numpy(draw, t, words, sink)),
        Some(Draw::Python(draw)) => {
            with_stream(Stream::Python, |t| of_python(draw, t, words, sink))
        }
        Some(Draw::Generator(draw)) if !bits.is_null() => {
            // SAFETY: by contract.
            let bits = unsafe { BitGenerator::new(bits) };
            of_generator(draw, bits, words, sink)
        }
        Some(Draw::Generator(_)) | None => Err(bad_call()),
    }
}

#[inline]
fn of_python<S: Sink>(
    draw: PythonDraw,
    t: &mut Twister,
    words: [u64; 3],
    sink: S,
) -> Result<S::Out, Failure> {
    let [a, b, c] = words.map(f64::from_bits);
    let [i, j, k] = words.map(|w| w as i64);
    match draw {
        PythonDraw::Random => sink.floats(|| Ok(t.f64())),
        PythonDraw::Uniform => sink.floats(|| Ok(cpython::uniform(t, a, b))),
        PythonDraw::Gauss => sink.floats(|| Ok(legacy::normal(t, a, b))),
        PythonDraw::Triangular => sink.floats(|| Ok(cpython::triangular(t, a, b))),
        PythonDraw::TriangularAt => sink.floats(|| Ok(cpython::triangular_at(t, a, b, c))),
        PythonDraw::Gamma => sink.floats(|| cpython::gamma(t, a, b)),
        PythonDraw::Beta => sink.floats(|| cpython::beta(t, a, b)),
        PythonDraw::Expo => sink.floats(|| cpython::expo(t, a)),
        PythonDraw::Lognorm => sink.floats(|| Ok(legacy::normal(t, a, b).exp())),
        PythonDraw::Pareto => sink.floats(|| cpython::pareto(t, a)),
        PythonDraw::VonMises => sink.floats(|| Ok(cpython::von_mises(t, a, b))),
        PythonDraw::Weibull => sink.floats(|| cpython::weibull(t, a, b)),
        PythonDraw::Bits => sink.ints(|| cpython::random_bits(t, i).map(|x| x as i64)),
        PythonDraw::Range => sink.ints(|| cpython::range(t, i, j, k)),
        PythonDraw::Between => sink.ints(|| cpython::range(t, i, j, 1)),
        PythonDraw::Below => sink.ints(|| cpython::range(t, 0, i, 1)),
        PythonDraw::Among => sink.ints(|| cpython::range(t, i, j.wrapping_add(1), 1)),
    }
}

#[inline]
fn of_numpy<S: Sink>(
    draw: NumpyDraw,
    t: &mut Twister,
    words: [u64; 3],
    sink: S,
) -> Result<S::Out, Failure> {
    let [a, b, c] = words.map(f64::from_bits);
    let [i, j, k] = words.map(|w| w as i64);
    match draw {
        NumpyDraw::Random => sink.floats(|| Ok(t.f64())),
        NumpyDraw::Uniform => sink.floats(|| Ok(cpython::uniform(t, a, b))),
        NumpyDraw::StandardNormal => sink.floats(|| Ok(t.gauss())),
        NumpyDraw::Normal => sink.floats(|| Ok(legacy::normal(t, a, b))),
        NumpyDraw::StandardExponential => sink.floats(|| Ok(legacy::exponential(t, 1.0))),
        NumpyDraw::Exponential => sink.floats(|| Ok(legacy::exponential(t, a))),
        NumpyDraw::StandardGamma => sink.floats(|| cpython::gamma(t, a, 1.0)),
        NumpyDraw::Gamma => sink.floats(|| cpython::gamma(t, a, b)),
        NumpyDraw::Beta => sink.floats(|| cpython::beta(t, a, b)),
        NumpyDraw::Chisquare => sink.floats(|| legacy::chisquare(t, a)),
        NumpyDraw::NoncentralChisquare => sink.floats(|| legacy::noncentral_chisquare(t, a, b)),
        NumpyDraw::F => sink.floats(|| legacy::f(t, a, b)),
        NumpyDraw::Gumbel => sink.floats(|| Ok(legacy::gumbel(t, a, b))),
        NumpyDraw::Laplace => sink.floats(|| Ok(legacy::laplace(t, a, b))),
        NumpyDraw::Logistic => sink.floats(|| Ok(legacy::logistic(t, a, b))),
        NumpyDraw::Lognormal => sink.floats(|| Ok(legacy::normal(t, a, b).exp())),
        NumpyDraw::Pareto => sink.floats(|| legacy::pareto(t, a)),
        NumpyDraw::Power => sink.floats(|| legacy::power(t, a)),
        NumpyDraw::Rayleigh => sink.floats(|| legacy::rayleigh(t, a)),
        NumpyDraw::Cauchy => sink.floats(|| Ok(legacy::cauchy(t))),
        NumpyDraw::StudentT => sink.floats(|| legacy::student_t(t, a)),
        NumpyDraw::Triangular => sink.floats(|| Ok(cpython::triangular_at(t, a, c, b))),
        NumpyDraw::VonMises => sink.floats(|| Ok(cpython::von_mises(t, a, b))),
        NumpyDraw::Wald => sink.floats(|| legacy::wald(t, a, b)),
        NumpyDraw::Weibull => sink.floats(|| cpython::weibull(t, 1.0, a)),
        NumpyDraw::Binomial => sink.ints(|| legacy_integers::binomial(t, i, b)),
        NumpyDraw::Geometric => sink.ints(|| legacy_integers::geometric(t, a)),
        NumpyDraw::Hypergeometric => sink.ints(|| Ok(legacy_integers::hypergeometric(t, i, j, k))),
        NumpyDraw::Logseries => sink.ints(|| legacy_integers::logseries(t, a)),
        NumpyDraw::NegativeBinomial => sink.ints(|| legacy_integers::negative_binomial(t, a, b)),
        NumpyDraw::Poisson => sink.ints(|| legacy_integers::poisson(t, a)),
        NumpyDraw::Below => sink.ints(|| legacy_integers::range(t, 0, i)),
        NumpyDraw::Range => sink.ints(|| legacy_integers::range(t, i, j)),
        NumpyDraw::Zipf => sink.ints(|| legacy_integers::zipf(t, a)),
    }
}

fn of_generator<S: Sink>(
    draw: GeneratorDraw,
    mut bits: BitGenerator,
    words: [u64; 3],
    sink: S,
) -> Result<S::Out, Failure> {
    use GeneratorDraw as G;
    let [a, b, c] = words.map(f64::from_bits);
    let trials = words[0] as i64;
    let g = &mut bits;
    match draw {
        G::Random => sink.floats(|| Ok(g.f64())),
        G::RandomSingle => sink.floats(|| Ok(g.f32().into())),
        G::Uniform => sink.floats(|| Ok(a + (b - a) * g.f64())),
        G::StandardNormal => sink.floats(|| Ok(ziggurat::normal(g))),
        G::StandardNormalSingle => sink.floats(|| Ok(ziggurat::normal_single(g).into())),
        G::Normal => sink.floats(|| Ok(a + b * ziggurat::normal(g))),
        G::StandardExponential => sink.floats(|| Ok(ziggurat::exponential(g))),
        G::StandardExponentialSingle => sink.floats(|| Ok(ziggurat::exponential_single(g).into())),
        G::InverseExponential => sink.floats(|| Ok(generator::inverse_exponential(g))),
        G::InverseExponentialSingle => {
            sink.floats(|| Ok(generator::inverse_exponential_single(g).into()))
        }
        G::Exponential => sink.floats(|| Ok(a * ziggurat::exponential(g))),
        G::StandardGamma => sink.floats(|| Ok(generator_gamma::gamma(g, a))),
        G::StandardGammaSingle => {
            sink.floats(|| Ok(generator_gamma::gamma_single(g, a as f32).into()))
        }
        G::Gamma => sink.floats(|| Ok(b * generator_gamma::gamma(g, a))),
        G::Beta => sink.floats(|| Ok(generator_gamma::beta(g, a, b))),
        G::Chisquare => sink.floats(|| Ok(generator_gamma::chisquare(g, a))),
        G::NoncentralChisquare => sink.floats(|| generator_gamma::noncentral_chisquare(g, a, b)),
        G::F => sink.floats(|| Ok(generator_gamma::f(g, a, b))),
        G::NoncentralF => sink.floats(|| generator_gamma::noncentral_f(g, a, b, c)),
        G::Cauchy => sink.floats(|| Ok(generator::cauchy(g))),
        G::StudentT => sink.floats(|| Ok(generator_gamma::student_t(g, a))),
        G::Laplace => sink.floats(|| Ok(generator::laplace(g, a, b))),
        G::Logistic => sink.floats(|| Ok(generator::logistic(g, a, b))),
        G::Lognormal => sink.floats(|| Ok((a + b * ziggurat::normal(g)).exp())),
        G::Pareto => sink.floats(|| Ok(generator::pareto(g, a))),
        G::Power => sink.floats(|| Ok(generator::power(g, a))),
        G::Rayleigh => sink.floats(|| Ok(generator::rayleigh(g, a))),
        G::Triangular => sink.floats(|| Ok(generator::triangular(g, a, b, c))),
        G::Wald => sink.floats(|| Ok(generator::wald(g, a, b))),
        G::Weibull => sink.floats(|| Ok(generator::weibull(g, a))),
        G::Binomial => sink.ints(|| Ok(binomial::binomial_of_generator(g, trials, b))),
        G::Geometric => sink.ints(|| Ok(generator::geometric(g, a))),
        G::Logseries => sink.ints(|| generator::logseries(g, a)),
        G::NegativeBinomial => sink.ints(|| Ok(generator::negative_binomial(g, a, b))),
        G::Poisson => sink.ints(|| Ok(poisson::poisson(g, a))),
        G::Zipf => sink.ints(|| generator::zipf(g, a)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_of_an_unknown_code_raises() {
        // SAFETY: no generator is read.
        let drawn = unsafe { numbra_rt_draw(-1, std::ptr::null(), 0, 0, 0) };
        assert_eq!(drawn.status, status::RAISED);
        crate::error::take_error();
    }

    #[test]
    fn an_array_is_filled_as_numbers_are_drawn() {
        let code = Draw::Numpy(NumpyDraw::Normal).code() as i32;
        let words = [1.5_f64.to_bits(), 2.0_f64.to_bits(), 0];
        let seed = || with_stream(Stream::Numpy, |t| t.seed(3));
        let mut filled = [0.0_f64; 5];
        seed();
        // SAFETY: there is room for five floats.
        let done = unsafe {
            let data = filled.as_mut_ptr().cast();
            numbra_rt_draw_fill(code, std::ptr::null(), &words, data, 5, 11)
        };
        assert_eq!(done, status::OK);
        seed();
        for x in filled {
            // SAFETY: no generator is read.
            let drawn = unsafe { numbra_rt_draw(code, std::ptr::null(), words[0], words[1], 0) };
            assert_eq!(drawn.bits, x.to_bits());
        }
    }
}
