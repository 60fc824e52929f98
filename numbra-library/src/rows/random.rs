//! `random` and `numpy.random`: streams of the thread that Numba defines (`numbra-runtime/src/random`).

use crate::row_macro::{guarded, native};
use crate::rules::{Typed, array, check_mutable, is_int, is_none, like, new, want};
use crate::{
    Effects, Library, Mismatch, Op, ParamKind, ResultCx, Targets, TypePattern as P, named_dtype,
};
use numbra_abi::{Draw, GeneratorDraw, Number, NumpyDraw, PythonDraw};
use numbra_ir::{Const, Scalar, Signature, Storage, Type, TypeKind, Types};

/// A number; arrays allocate.
const DRAWS: Effects = Effects::STATE.and(Effects::ALLOC).and(Effects::RAISE);

const MIXES: Effects = DRAWS.and(Effects::READ).and(Effects::WRITE);
const CHOOSES: Effects = DRAWS.and(Effects::READ);

/// Draws of `random`, which give one number each.
const ONE: Effects = Effects::STATE.and(Effects::RAISE);

library! {
    /// Starts the thread's stream of `random` anew, as `numpy.random.seed` does.
    fn random.seed(a) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[native(&[P::Int], seed, "numbra_np_python_seed")],
    }
    /// Uniform in `[0, 1)`.
    fn random.random() { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Random)] }
    /// Uniform between `a` and `b`.
    fn random.uniform(a, b) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Uniform)] }
    /// Normal with mean `mu` and standard deviation `sigma`, from NumPy's legacy stream as in Numba.
    fn random.gauss(mu = Float(0.0), sigma = Float(1.0)) alias [random.normalvariate] {
        effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Gauss)],
    }
    /// Triangular between `low` and `high`, with the mode in the middle or given.
    fn random.triangular(low = Float(0.0), high = Float(1.0), mode = None) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[draw!(Python TriangularAt), draw!(Python Triangular)],
    }
    /// Gamma with shape `alpha` and scale `beta`.
    fn random.gammavariate(alpha, beta) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Gamma)] }
    /// Beta.
    fn random.betavariate(alpha, beta) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Beta)] }
    /// Exponential with rate `lambd`.
    fn random.expovariate(lambd = Float(1.0)) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Expo)] }
    /// A number whose logarithm is normal.
    fn random.lognormvariate(mu, sigma) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Lognorm)] }
    /// Pareto with shape `alpha`.
    fn random.paretovariate(alpha) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Pareto)] }
    /// An angle around `mu` with concentration `kappa`.
    fn random.vonmisesvariate(mu, kappa) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python VonMises)] }
    /// Weibull with scale `alpha` and shape `beta`.
    fn random.weibullvariate(alpha, beta) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Weibull)] }
    /// `k` random bits, 1 to 64.
    fn random.getrandbits(k) { effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Bits)] }
    /// An integer of a range.
    fn random.randrange(start, stop = Unset, step = Unset) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[
            draw!(Python Range),
            draw!(Python Between),
            draw!(Python Below),
        ],
    }
    /// An integer from `a` to `b`.
    fn random.randint(a, b) {
        effects: ONE, targets: Targets::Cpu, bodies: &[draw!(Python Among)],
    }
    /// Brings the indices of the first axis in a random order.
    fn random.shuffle(x) {
        effects: MIXES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], shuffle, "numbra_np_python_shuffle")],
    }
    /// Starts the thread's stream of `numpy.random` anew from the low 32 bits of an integer.
    fn numpy.random.seed(seed) {
        effects: ONE, targets: Targets::Cpu,
        bodies: &[native(&[P::Int], seed, "numbra_np_random_seed")],
    }
    /// Uniform in `[0, 1)`.
    fn numpy.random.random(size = None)
        alias [numpy.random.random_sample, numpy.random.ranf, numpy.random.sample]
    { effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Random)] }
    /// Uniform in `[0, 1)`, an array of these extents.
    fn numpy.random.rand(*size) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Random)],
    }
    /// Normal, an array of these extents.
    fn numpy.random.randn(*size) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardNormal)],
    }
    /// Normal with mean 0 and standard deviation 1.
    fn numpy.random.standard_normal(size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardNormal)],
    }
    /// Normal with mean `loc` and standard deviation `scale`.
    fn numpy.random.normal(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Normal)],
    }
    /// Uniform between `low` and `high`.
    fn numpy.random.uniform(low = Float(0.0), high = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Uniform)],
    }
    /// An integer from 0 or `low` to below `high`.
    fn numpy.random.randint(low, high = None, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy Range), draw!(Numpy Below)],
    }
    /// Exponential with mean `scale`.
    fn numpy.random.exponential(scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy Exponential)],
    }
    /// Exponential with mean 1.
    fn numpy.random.standard_exponential(size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardExponential)],
    }
    /// Gamma, by CPython's algorithm as in Numba.
    fn numpy.random.gamma(shape, scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Gamma)],
    }
    /// [`numpy.random.gamma`] with scale 1.
    fn numpy.random.standard_gamma(shape, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy StandardGamma)],
    }
    /// Beta, of two numbers of [`numpy.random.gamma`].
    fn numpy.random.beta(a, b, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Beta)],
    }
    /// Chi-squared, of [`numpy.random.gamma`].
    fn numpy.random.chisquare(df, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Chisquare)],
    }
    /// Noncentral chi-squared.
    fn numpy.random.noncentral_chisquare(df, nonc, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy NoncentralChisquare)],
    }
    /// F, of two chi-squared numbers.
    fn numpy.random.f(dfnum, dfden, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy F)],
    }
    /// Gumbel.
    fn numpy.random.gumbel(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Gumbel)],
    }
    /// Laplace.
    fn numpy.random.laplace(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Laplace)],
    }
    /// Logistic.
    fn numpy.random.logistic(loc = Float(0.0), scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Logistic)],
    }
    /// A number whose logarithm is normal.
    fn numpy.random.lognormal(mean = Float(0.0), sigma = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Lognormal)],
    }
    /// Pareto II, which starts at 0.
    fn numpy.random.pareto(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Pareto)],
    }
    /// A power of a uniform number.
    fn numpy.random.power(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Power)],
    }
    /// Rayleigh.
    fn numpy.random.rayleigh(scale = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Rayleigh)],
    }
    /// Cauchy.
    fn numpy.random.standard_cauchy(size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Cauchy)],
    }
    /// Student's t, of a normal number and one of [`numpy.random.gamma`].
    fn numpy.random.standard_t(df, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy StudentT)],
    }
    /// Triangular, by CPython's algorithm as in Numba.
    fn numpy.random.triangular(left, mode, right, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Triangular)],
    }
    /// Von Mises, by CPython's algorithm as in Numba.
    fn numpy.random.vonmises(mu, kappa, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy VonMises)],
    }
    /// Wald, the inverse Gaussian.
    fn numpy.random.wald(mean, scale, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Wald)],
    }
    /// Weibull with scale 1.
    fn numpy.random.weibull(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Weibull)],
    }
    /// Successes of `n` trials.
    fn numpy.random.binomial(n, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Binomial)],
    }
    /// Trials up to the first success.
    fn numpy.random.geometric(p, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Geometric)],
    }
    /// Good ones in a sample; for samples over 10 another stream than NumPy's, as in Numba.
    fn numpy.random.hypergeometric(ngood, nbad, nsample, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy Hypergeometric)],
    }
    /// Of the logarithmic series.
    fn numpy.random.logseries(p, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Logseries)],
    }
    /// Failures before `n` successes: a Poisson number of a mean by [`numpy.random.gamma`].
    fn numpy.random.negative_binomial(n, p, size = None) {
        effects: DRAWS, targets: Targets::Cpu,
        bodies: &[draw!(Numpy NegativeBinomial)],
    }
    /// Poisson.
    fn numpy.random.poisson(lam = Float(1.0), size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Poisson)],
    }
    /// Zipf.
    fn numpy.random.zipf(a, size = None) {
        effects: DRAWS, targets: Targets::Cpu, bodies: &[draw!(Numpy Zipf)],
    }
    /// Brings the indices of the first axis in a random order.
    fn numpy.random.shuffle(x) {
        effects: MIXES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], shuffle, "numbra_np_random_shuffle")],
    }
    /// A shuffled copy of an array, or the integers below a number in random order.
    fn numpy.random.permutation(x) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], permutation, "numbra_np_random_permutation")],
    }
    /// Elements of an array or integers below a number, of equal chances.
    fn numpy.random.choice(a, size = None, replace = Bool(true)) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[
            guarded(&[P::Any, P::None, P::Bool], is_population, choice, Op::DrawItem),
            native(&[P::Any, P::Any, P::Bool], choice, "numbra_np_random_choice"),
        ],
    }
    /// Successes of `n` trials by category.
    fn numpy.random.multinomial(n, pvals, size = None) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], multinomial, "numbra_np_random_multinomial")],
    }
    /// Fractions that sum to 1, of numbers of [`numpy.random.gamma`].
    fn numpy.random.dirichlet(alpha, size = None) {
        effects: CHOOSES, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], dirichlet, "numbra_np_random_dirichlet")],
    }
}

