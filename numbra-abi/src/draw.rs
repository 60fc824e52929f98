//! Random numbers that compiled code draws one at a time or by the array: which there are, and what words they take.

/// Kind of a parameter or of a number drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// `f64`; a parameter travels as its bits.
    Float,
    /// `i64`
    Int,
}

use Number::{Float, Int};

/// `Name { Variant(parameters) -> number; .. }`
macro_rules! draws {
    ($($(#[$meta:meta])* $name:ident {
        $($(#[$doc:meta])* $variant:ident($($param:ident),*) -> $number:ident;)*
    })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl $name {
            const ALL: &[$name] = &[$($name::$variant),*];

            /// What its parameters are.
            pub const fn params(self) -> &'static [Number] {
                match self { $($name::$variant => &[$($param),*]),* }
            }

            /// What is drawn.
            pub const fn number(self) -> Number {
                match self { $($name::$variant => $number),* }
            }
        }
    )*};
}

/// Where compiled code finds the next words of a stream of a thread (MT19937): byte offsets.
#[derive(Clone, Copy, Debug)]
pub struct RandomWords;

impl RandomWords {
    /// How many words there are.
    pub const COUNT: i64 = 624;
    /// Of an `i64`: how many of them are used.
    pub const USED: i32 = 0;
    /// Of the words, of 32 bits each.
    pub const WORDS: i32 = 8;
    /// Of an `i64`: 1 if a normal number is kept, which the next draw of one takes, else 0.
    pub const HAS_NORMAL: i32 = RandomWords::WORDS + 4 * RandomWords::COUNT as i32;
    /// Of that number, an `f64`.
    pub const NORMAL: i32 = RandomWords::HAS_NORMAL + 8;
}

draws! {
    /// From the thread's stream of Python's `random`.
    PythonDraw {
        /// Uniform in `[0, 1)`.
        Random() -> Float;
        /// `low`, `high`.
        Uniform(Float, Float) -> Float;
        /// Mean, standard deviation.
        Gauss(Float, Float) -> Float;
        /// `low`, `high`; the mode is in the middle.
        Triangular(Float, Float) -> Float;
        /// `low`, `high`, mode.
        TriangularAt(Float, Float, Float) -> Float;
        /// Shape, scale.
        Gamma(Float, Float) -> Float;
        /// Both shapes.
        Beta(Float, Float) -> Float;
        /// Rate.
        Expo(Float) -> Float;
        /// Mean and standard deviation of the logarithm.
        Lognorm(Float, Float) -> Float;
        /// Shape.
        Pareto(Float) -> Float;
        /// Mean angle, concentration.
        VonMises(Float, Float) -> Float;
        /// Scale, shape.
        Weibull(Float, Float) -> Float;
        /// Number of bits, 1 to 64.
        Bits(Int) -> Int;
        /// `start`, `stop`, `step` of a range.
        Range(Int, Int, Int) -> Int;
        /// `start`, `stop` of a range.
        Between(Int, Int) -> Int;
        /// `stop` of a range from 0.
        Below(Int) -> Int;
        /// The least and the greatest.
        Among(Int, Int) -> Int;
    }

    /// From the thread's stream of `numpy.random`.
    NumpyDraw {
        /// Uniform in `[0, 1)`.
        Random() -> Float;
        /// `low`, `high`.
        Uniform(Float, Float) -> Float;
        /// Mean 0, standard deviation 1.
        StandardNormal() -> Float;
        /// Mean, standard deviation.
        Normal(Float, Float) -> Float;
        /// Mean 1.
        StandardExponential() -> Float;
        /// Scale.
        Exponential(Float) -> Float;
        /// Shape.
        StandardGamma(Float) -> Float;
        /// Shape, scale.
        Gamma(Float, Float) -> Float;
        /// Both shapes.
        Beta(Float, Float) -> Float;
        /// Degrees of freedom.
        Chisquare(Float) -> Float;
        /// Degrees of freedom, noncentrality.
        NoncentralChisquare(Float, Float) -> Float;
        /// Degrees of freedom of both.
        F(Float, Float) -> Float;
        /// Place, scale.
        Gumbel(Float, Float) -> Float;
        /// Place, scale.
        Laplace(Float, Float) -> Float;
        /// Place, scale.
        Logistic(Float, Float) -> Float;
        /// Mean and standard deviation of the logarithm.
        Lognormal(Float, Float) -> Float;
        /// Shape.
        Pareto(Float) -> Float;
        /// Shape.
        Power(Float) -> Float;
        /// Scale.
        Rayleigh(Float) -> Float;
        /// A quotient of two normal numbers.
        Cauchy() -> Float;
        /// Degrees of freedom.
        StudentT(Float) -> Float;
        /// `left`, mode, `right`.
        Triangular(Float, Float, Float) -> Float;
        /// Mean angle, concentration.
        VonMises(Float, Float) -> Float;
        /// Mean, scale.
        Wald(Float, Float) -> Float;
        /// Shape.
        Weibull(Float) -> Float;
        /// Number of trials, probability.
        Binomial(Int, Float) -> Int;
        /// Probability.
        Geometric(Float) -> Int;
        /// Good ones, bad ones, sample.
        Hypergeometric(Int, Int, Int) -> Int;
        /// Probability.
        Logseries(Float) -> Int;
        /// Number of successes, probability.
        NegativeBinomial(Float, Float) -> Int;
        /// Mean.
        Poisson(Float) -> Int;
        /// `low`, `high`, which is not drawn.
        Range(Int, Int) -> Int;
        /// `high`, which is not drawn.
        Below(Int) -> Int;
        /// Exponent.
        Zipf(Float) -> Int;
    }

    /// From a `numpy.random.Generator`.
    GeneratorDraw {
        /// Uniform in `[0, 1)`.
        Random() -> Float;
        /// Uniform in `[0, 1)`, single precision.
        RandomSingle() -> Float;
        /// `low`, `high`.
        Uniform(Float, Float) -> Float;
        /// Mean 0, standard deviation 1.
        StandardNormal() -> Float;
        /// As `StandardNormal`, single precision.
        StandardNormalSingle() -> Float;
        /// Mean, standard deviation.
        Normal(Float, Float) -> Float;
        /// Mean 1, by the ziggurat.
        StandardExponential() -> Float;
        /// As `StandardExponential`, single precision.
        StandardExponentialSingle() -> Float;
        /// Mean 1, by inversion.
        InverseExponential() -> Float;
        /// As `InverseExponential`, single precision.
        InverseExponentialSingle() -> Float;
        /// Scale.
        Exponential(Float) -> Float;
        /// Shape.
        StandardGamma(Float) -> Float;
        /// As `StandardGamma`, single precision.
        StandardGammaSingle(Float) -> Float;
        /// Shape, scale.
        Gamma(Float, Float) -> Float;
        /// Both shapes.
        Beta(Float, Float) -> Float;
        /// Degrees of freedom.
        Chisquare(Float) -> Float;
        /// Degrees of freedom, noncentrality.
        NoncentralChisquare(Float, Float) -> Float;
        /// Degrees of freedom of both.
        F(Float, Float) -> Float;
        /// Degrees of freedom of both, noncentrality.
        NoncentralF(Float, Float, Float) -> Float;
        /// A quotient of two normal numbers.
        Cauchy() -> Float;
        /// Degrees of freedom.
        StudentT(Float) -> Float;
        /// Place, scale.
        Laplace(Float, Float) -> Float;
        /// Place, scale.
        Logistic(Float, Float) -> Float;
        /// Mean and standard deviation of the logarithm.
        Lognormal(Float, Float) -> Float;
        /// Shape.
        Pareto(Float) -> Float;
        /// Shape.
        Power(Float) -> Float;
        /// Scale.
        Rayleigh(Float) -> Float;
        /// `left`, mode, `right`.
        Triangular(Float, Float, Float) -> Float;
        /// Mean, scale.
        Wald(Float, Float) -> Float;
        /// Shape.
        Weibull(Float) -> Float;
        /// Number of trials, probability.
        Binomial(Int, Float) -> Int;
        /// Probability.
        Geometric(Float) -> Int;
        /// Probability.
        Logseries(Float) -> Int;
        /// Number of successes, probability.
        NegativeBinomial(Float, Float) -> Int;
        /// Mean.
        Poisson(Float) -> Int;
        /// Exponent.
        Zipf(Float) -> Int;
    }
}

