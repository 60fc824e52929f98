//! Element types of arrays.

pub(crate) use numbra_abi::Kind;
use numbra_abi::small_floats::{f16_from_f32, f16_from_f64, f16_to_f32};

/// What code for numbers does with bytes. Such calls are refused when they are typed.
pub(crate) fn no_number() -> ! {
    panic!("bytes where numbers are computed with")
}

/// A number of any element type without loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Wide {
    Int(i64),
    UInt(u64),
    Float(f64),
    Complex(f64, f64),
}

impl Wide {
    fn float(self) -> f64 {
        match self {
            Wide::Int(x) => x as f64,
            Wide::UInt(x) => x as f64,
            Wide::Float(x) | Wide::Complex(x, _) => x,
        }
    }

    /// Rounded once: integers go straight to f32.
    fn single(self) -> f32 {
        match self {
            Wide::Int(x) => x as f32,
            Wide::UInt(x) => x as f32,
            Wide::Float(x) | Wide::Complex(x, _) => x as f32,
        }
    }

    /// Low bits; floats toward zero.
    fn bits(self) -> u64 {
        match self {
            Wide::Int(x) => x as u64,
            Wide::UInt(x) => x,
            Wide::Float(x) | Wide::Complex(x, _) if x >= 9_223_372_036_854_775_808.0 => x as u64,
            Wide::Float(x) | Wide::Complex(x, _) => x as i64 as u64,
        }
    }

    fn imag(self) -> f64 {
        match self {
            Wide::Complex(_, im) => im,
            Wide::Int(_) | Wide::UInt(_) | Wide::Float(_) => 0.0,
        }
    }

    pub(crate) fn is_zero(self) -> bool {
        match self {
            Wide::Int(x) => x == 0,
            Wide::UInt(x) => x == 0,
            Wide::Float(x) => x == 0.0,
            Wide::Complex(re, im) => re == 0.0 && im == 0.0,
        }
    }
}

/// A value of an array in memory.
pub(crate) trait Element: Copy + Default + PartialEq + Send + Sync + 'static {
    const KIND: Kind;
    /// Complex: a real and an imaginary part.
    const HAS_PARTS: bool = false;
    /// Integers: every element is less than, equal to or greater than every other.
    const HAS_TOTAL_ORDER: bool = false;
    fn wide(self) -> Wide;
    fn from_wide(x: Wide) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// The number 1.
    fn one() -> Self {
        Self::from_wide(Wide::Int(1))
    }
    fn is_zero(self) -> bool {
        self.wide().is_zero()
    }
    /// A NaN in either part.
    fn is_nan(self) -> bool {
        match self.wide() {
            Wide::Int(_) | Wide::UInt(_) => false,
            Wide::Float(x) => x.is_nan(),
            Wide::Complex(re, im) => re.is_nan() || im.is_nan(),
        }
    }
    /// Order of numbers; complex ones by real, then imaginary part. A number with a NaN is neither less nor greater.
    fn less(self, other: Self) -> bool {
        match (self.wide(), other.wide()) {
            (Wide::Int(a), Wide::Int(b)) => a < b,
            (Wide::UInt(a), Wide::UInt(b)) => a < b,
            (a, b) => a.float() < b.float(),
        }
    }
    /// Order of all numbers, in which NaN stands behind the others. Of complex ones NumPy's: those with a NaN in the imaginary
    /// part, those with one in the real part, and those with two, each by the other part.
    fn before(self, other: Self) -> bool {
        self.less(other) || (other.is_nan() && !self.is_nan())
    }
}

macro_rules! integers {
    ($($int:ident $kind:ident $wide:ident;)*) => {
        $(impl Element for $int {
            const KIND: Kind = Kind::$kind;
            const HAS_TOTAL_ORDER: bool = true;
            fn wide(self) -> Wide {
                Wide::$wide(self.into())
            }
            fn from_wide(x: Wide) -> $int {
                x.bits() as $int
            }
            fn add(self, other: $int) -> $int {
                self.wrapping_add(other)
            }
            fn sub(self, other: $int) -> $int {
                self.wrapping_sub(other)
            }
            fn mul(self, other: $int) -> $int {
                self.wrapping_mul(other)
            }
            fn less(self, other: $int) -> bool {
                self < other
            }
        })*
    };
}

integers! {
    i8 Int8 Int;
    i16 Int16 Int;
    i32 Int32 Int;
    i64 Int64 Int;
    u8 UInt8 UInt;
    u16 UInt16 UInt;
    u32 UInt32 UInt;
    u64 UInt64 UInt;
}

/// A boolean: one byte, true unless 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Bool(pub(crate) u8);

