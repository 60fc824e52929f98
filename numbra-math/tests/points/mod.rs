//! Arguments for tests: edges, and random numbers of every magnitude and of the range where a function is interesting.

use numbra_abi::MathFn;

/// A stream of random numbers, the same in each run.
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn new(seed: u64) -> Stream {
        Stream(seed)
    }

    /// SplitMix64.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// Where a function is neither constant nor outside its domain.
pub(crate) fn range(func: MathFn) -> (f64, f64) {
    match func {
        MathFn::Exp | MathFn::Sinh | MathFn::Cosh => (-750.0, 720.0),
        MathFn::Exp2 => (-1080.0, 1030.0),
        MathFn::Expm1 => (-40.0, 720.0),
        MathFn::Log | MathFn::Log2 | MathFn::Log10 | MathFn::Pow => (0.0, 4.0),
        MathFn::Log1p => (-1.0, 4.0),
        MathFn::Sin | MathFn::Cos | MathFn::Tan => (-100.0, 100.0),
        MathFn::Asin | MathFn::Acos | MathFn::Atanh => (-1.0, 1.0),
        MathFn::Acosh => (1.0, 10.0),
        MathFn::Tanh | MathFn::Erf => (-22.0, 22.0),
        MathFn::Erfc => (-6.0, 28.0),
        MathFn::Gamma => (-190.0, 175.0),
        MathFn::Lgamma
        | MathFn::Atan
        | MathFn::Atan2
        | MathFn::Asinh
        | MathFn::Cbrt
        | MathFn::Hypot
        | MathFn::Fmod
        | MathFn::NextAfter => (-50.0, 50.0),
    }
}

const EDGES: &[f64] = &[
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    3.0,
    10.0,
    88.8,
    104.0,
    709.8,
    745.2,
    1024.0,
    1e5,
    1e15,
    1e22,
    1e300,
    5e-324,
    1e-310,
    2.2250738585072014e-308,
    1e-160,
    1e-20,
    1e-8,
    1e-45,
    1.17549435e-38,
    1e-40,
    3.4028235e38,
    1.7976931348623157e308,
    f64::INFINITY,
];

/// How many random points of each kind.
const POINTS: usize = 20_000;

/// Arguments in double precision.
pub(crate) fn doubles(func: MathFn) -> Vec<f64> {
    let mut stream = Stream::new(func as u64);
    let mut all: Vec<f64> = EDGES.iter().flat_map(|&x| [x, -x]).collect();
    all.push(f64::NAN);
    let (low, high) = range(func);
    for _ in 0..POINTS {
        all.push(f64::from_bits(stream.bits()));
        all.push(stream.uniform(low, high));
        all.push(1.0 + stream.uniform(-1.0, 1.0) * stream.uniform(0.0, 1.0).powi(20));
        // Beside the others, so that lanes of one vector take different paths.
        all.push(stream.uniform(low, high) * stream.uniform(-12.0, 12.0).exp2());
    }
    all
}

/// Arguments in single precision.
pub(crate) fn singles(func: MathFn) -> Vec<f32> {
    let mut stream = Stream::new(func as u64);
    let mut all: Vec<f32> = doubles(func).into_iter().map(|x| x as f32).collect();
    all.extend((0..POINTS).map(|_| f32::from_bits(stream.bits() as u32)));
    all
}

/// Every point with another one, edges with each other.
pub(crate) fn pairs<T: Copy>(points: &[T]) -> Vec<(T, T)> {
    let edges = &points[..2 * EDGES.len() + 1];
    let crossed = edges
        .iter()
        .flat_map(|&x| edges.iter().map(move |&y| (x, y)));
    let shifted = points.iter().zip(points[1..].iter().chain(points));
    crossed.chain(shifted.map(|(&x, &y)| (x, y))).collect()
}
