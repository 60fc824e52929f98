//! Draws that compiled code makes itself: uniform floats, and integers of up to 32 bits. The runtime is called when the words of
//! a stream are used up, and for ranges that are empty or wide.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::Fx;
use crate::lir::{AliasClass, BinaryOp, ConvertOp, IntCc, MemFlags, Ty, UnaryOp, Value};
use numbra_abi::{Draw, NumpyDraw, PythonDraw, RandomWords};

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

/// A range of integers, both ends in it.
struct Range {
    low: Value,
    high: Value,
    bits: Bits,
}

impl Fx<'_, '_> {
    /// The bits of a random number, of parameters that are bits; `slow` draws it with a call. None for draws that code makes no
    /// other way.
    pub(super) fn draw_inline(
        &mut self,
        draw: Draw,
        words: &[Value],
        slow: impl Fn(&mut Self) -> Res<Value>,
    ) -> Option<Res<Value>> {
        let (first, second) = (words[0], words[1]);
        Some(match draw {
            Draw::Numpy(NumpyDraw::Random) | Draw::Python(PythonDraw::Random) => {
                self.draw_float(draw, slow)
            }
            Draw::Numpy(NumpyDraw::Below) => {
                let range = Range {
                    low: self.i64(0),
                    high: self.before(first),
                    bits: Bits::Low,
                };
                self.draw_int(draw, &range, slow)
            }
            Draw::Numpy(NumpyDraw::Range) => {
                let range = Range {
                    low: first,
                    high: self.before(second),
                    bits: Bits::Low,
                };
                self.draw_int(draw, &range, slow)
            }
            Draw::Python(PythonDraw::Among) => {
                let range = Range {
                    low: first,
                    high: second,
                    bits: Bits::High,
                };
                self.draw_int(draw, &range, slow)
            }
            Draw::Python(_) | Draw::Numpy(_) | Draw::Generator(_) => return None,
        })
    }

    /// The integer before the end of a range; wraps around at an end that no range has.
    fn before(&mut self, end: Value) -> Value {
        let one = self.i64(1);
        self.isub(end, one)
    }

    /// Two words, if the stream has them.
    fn draw_float(&mut self, draw: Draw, slow: impl Fn(&mut Self) -> Res<Value>) -> Res<Value> {
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
        let drawn = self.if_else(there, &[Ty::I64], fast, |fx| Ok(vec![slow(fx)?]))?;
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
    fn draw_int(
        &mut self,
        draw: Draw,
        range: &Range,
        slow: impl Fn(&mut Self) -> Res<Value>,
    ) -> Res<Value> {
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
        let drawn = self.if_else(fits, &[Ty::I64], fast, |fx| Ok(vec![slow(fx)?]))?;
        Ok(drawn[0])
    }

    /// The next word of a stream, as 64 bits.
    fn next_word(&mut self, stream: Value) -> Res<Value> {
        let used = self.load(Ty::I64, stream, RandomWords::USED, words_flags(8));
        let there = self.icmp_imm(IntCc::Ult, used, RandomWords::COUNT);
        let refill = |fx: &mut Self| {
            fx.native_call("numbra_rt_random_refill", vec![stream])?;
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
        let stream = self.native_call("numbra_rt_random_words", vec![which])?;
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