impl Element for Bool {
    const KIND: Kind = Kind::Bool;
    fn wide(self) -> Wide {
        Wide::Int((self.0 != 0).into())
    }
    fn from_wide(x: Wide) -> Bool {
        Bool((!x.is_zero()).into())
    }
    fn add(self, other: Bool) -> Bool {
        Bool((self.0 | other.0 != 0).into())
    }
    /// NumPy's difference of booleans: whether they differ.
    fn sub(self, other: Bool) -> Bool {
        Bool(((self.0 != 0) != (other.0 != 0)).into())
    }
    fn mul(self, other: Bool) -> Bool {
        Bool((self.0 != 0 && other.0 != 0).into())
    }
}

/// A half, by its bits; computes in f32.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Half(pub(crate) u16);

impl Half {
    pub(crate) fn single(self) -> f32 {
        f16_to_f32(self.0)
    }
}

impl PartialEq for Half {
    fn eq(&self, other: &Half) -> bool {
        self.wide() == other.wide()
    }
}

impl Element for Half {
    const KIND: Kind = Kind::Float16;
    fn wide(self) -> Wide {
        Wide::Float(self.single().into())
    }
    fn from_wide(x: Wide) -> Half {
        Half(f16_from_f64(x.float()))
    }
    fn add(self, other: Half) -> Half {
        Half(f16_from_f32(self.single() + other.single()))
    }
    fn sub(self, other: Half) -> Half {
        Half(f16_from_f32(self.single() - other.single()))
    }
    fn mul(self, other: Half) -> Half {
        Half(f16_from_f32(self.single() * other.single()))
    }
}

/// A date or a duration: the count of its unit, of which the least is NaT. NaT is to other times what NaN is to other
/// floats: equal to none, behind all in order, and what any sum with it is.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct Time(pub(crate) i64);

impl Time {
    pub(crate) const NAT: Time = Time(i64::MIN);
    /// The earliest.
    const LEAST: Time = Time(i64::MIN + 1);

    fn joined(self, other: Time, count: fn(i64, i64) -> i64) -> Time {
        if self.is_nan() | other.is_nan() {
            Time::NAT
        } else {
            Time(count(self.0, other.0))
        }
    }
}

impl PartialEq for Time {
    fn eq(&self, other: &Time) -> bool {
        (self.0 == other.0) & !self.is_nan()
    }
}

impl Element for Time {
    const KIND: Kind = Kind::Time;
    /// NaT is NaN: of no kind of number, and equal to none.
    fn wide(self) -> Wide {
        if self.is_nan() {
            Wide::Float(f64::NAN)
        } else {
            Wide::Int(self.0)
        }
    }
    fn from_wide(x: Wide) -> Time {
        match x {
            Wide::Float(x) | Wide::Complex(x, _) if x.is_nan() => Time::NAT,
            Wide::Float(x) | Wide::Complex(x, _) => Time((x as i64).max(Time::LEAST.0)),
            Wide::Int(_) | Wide::UInt(_) => Time(x.bits() as i64),
        }
    }
    fn add(self, other: Time) -> Time {
        self.joined(other, i64::wrapping_add)
    }
    fn sub(self, other: Time) -> Time {
        self.joined(other, i64::wrapping_sub)
    }
    fn mul(self, other: Time) -> Time {
        self.joined(other, i64::wrapping_mul)
    }
    fn is_zero(self) -> bool {
        self.0 == 0
    }
    fn is_nan(self) -> bool {
        self.0 == Time::NAT.0
    }
    fn less(self, other: Time) -> bool {
        (self.0 < other.0) & !self.is_nan()
    }
}

impl Element for f32 {
    const KIND: Kind = Kind::Float32;
    fn wide(self) -> Wide {
        Wide::Float(self.into())
    }
    fn from_wide(x: Wide) -> f32 {
        x.single()
    }
    fn add(self, other: f32) -> f32 {
        self + other
    }
    fn sub(self, other: f32) -> f32 {
        self - other
    }
    fn mul(self, other: f32) -> f32 {
        self * other
    }
}

impl Element for f64 {
    const KIND: Kind = Kind::Float64;
    fn wide(self) -> Wide {
        Wide::Float(self)
    }
    fn from_wide(x: Wide) -> f64 {
        x.float()
    }
    fn add(self, other: f64) -> f64 {
        self + other
    }
    fn sub(self, other: f64) -> f64 {
        self - other
    }
    fn mul(self, other: f64) -> f64 {
        self * other
    }
}

/// A complex number in an array.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C)]
pub(crate) struct Pair<T> {
    pub(crate) re: T,
    pub(crate) im: T,
}