/// What Numba says that a real parameter may be.
const REAL_TYPES: &str = "[<class 'numba.core.types.scalars.Float'>, <class 'numba.core.types.scalars.Integer'>, <class 'int'>, <class 'float'>]";

/// What Numba says that a bound of a range may be.
const WHOLE_TYPES: &str = "[<class 'numba.core.types.scalars.Integer'>, <class 'numba.core.types.scalars.Boolean'>, <class 'bool'>, <class 'int'>]";

/// The name of parameter `i`.
fn param_name(cx: &ResultCx<'_>, i: usize) -> &'static str {
    let library = Library::standard();
    let row = library.lookup(cx.row).map(|id| library.row(id));
    row.and_then(|row| row.params.get(i)).map_or("", |p| p.name)
}

fn not_expected(name: &str, expected: &str) -> Mismatch {
    Mismatch::error(format!(
        "Argument {name} is not one of the expected type(s): {expected}"
    ))
}

/// True if argument `i` is an integer or a float.
fn is_real(cx: &ResultCx<'_>, i: usize) -> bool {
    let scalar = cx.types.as_scalar(cx.plain(i));
    scalar.is_some_and(|s| s.is_int() || s.is_float())
}

/// How many axes a shape gives: an integer, or a tuple of integers of one type. Any other type gives none.
fn axes(cx: &ResultCx<'_>, ty: Type) -> Option<u8> {
    if cx.types.as_scalar(ty).is_some_and(Scalar::is_int) {
        return Some(1);
    }
    if ty == Type::EMPTY_TUPLE {
        return Some(0);
    }
    let (item, count) = cx.types.uniform_tuple(ty)?;
    cx.types.as_scalar(item).filter(|s| s.is_int())?;
    u8::try_from(count).ok()
}

/// A random number, or an array of the shape that the arguments after the parameters give.
pub(crate) fn drawn(cx: &ResultCx<'_>, draw: Draw) -> Typed {
    let first = usize::from(matches!(draw, Draw::Generator(_)));
    let mut params: Vec<Type> = (0..first).map(|i| cx.plain(i)).collect();
    for (at, number) in draw.params().iter().enumerate() {
        let i = first + at;
        let fits = match (draw, number) {
            (Draw::Generator(_), _) | (_, Number::Float) => is_real(cx, i),
            (Draw::Python(_) | Draw::Numpy(_), Number::Int) => is_int(cx, i),
        };
        if !fits {
            let name = param_name(cx, i);
            return Err(match draw {
                Draw::Generator(_) => not_expected(name, REAL_TYPES),
                Draw::Python(_) | Draw::Numpy(_) => {
                    Mismatch::rejected(format!("`{name}` is {}", cx.show(cx.plain(i))))
                }
            });
        }
        params.push(match number {
            Number::Float => Type::FLOAT64,
            Number::Int => Type::INT64,
        });
    }
    let mut shape = None;
    for i in params.len()..cx.args.len() {
        match param_name(cx, i) {
            "dtype" => params.push(cx.arg(i)),
            "method" => params.push(cx.arg(i)),
            _ => {
                let ty = cx.plain(i);
                params.push(ty);
                if ty == Type::NONE {
                    continue;
                }
                let more = match takes_extents(cx) {
                    true => is_int(cx, i).then_some(1),
                    false => axes(cx, ty),
                };
                let more = more.ok_or_else(|| bad_size(cx, draw, ty))?;
                shape = Some(shape.unwrap_or(0) + more);
            }
        }
    }
    choose_precision(cx, draw)?;
    choose_method(cx, draw)?;
    let dtype = number_type(cx, draw);
    let ret = shape.map_or(dtype, |ndim| new(cx, dtype, ndim));
    Ok(Signature { params, ret })
}

/// True for functions of `*size`, one integer an axis.
fn takes_extents(cx: &ResultCx<'_>) -> bool {
    let library = Library::standard();
    let row = library.lookup(cx.row).map(|id| library.row(id));
    row.is_some_and(|row| row.params.iter().any(|p| p.kind == ParamKind::VarArgs))
}

fn bad_size(cx: &ResultCx<'_>, draw: Draw, size: Type) -> Mismatch {
    match draw {
        Draw::Numpy(_) if takes_extents(cx) => {
            let name = cx.row.replacen("numpy", "np", 1);
            let got = cx.show(size);
            Mismatch::error(format!(
                "{name}() takes the lengths of the axes one by one, as {name}(2, 3): each is an integer, not {got}"
            ))
        }
        Draw::Generator(_) => {
            not_expected("size", " an integer, an empty tuple or a tuple of integers")
        }
        Draw::Python(_) | Draw::Numpy(_) => {
            bad_numpy_size(cx, "int or tuple of ints or None", size)
        }
    }
}

fn bad_numpy_size(cx: &ResultCx<'_>, expected: &str, size: Type) -> Mismatch {
    let name = cx.row.replacen("numpy", "np", 1);
    let got = cx.show(size);
    Mismatch::error(format!("{name}(): size should be {expected}, got {got}"))
}

/// The argument of this name, by position.
fn named(cx: &ResultCx<'_>, name: &str) -> Option<usize> {
    (0..cx.args.len()).find(|&i| param_name(cx, i) == name)
}

fn is_single(draw: Draw) -> bool {
    matches!(
        draw,
        Draw::Generator(
            GeneratorDraw::RandomSingle
                | GeneratorDraw::StandardNormalSingle
                | GeneratorDraw::StandardExponentialSingle
                | GeneratorDraw::InverseExponentialSingle
                | GeneratorDraw::StandardGammaSingle
        )
    )
}

/// Rejects a draw of another precision than `dtype` names.
fn choose_precision(cx: &ResultCx<'_>, draw: Draw) -> Result<(), Mismatch> {
    let Some(i) = named(cx, "dtype") else {
        return Ok(());
    };
    let wants_single = if is_none(cx, i) {
        false
    } else {
        let item = named_dtype(cx.types, cx.arg(i)).and_then(|ty| cx.types.as_scalar(ty));
        match item {
            Some(Scalar::Float32) => true,
            Some(Scalar::Float64) => false,
            _ => return Err(not_expected("dtype", " np.float32 or np.float64")),
        }
    };
    if wants_single == is_single(draw) {
        Ok(())
    } else {
        Err(Mismatch::rejected("of another precision"))
    }
}

/// Rejects a draw by another method than `method` names.
fn choose_method(cx: &ResultCx<'_>, draw: Draw) -> Result<(), Mismatch> {
    let Some(i) = named(cx, "method") else {
        return Ok(());
    };
    let inverse = match cx.types.kind(cx.arg(i)) {
        TypeKind::Literal(Const::Str(text)) | TypeKind::Omitted(Const::Str(text)) => {
            match text.as_str() {
                "zig" => false,
                "inv" => true,
                _ => return Err(Mismatch::error("Method must be either 'zig' or 'inv'")),
            }
        }
        _ if cx.plain(i) == Type::UNICODE => {
            return Err(Mismatch::error("\"method\" must be a string literal"));
        }
        _ => {
            let expected = "[<class 'numba.core.types.misc.UnicodeType'>, <class 'str'>]";
            return Err(not_expected("method", expected));
        }
    };
    let is_inverse = matches!(
        draw,
        Draw::Generator(
            GeneratorDraw::InverseExponential | GeneratorDraw::InverseExponentialSingle
        )
    );
    if inverse == is_inverse {
        Ok(())
    } else {
        Err(Mismatch::rejected("by another method"))
    }
}

/// The type of a number drawn.
fn number_type(cx: &ResultCx<'_>, draw: Draw) -> Type {
    match draw {
        Draw::Python(PythonDraw::Bits) => Type::UINT64,
        Draw::Python(
            PythonDraw::Range | PythonDraw::Between | PythonDraw::Below | PythonDraw::Among,
        )
        | Draw::Numpy(NumpyDraw::Range | NumpyDraw::Below) => widest(cx, draw.params().len()),
        _ if is_single(draw) => Type::FLOAT32,
        _ => match draw.number() {
            Number::Float => Type::FLOAT64,
            Number::Int => Type::INT64,
        },
    }
}

/// The widest integer type of the first `count` arguments, signed if one of them is.
fn widest(cx: &ResultCx<'_>, count: usize) -> Type {
    let kinds: Vec<Scalar> = (0..count)
        .filter_map(|i| cx.types.as_scalar(cx.plain(i)))
        .collect();
    let size = kinds.iter().map(|s| s.size()).max().unwrap_or(8);
    let signed = kinds.iter().any(|s| s.is_signed_int());
    let fits = |s: &Scalar| s.is_int() && s.size() == size && s.is_signed_int() == signed;
    let found = Scalar::ALL.into_iter().find(fits);
    cx.types.scalar(found.unwrap_or(Scalar::Int64))
}

/// `seed(n)`
fn seed(cx: &ResultCx<'_>) -> Typed {
    cx.returns(Type::NONE)
}

/// `shuffle(x)`, of a generator `shuffle(x, axis)`: arrays of one axis or more.
pub(crate) fn shuffle(cx: &ResultCx<'_>) -> Typed {
    let of_generator = cx.args.len() > 1;
    let i = usize::from(of_generator);
    let Ok(shuffled) = array(cx, i) else {
        return Err(if of_generator {
            not_expected("x", "[<class 'numba.core.types.npytypes.Array'>]")
        } else {
            Mismatch::error("The argument to shuffle() should be a buffer type")
        });
    };
    check_axis(cx, 2)?;
    want(shuffled.ndim > 0, "The argument to shuffle() has no axis")?;
    check_mutable(cx, cx.plain(i))?;
    cx.returns(Type::NONE)
}

fn check_axis(cx: &ResultCx<'_>, i: usize) -> Result<(), Mismatch> {
    if i < cx.args.len() && !is_int(cx, i) {
        let expected = "[<class 'int'>, <class 'numba.core.types.scalars.Integer'>]";
        return Err(not_expected("axis", expected));
    }
    Ok(())
}

/// `permutation(x)`, of a generator `permutation(x, axis)`: of the integers below a number, or of a copy of an array.
pub(crate) fn permutation(cx: &ResultCx<'_>) -> Typed {
    let of_generator = cx.args.len() > 1;
    let i = usize::from(of_generator);
    check_axis(cx, 2)?;
    if is_int(cx, i) {
        return cx.returns(new(cx, Type::INT64, 1));
    }
    match array(cx, i) {
        Ok(array) if array.ndim > 0 => cx.returns(new(cx, array.dtype, array.ndim)),
        _ if of_generator => Err(not_expected(
            "x",
            "[<class 'numba.core.types.npytypes.Array'>, <class 'numba.core.types.scalars.Integer'>]",
        )),
        _ => Err(Mismatch::rejected(
            "neither an integer nor an array with axes",
        )),
    }
}

/// Whether the first argument is an integer or an array with one axis of what is kept as numbers.
fn is_population(types: &Types, args: &[Type]) -> bool {
    let Some(&first) = args.first() else {
        return false;
    };
    match types.as_array(first) {
        Some(array) => {
            array.ndim == 1 && matches!(types.element(array.dtype), Some(Storage::Scalar(_)))
        }
        None => types.as_scalar(first).is_some_and(Scalar::is_int),
    }
}

/// `np.random.choice(a, size, replace)`
fn choice(cx: &ResultCx<'_>) -> Typed {
    let dtype = match array(cx, 0) {
        Ok(array) if array.ndim == 1 => array.dtype,
        _ if is_int(cx, 0) => Type::INT64,
        _ => {
            return Err(Mismatch::error(format!(
                "np.random.choice() first argument should be int or array, got {}",
                cx.show(cx.plain(0))
            )));
        }
    };
    let size = cx.plain(1);
    if size == Type::NONE {
        return cx.returns(dtype);
    }
    let ndim =
        axes(cx, size).ok_or_else(|| bad_numpy_size(cx, "int or tuple of ints or None", size))?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.random.multinomial(n, pvals, size)`
fn multinomial(cx: &ResultCx<'_>) -> Typed {
    if !is_int(cx, 0) {
        let got = cx.show(cx.plain(0));
        return Err(Mismatch::error(format!(
            "np.random.multinomial(): n should be an integer, got {got}"
        )));
    }
    check_vector(cx, 1, "np.random.multinomial(): pvals")?;
    vectors(cx, 2, Type::INT64, "int or tuple or None")
}

/// `np.random.dirichlet(alpha, size)`
fn dirichlet(cx: &ResultCx<'_>) -> Typed {
    check_vector(cx, 0, "np.random.dirichlet(): alpha")?;
    vectors(cx, 1, Type::FLOAT64, "int or tuple of ints or None")
}

fn check_vector(cx: &ResultCx<'_>, i: usize, what: &str) -> Result<(), Mismatch> {
    match like(cx, i) {
        Ok((dtype, 1)) if cx.types.as_scalar(dtype).is_some_and(|s| !s.is_complex()) => Ok(()),
        _ => Err(Mismatch::error(format!(
            "{what} should be an array or sequence, got {}",
            cx.show(cx.plain(i))
        ))),
    }
}

/// One vector, or as many as the shape of argument `i` has.
fn vectors(cx: &ResultCx<'_>, i: usize, dtype: Type, expected: &str) -> Typed {
    let size = cx.plain(i);
    let ndim = if size == Type::NONE {
        0
    } else {
        axes(cx, size).ok_or_else(|| bad_numpy_size(cx, expected, size))?
    };
    cx.returns(new(cx, dtype, ndim + 1))
}

/// `Generator.integers(low, high, size, dtype, endpoint)`
pub(crate) fn integers(cx: &ResultCx<'_>) -> Typed {
    for (i, name) in [(1, "low"), (2, "high")] {
        let scalar = cx.types.as_scalar(cx.plain(i));
        let fits = scalar.is_some_and(|s| s.is_int() || s == Scalar::Bool);
        let left_out = i == 2 && is_none(cx, i);
        if !fits && !left_out {
            return Err(not_expected(name, WHOLE_TYPES));
        }
    }
    if cx.types.as_scalar(cx.plain(5)) != Some(Scalar::Bool) {
        let expected = "[<class 'numba.core.types.scalars.Boolean'>, <class 'bool'>]";
        return Err(not_expected("endpoint", expected));
    }
    let named = if is_none(cx, 4) {
        Some(Type::INT64)
    } else {
        named_dtype(cx.types, cx.arg(4))
    };
    let dtype = named
        .filter(|ty| {
            let scalar = cx.types.as_scalar(*ty);
            scalar.is_some_and(|s| s.is_int() || s == Scalar::Bool)
        })
        .ok_or_else(|| {
            not_expected(
                "dtype",
                "np.int32, np.int64, np.int16, np.int8, np.uint32, np.uint64, np.uint16, np.uint8, np.bool_",
            )
        })?;
    let size = cx.plain(3);
    let ret = if size == Type::NONE {
        dtype
    } else {
        let ndim = axes(cx, size).ok_or_else(|| {
            not_expected("size", " an integer, an empty tuple or a tuple of integers")
        })?;
        new(cx, dtype, ndim)
    };
    let mut signature = cx.returns(ret)?;
    signature.params[4] = cx.arg(4);
    Ok(signature)
}