/// Something to draw: where the bits come from and how they are distributed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Draw {
    /// Python's `random`.
    Python(PythonDraw),
    /// `numpy.random`.
    Numpy(NumpyDraw),
    /// A `numpy.random.Generator`.
    Generator(GeneratorDraw),
}

impl Draw {
    /// Most parameters that there are.
    pub const MAX_PARAMS: usize = 3;

    /// What its parameters are.
    pub const fn params(self) -> &'static [Number] {
        match self {
            Draw::Python(draw) => draw.params(),
            Draw::Numpy(draw) => draw.params(),
            Draw::Generator(draw) => draw.params(),
        }
    }

    /// What is drawn.
    pub const fn number(self) -> Number {
        match self {
            Draw::Python(draw) => draw.number(),
            Draw::Numpy(draw) => draw.number(),
            Draw::Generator(draw) => draw.number(),
        }
    }

    /// The number under which compiled code asks for it.
    pub const fn code(self) -> u32 {
        match self {
            Draw::Python(draw) => draw as u32,
            Draw::Numpy(draw) => 1 << 8 | draw as u32,
            Draw::Generator(draw) => 2 << 8 | draw as u32,
        }
    }

    /// The one with this [`Draw::code`].
    #[inline]
    pub fn from_code(code: u32) -> Option<Draw> {
        let at = (code & 0xff) as usize;
        match code >> 8 {
            0 => PythonDraw::ALL.get(at).copied().map(Draw::Python),
            1 => NumpyDraw::ALL.get(at).copied().map(Draw::Numpy),
            2 => GeneratorDraw::ALL.get(at).copied().map(Draw::Generator),
            _ => None,
        }
    }

    /// All there are.
    pub fn all() -> impl Iterator<Item = Draw> {
        let python = PythonDraw::ALL.iter().copied().map(Draw::Python);
        let numpy = NumpyDraw::ALL.iter().copied().map(Draw::Numpy);
        let generator = GeneratorDraw::ALL.iter().copied().map(Draw::Generator);
        python.chain(numpy).chain(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_name_draws() {
        for draw in Draw::all() {
            assert_eq!(Draw::from_code(draw.code()), Some(draw));
            assert!(draw.params().len() <= Draw::MAX_PARAMS);
        }
        assert_eq!(Draw::from_code(3 << 8), None);
        assert_eq!(Draw::from_code(0xff), None);
    }
}