macro_rules! complex {
    ($($float:ident $kind:ident;)*) => {
        $(impl Element for Pair<$float> {
            const KIND: Kind = Kind::$kind;
            const HAS_PARTS: bool = true;
            fn wide(self) -> Wide {
                Wide::Complex(self.re.into(), self.im.into())
            }
            fn from_wide(x: Wide) -> Pair<$float> {
                Pair { re: $float::from_wide(x), im: x.imag() as $float }
            }
            fn add(self, other: Self) -> Self {
                Pair { re: self.re + other.re, im: self.im + other.im }
            }
            fn sub(self, other: Self) -> Self {
                Pair { re: self.re - other.re, im: self.im - other.im }
            }
            fn mul(self, other: Self) -> Self {
                Pair {
                    re: self.re * other.re - self.im * other.im,
                    im: self.re * other.im + self.im * other.re,
                }
            }
            fn less(self, other: Self) -> bool {
                let unlike = (self.re < other.re) & !(self.im.is_nan() | other.im.is_nan());
                unlike | ((self.re == other.re) & (self.im < other.im))
            }
            fn before(self, other: Self) -> bool {
                // Without branches, which sorts of numbers in no order could not foresee.
                let re = (self.re.is_nan(), other.re.is_nan());
                let im = (self.im.is_nan(), other.im.is_nan());
                let level = (self.re == other.re) | (re.0 & re.1);
                let by_parts = (self.re < other.re) | (level & (self.im < other.im));
                let unlike = re.0 != re.1;
                let by_im = if im.0 == im.1 { by_parts } else { im.1 };
                (unlike & re.1) | (!unlike & by_im)
            }
        })*
    };
}

complex! {
    f32 Complex64;
    f64 Complex128;
}

/// Runs `$body` with `$T` the element type of `$kind`.
macro_rules! with_element {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            $crate::elements::Kind::Bytes(_) => $crate::elements::no_number(),
            $crate::elements::Kind::Bool => {
                type $T = $crate::elements::Bool;
                $body
            }
            $crate::elements::Kind::Int8 => {
                type $T = i8;
                $body
            }
            $crate::elements::Kind::Int16 => {
                type $T = i16;
                $body
            }
            $crate::elements::Kind::Int32 => {
                type $T = i32;
                $body
            }
            $crate::elements::Kind::Int64 => {
                type $T = i64;
                $body
            }
            $crate::elements::Kind::UInt8 => {
                type $T = u8;
                $body
            }
            $crate::elements::Kind::UInt16 => {
                type $T = u16;
                $body
            }
            $crate::elements::Kind::UInt32 => {
                type $T = u32;
                $body
            }
            $crate::elements::Kind::UInt64 => {
                type $T = u64;
                $body
            }
            $crate::elements::Kind::Float16 => {
                type $T = $crate::elements::Half;
                $body
            }
            $crate::elements::Kind::Float32 => {
                type $T = f32;
                $body
            }
            $crate::elements::Kind::Float64 => {
                type $T = f64;
                $body
            }
            $crate::elements::Kind::Complex64 => {
                type $T = $crate::elements::Pair<f32>;
                $body
            }
            $crate::elements::Kind::Complex128 => {
                type $T = $crate::elements::Pair<f64>;
                $body
            }
            $crate::elements::Kind::Time => {
                type $T = $crate::elements::Time;
                $body
            }
        }
    };
}
pub(crate) use with_element;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_kinds_agree() {
        for kind in Kind::ALL {
            let (found, size) = with_element!(kind, T => (T::KIND, size_of::<T>()));
            assert_eq!((found, size), (kind, kind.size()));
        }
    }

    #[test]
    fn nat_is_to_times_what_nan_is_to_floats() {
        let (a, b, nat) = (Time(-3), Time(5), Time::NAT);
        assert!(a.less(b) && !b.less(a) && !a.less(nat) && !nat.less(a) && !nat.less(nat));
        assert!(a == a && nat != nat && nat != a && nat.is_nan() && !nat.is_zero());
        assert_eq!((a.add(b), b.sub(a)), (Time(2), Time(8)));
        for sum in [a.add(nat), nat.sub(a), nat.add(nat)] {
            assert!(sum.is_nan());
        }
        for time in [a, b, Time::LEAST, Time(i64::MAX)] {
            assert_eq!(Time::from_wide(time.wide()), time);
        }
        assert!(Time::from_wide(nat.wide()).is_nan());
        assert_eq!(Time::from_wide(Wide::Float(f64::NEG_INFINITY)), Time::LEAST);
    }

    #[test]
    fn conversions_wrap_and_truncate() {
        assert_eq!(i8::from_wide(Wide::Int(300)), 44);
        assert_eq!(u8::from_wide(Wide::Float(-1.5)), 255);
        assert_eq!(f32::from_wide(Wide::UInt(u64::MAX)), 1.844_674_4e19);
        assert_eq!(Bool::from_wide(Wide::Complex(0.0, 1.0)), Bool(1));
        assert_eq!(
            u64::from_wide(Wide::Float(1e19)),
            10_000_000_000_000_000_000
        );
    }
}
