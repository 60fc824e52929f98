//! `Generator.integers`: integers of a range by Lemire's rejection (2019), small ones from parts of one word.

use super::bits::{BitGenerator, Bits};
use crate::elements::{Element, Kind, Wide, with_element};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};

bodies! {
    generator_integers = integers, 6;
}

/// `(generator, low, high | none, size | none, dtype, endpoint) -> integer | array`
fn integers(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let generator = args[0].generator()?;
    let kind = ret.kind()?;
    let (low, high) = if args[2].is_nothing() {
        (0, whole(&args[1])?)
    } else {
        (whole(&args[1])?, whole(&args[2])?)
    };
    let high = if args[5].flag()? { high } else { high - 1 };
    let (least, most) = bounds(kind)?;
    if low < least {
        return Err(value_error("low is out of bounds"));
    }
    if high > most {
        return Err(value_error("high is out of bounds"));
    }
    if low > high {
        return Err(value_error("low is greater than high in given interval"));
    }
    let mut source = Source {
        generator,
        width: (high - low) as u64,
        word: 0,
        left: 0,
    };
    let low = low as u64;
    let draw = match kind.size() {
        1 if kind == Kind::Bool => Source::bool,
        1 => Source::u8,
        2 => Source::u16,
        4 => Source::u32,
        _ => Source::u64,
    };
    let draw: fn(&mut Source) -> u64 = if source.width == 0 { |_| 0 } else { draw };
    let mut next = || Wide::UInt(low.wrapping_add(draw(&mut source)));
    if !ret.is_array() {
        return ret.scalar(next());
    }
    let out = ret.new_array(&super::choose::extents(&args[3])?)?;
    let count = out.len();
    with_element!(kind, T => for i in 0..count {
        // SAFETY: element `i` of a new array in C order.
        unsafe { out.data.cast::<T>().add(i).write(T::from_wide(next())) };
    });
    Ok(())
}

fn whole(arg: &Arg) -> Result<i128, Failure> {
    match arg.number()? {
        Wide::Int(x) => Ok(x.into()),
        Wide::UInt(x) => Ok(x.into()),
        Wide::Float(_) | Wide::Complex(..) => Err(bad_call()),
    }
}

/// The least and the greatest number of an integer type.
fn bounds(kind: Kind) -> Result<(i128, i128), Failure> {
    let bits = 8 * kind.size() as u32;
    match kind {
        Kind::Bool => Ok((0, 1)),
        Kind::UInt8 | Kind::UInt16 | Kind::UInt32 | Kind::UInt64 => Ok((0, (1 << bits) - 1)),
        Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 => {
            Ok((-(1 << (bits - 1)), (1 << (bits - 1)) - 1))
        }
        Kind::Float16
        | Kind::Float32
        | Kind::Float64
        | Kind::Complex64
        | Kind::Complex128
        | Kind::Time
        | Kind::Bytes(_) => Err(bad_call()),
    }
}

/// Numbers from 0 to `width`, which is not 0.
struct Source {
    generator: BitGenerator,
    width: u64,
    /// What is left of a word, and how many parts that is.
    word: u32,
    left: u32,
}

impl Source {
    /// The next part of `bits` bits of a word.
    fn part(&mut self, bits: u32) -> u64 {
        if self.left == 0 {
            self.word = self.generator.u32();
            self.left = 32 / bits;
        } else {
            self.word >>= bits;
        }
        self.left -= 1;
        u64::from(self.word) & ((1 << bits) - 1)
    }

    fn bool(&mut self) -> u64 {
        self.part(1)
    }

    fn u8(&mut self) -> u64 {
        self.lemire(8, |source| source.part(8))
    }

    fn u16(&mut self) -> u64 {
        self.lemire(16, |source| source.part(16))
    }

    fn u32(&mut self) -> u64 {
        self.lemire(32, |source| u64::from(source.generator.u32()))
    }

    fn u64(&mut self) -> u64 {
        if self.width <= u64::from(u32::MAX) {
            return self.u32();
        }
        if self.width == u64::MAX {
            return self.generator.u64();
        }
        let count = self.width + 1;
        let mut product = u128::from(self.generator.u64()) * u128::from(count);
        if (product as u64) < count {
            let threshold = (u64::MAX - self.width) % count;
            while (product as u64) < threshold {
                product = u128::from(self.generator.u64()) * u128::from(count);
            }
        }
        (product >> 64) as u64
    }

    /// The high half of a product with a number of up to 32 bits, where its low half is not among the few that are too many.
    fn lemire(&mut self, bits: u32, next: fn(&mut Source) -> u64) -> u64 {
        let mask = (1_u64 << bits) - 1;
        if self.width == mask {
            return next(self);
        }
        let count = self.width + 1;
        let mut product = next(self) * count;
        if product & mask < count {
            let threshold = (mask - self.width) % count;
            while product & mask < threshold {
                product = next(self) * count;
            }
        }
        product >> bits
    }
}
