//! Draws that compiled code makes itself: uniform floats and what is computed of one, every second normal number, and integers
//! of up to 32 bits. The runtime is called when the words of a stream are used up, for pairs of normal numbers, and for ranges
//! that are empty or wide.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::Fx;
use numbra_abi::{Draw, MathFn, NativeId, NumpyDraw, PythonDraw, RandomWords};
use numbra_lir::{AliasClass, BinaryOp, ConvertOp, FloatCc, IntCc, MemFlags, Ty, UnaryOp, Value};

/// 2^-53
const ULP: f64 = 1.0 / 9_007_199_254_740_992.0;
/// 2^26
const HIGH: f64 = 67_108_864.0;

/// How an integer is made of a word.
#[derive(Clone, Copy)]
enum Bits {
    /// The lowest that the greatest integer has: NumPy.
    Low,
    /// The highest, as many as the number of integers has: Python.
    High,
}

/// What is computed of a uniform number, or of a normal one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    Uniform,
    StandardNormal,
    Normal,
    StandardExponential,
    Exponential,
    Gumbel,
    Laplace,
    Logistic,
}

/// A range of integers, both ends in it.
struct Range {
    low: Value,
    high: Value,
    bits: Bits,
}

impl Fx<'_, '_> {
    /// The bits of a random number, of parameters that are bits. None for draws that code makes no other way than by a call.
    pub(super) fn draw_inline(&mut self, draw: Draw, words: &[Value]) -> Option<Res<Value>> {
        let (first, second) = (words[0], words[1]);
        let made = match draw {
            Draw::Numpy(NumpyDraw::Random) | Draw::Python(PythonDraw::Random) => {
                return Some(self.draw_float(draw));
            }
            Draw::Numpy(NumpyDraw::Below) => {
                let range = Range {
                    low: self.i64(0),
                    high: self.before(first),
                    bits: Bits::Low,
                };
                return Some(self.draw_int(draw, words, &range));
            }
            Draw::Numpy(NumpyDraw::Range) => {
                let range = Range {
                    low: first,
                    high: self.before(second),
                    bits: Bits::Low,
                };
                return Some(self.draw_int(draw, words, &range));
            }
            Draw::Python(PythonDraw::Below) => {
                let range = Range {
                    low: self.i64(0),
                    high: self.before(first),
                    bits: Bits::High,
                };
                return Some(self.draw_int(draw, words, &range));
            }
            Draw::Python(PythonDraw::Between) => {
                let range = Range {
                    low: first,
                    high: self.before(second),
                    bits: Bits::High,
                };
                return Some(self.draw_int(draw, words, &range));
            }
            Draw::Python(PythonDraw::Among) => {
                let range = Range {
                    low: first,
                    high: second,
                    bits: Bits::High,
                };
                return Some(self.draw_int(draw, words, &range));
            }
            Draw::Numpy(NumpyDraw::Uniform) | Draw::Python(PythonDraw::Uniform) => Made::Uniform,
            Draw::Numpy(NumpyDraw::StandardNormal) => Made::StandardNormal,
            Draw::Numpy(NumpyDraw::Normal) | Draw::Python(PythonDraw::Gauss) => Made::Normal,
            Draw::Numpy(NumpyDraw::StandardExponential) => Made::StandardExponential,
            Draw::Numpy(NumpyDraw::Exponential) => Made::Exponential,
            Draw::Numpy(NumpyDraw::Gumbel) => Made::Gumbel,
            Draw::Numpy(NumpyDraw::Laplace) => Made::Laplace,
            Draw::Numpy(NumpyDraw::Logistic) => Made::Logistic,
            Draw::Python(_) | Draw::Numpy(_) | Draw::Generator(_) => return None,
        };
        let params = [first, second].map(|bits| self.convert(ConvertOp::Bitcast, bits, Ty::F64));
        let drawn = self.draw_made(draw, made, params);
        Some(drawn.map(|drawn| self.convert(ConvertOp::Bitcast, drawn, Ty::I64)))
    }

    /// What is computed of a uniform or of a normal number.
    fn draw_made(&mut self, draw: Draw, made: Made, params: [Value; 2]) -> Res<Value> {
        let [first, second] = params;
        if let Made::StandardNormal | Made::Normal = made {
            let normal = self.draw_normal(draw)?;
            if made == Made::StandardNormal {
                return Ok(normal);
            }
            let away = self.fmul(second, normal);
            return Ok(self.fadd(first, away));
        }
        let uniform = match draw {
            Draw::Python(_) => Draw::Python(PythonDraw::Random),
            Draw::Numpy(_) | Draw::Generator(_) => Draw::Numpy(NumpyDraw::Random),
        };
        let u = self.draw_float(uniform)?;
        let u = self.convert(ConvertOp::Bitcast, u, Ty::F64);
        let one = self.fconst(Ty::F64, 1.0);
        let rest = self.fsub(one, u);
        Ok(match made {
            Made::Uniform => {
                let width = self.fsub(second, first);
                let above = self.fmul(width, u);
                self.fadd(first, above)
            }
            Made::StandardExponential | Made::Exponential => {
                let log = self.math(MathFn::Log, &[rest]);
                let drawn = self.unary(UnaryOp::FNeg, log);
                match made {
                    Made::Exponential => self.fmul(drawn, first),
                    _ => drawn,
                }
            }
            Made::Gumbel => {
                let log = self.math(MathFn::Log, &[rest]);
                let log = self.unary(UnaryOp::FNeg, log);
                let log = self.math(MathFn::Log, &[log]);
                let away = self.fmul(second, log);
                self.fsub(first, away)
            }
            Made::Laplace => {
                // One logarithm for both sides: of u + u below the middle, of 2 - u - u above it.
                let is_low = self.fcmp_imm(FloatCc::Lt, u, 0.5);
                let two = self.fconst(Ty::F64, 2.0);
                let low = self.fadd(u, u);
                let high = self.fsub(two, u);
                let high = self.fsub(high, u);
                let of = self.select(is_low, low, high);
                let log = self.math(MathFn::Log, &[of]);
                let away = self.fmul(second, log);
                let (below, above) = (self.fadd(first, away), self.fsub(first, away));
                self.select(is_low, below, above)
            }
            Made::Logistic => {
                let odds = self.fdiv(u, rest);
                let log = self.math(MathFn::Log, &[odds]);
                let away = self.fmul(second, log);
                self.fadd(first, away)
            }
            Made::StandardNormal | Made::Normal => {
                return Err(Fault::bug("a normal number of a uniform one"));
            }
        })
    }

    /// A standard normal number: the one that the stream keeps, or one of a pair that the runtime computes.
    fn draw_normal(&mut self, draw: Draw) -> Res<Value> {
        let stream = self.stream(draw)?;
        let kept = self.load(Ty::I64, stream, RandomWords::HAS_NORMAL, words_flags(8));
        let is_kept = self.icmp_imm(IntCc::Ne, kept, 0);
        let take = |fx: &mut Self| {
            let none = fx.i64(0);
            fx.store(stream, RandomWords::HAS_NORMAL, none, words_flags(8));
            Ok(vec![fx.load(
                Ty::F64,
                stream,
                RandomWords::NORMAL,
                words_flags(8),
            )])
        };
        let call = |fx: &mut Self| {
            let (draw, mean, deviation) = match draw {
                Draw::Python(_) => (Draw::Python(PythonDraw::Gauss), 0.0, 1.0),
                Draw::Numpy(_) | Draw::Generator(_) => {
                    (Draw::Numpy(NumpyDraw::StandardNormal), 0.0, 0.0)
                }
            };
            let params = [mean, deviation, 0.0].map(|x: f64| fx.i64(x.to_bits() as i64));
            let none = fx.zero(Ty::PTR);
            let bits = fx.draw_by_call(draw, none, &params)?;
            Ok(vec![fx.convert(ConvertOp::Bitcast, bits, Ty::F64)])
        };
        Ok(self.if_else(is_kept, &[Ty::F64], take, call)?[0])
    }

    /// The bits of a number that the runtime draws.
    fn slow(&mut self, draw: Draw, words: &[Value]) -> Res<Value> {
        let none = self.zero(Ty::PTR);
        self.draw_by_call(draw, none, words)
    }

    /// The integer before the end of a range; wraps around at an end that no range has.
    fn before(&mut self, end: Value) -> Value {
        let one = self.i64(1);
        self.isub(end, one)
    }

    /// Two words, if the stream has them.
    fn draw_float(&mut self, draw: Draw) -> Res<Value> {
        let stream = self.stream(draw)?;
        let used = self.load(Ty::I64, stream, RandomWords::USED, words_flags(8));
        let there = self.icmp_imm(IntCc::Ult, used, RandomWords::COUNT - 1);
        let fast = |fx: &mut Self| {
            let place = fx.word_place(stream, used);
            let high = fx.load(Ty::I32, place, RandomWords::WORDS, words_flags(4));
            let low = fx.load(Ty::I32, place, RandomWords::WORDS + 4, words_flags(4));
            fx.use_words(stream, used, 2);
            let high = fx.top_bits(high, 27);
            let low = fx.top_bits(low, 26);
            let scale = fx.fconst(Ty::F64, HIGH);
            let high = fx.fmul(high, scale);
            let both = fx.fadd(high, low);
            let ulp = fx.fconst(Ty::F64, ULP);
            let number = fx.fmul(both, ulp);
            Ok(vec![fx.convert(ConvertOp::Bitcast, number, Ty::I64)])
        };
        let slow = |fx: &mut Self| {
            let zero = fx.i64(0);
            Ok(vec![fx.slow(draw, &[zero; Draw::MAX_PARAMS])?])
        };
        let drawn = self.if_else(there, &[Ty::I64], fast, slow)?;
        Ok(drawn[0])
    }

    /// The highest bits of a word, as a float.
    fn top_bits(&mut self, word: Value, bits: i64) -> Value {
        let word = self.convert(ConvertOp::ZExt, word, Ty::I64);
        let shift = self.i64(32 - bits);
        let top = self.ibin(BinaryOp::LShr, word, shift);
        self.convert(ConvertOp::SiToFp, top, Ty::F64)
    }

    /// Words until one is an integer of the range.
    fn draw_int(&mut self, draw: Draw, words: &[Value], range: &Range) -> Res<Value> {
        // One number needs no word, and more than 32 bits two.
        let most = self.isub(range.high, range.low);
        let less = self.before(most);
        let narrow = self.icmp_imm(IntCc::Ult, less, i64::from(u32::MAX - 1));
        let ordered = self.icmp(IntCc::Slt, range.low, range.high);
        let fits = self.and(narrow, ordered);
        let fast = |fx: &mut Self| {
            let stream = fx.stream(draw)?;
            let one = fx.i64(1);
            let widest = match range.bits {
                Bits::Low => most,
                Bits::High => fx.iadd(most, one),
            };
            let shift = fx.unary(UnaryOp::Clz, widest);
            let ones = fx.i64(-1);
            let mask = fx.ibin(BinaryOp::LShr, ones, shift);
            let half = fx.i64(32);
            let right = fx.isub(shift, half);
            let (again, found) = (fx.new_block(), fx.new_block());
            fx.jump(again, Vec::new());
            fx.enter(again);
            let word = fx.next_word(stream)?;
            let number = match range.bits {
                Bits::Low => fx.and(word, mask),
                Bits::High => fx.ibin(BinaryOp::LShr, word, right),
            };
            let inside = fx.icmp(IntCc::Ule, number, most);
            fx.brif(inside, (found, Vec::new()), (again, Vec::new()));
            fx.enter(found);
            Ok(vec![fx.iadd(range.low, number)])
        };
        let slow = |fx: &mut Self| Ok(vec![fx.slow(draw, words)?]);
        let drawn = self.if_else(fits, &[Ty::I64], fast, slow)?;
        Ok(drawn[0])
    }

    /// The next word of a stream, as 64 bits.
    fn next_word(&mut self, stream: Value) -> Res<Value> {
        let used = self.load(Ty::I64, stream, RandomWords::USED, words_flags(8));
        let there = self.icmp_imm(IntCc::Ult, used, RandomWords::COUNT);
        let refill = |fx: &mut Self| {
            fx.native_call(NativeId::RandomRefill, vec![stream])?;
            Ok(vec![fx.i64(0)])
        };
        let at = self.if_else(there, &[Ty::I64], |_| Ok(vec![used]), refill)?[0];
        let place = self.word_place(stream, at);
        let word = self.load(Ty::I32, place, RandomWords::WORDS, words_flags(4));
        self.use_words(stream, at, 1);
        Ok(self.convert(ConvertOp::ZExt, word, Ty::I64))
    }

    /// The words of the stream that a draw is from, for this thread.
    fn stream(&mut self, draw: Draw) -> Res<Value> {
        let which = i128::from(matches!(draw, Draw::Numpy(_)));
        let which = self.iconst(Ty::I32, which);
        let stream = self.native_call(NativeId::RandomWords, vec![which])?;
        stream.ok_or_else(|| Fault::bug("`numbra_rt_random_words` gives no result"))
    }

    fn word_place(&mut self, stream: Value, at: Value) -> Value {
        let size = self.i64(4);
        let offset = self.imul(at, size);
        self.ptr_add(stream, offset)
    }

    fn use_words(&mut self, stream: Value, used: Value, count: i64) {
        let count = self.i64(count);
        let used = self.iadd(used, count);
        self.store(stream, RandomWords::USED, used, words_flags(8));
    }
}

fn words_flags(align: u32) -> MemFlags {
    flags(AliasClass::ARGS, align)
}
