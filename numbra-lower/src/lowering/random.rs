//! Random numbers: a call of the runtime draws one, or fills a new array.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::GENERATOR_BITS;
use super::number::Num;
use numbra_abi::{Draw, Kind, NativeId, Number, NumpyDraw};
use numbra_ir::{Scalar, Type};
use numbra_library::native;
use numbra_lir::{AliasClass, ConvertOp, Ty, Value};

impl Fx<'_, '_> {
    /// See `Op::Draw`.
    pub(super) fn draw(&mut self, draw: Draw, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let (bits, args) = match (draw, args) {
            (Draw::Generator(_), [generator, rest @ ..]) => {
                (generator.leaves[GENERATOR_BITS], rest)
            }
            (Draw::Generator(_), []) => {
                return Err(Fault::bug("a draw from a generator without one"));
            }
            (Draw::Python(_) | Draw::Numpy(_), args) => (self.zero(Ty::PTR), args),
        };
        let Some((params, rest)) = args.split_at_checked(draw.params().len()) else {
            return Err(Fault::bug("a draw with too few parameters"));
        };
        let mut words = Vec::with_capacity(Draw::MAX_PARAMS);
        for (number, param) in draw.params().iter().zip(params) {
            words.push(self.word_of(*number, param)?);
        }
        let zero = self.i64(0);
        words.resize(Draw::MAX_PARAMS, zero);
        if self.types.as_array(ret).is_some() {
            return self.draw_array(draw, bits, &words, rest, ret);
        }
        let drawn = self.draw_word(draw, bits, &words)?;
        let number = match draw.number() {
            Number::Float => {
                let value = self.convert(ConvertOp::Bitcast, drawn, Ty::F64);
                Num::real(Scalar::Float64, value)
            }
            Number::Int => Num::real(Scalar::Int64, drawn),
        };
        let kind = self.kind_of(ret)?;
        Ok(self.as_kind(number, kind).leaves())
    }

    /// See `Op::DrawItem`.
    pub(super) fn draw_item(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let [population, ..] = args else {
            return Err(Fault::bug("a draw of an item without a population"));
        };
        let array = match self.types.as_array(population.ty) {
            Some(_) => Some(self.array(population)?),
            None => None,
        };
        let count = match &array {
            Some(array) => array.shape[0],
            None => self.word_of(Number::Int, population)?,
        };
        let (none, zero) = (self.zero(Ty::PTR), self.i64(0));
        let mut words = vec![count];
        words.resize(Draw::MAX_PARAMS, zero);
        let at = self.draw_word(Draw::Numpy(NumpyDraw::Below), none, &words)?;
        if let Some(array) = array {
            let place = self.item_place(&array, at);
            return Ok(self.load_element(&array, place)?.leaves);
        }
        let kind = self.kind_of(ret)?;
        Ok(self.as_kind(Num::real(Scalar::Int64, at), kind).leaves())
    }

    fn draw_code(&mut self, draw: Draw) -> Value {
        self.iconst(Ty::I32, i128::from(draw.code()))
    }

    /// The bits of one random number.
    fn draw_word(&mut self, draw: Draw, bits: Value, words: &[Value]) -> Res<Value> {
        match self.draw_inline(draw, words) {
            Some(drawn) => drawn,
            None => self.draw_by_call(draw, bits, words),
        }
    }

    /// As [`Fx::draw_word`], drawn by the runtime.
    pub(super) fn draw_by_call(&mut self, draw: Draw, bits: Value, words: &[Value]) -> Res<Value> {
        let mut call = vec![self.draw_code(draw), bits];
        call.extend(words);
        let drawn = self.native_call(NativeId::Draw, call)?;
        drawn.ok_or_else(|| Fault::bug("`numbra_rt_draw` gives no result"))
    }

    /// The bits of a parameter.
    fn word_of(&mut self, number: Number, param: &Val) -> Res<Value> {
        let num = self.num(param)?;
        Ok(match number {
            Number::Float => {
                let value = self.as_kind(num, Scalar::Float64).re;
                self.convert(ConvertOp::Bitcast, value, Ty::I64)
            }
            Number::Int => self.as_kind(num, Scalar::Int64).re,
        })
    }

    fn draw_array(
        &mut self,
        draw: Draw,
        bits: Value,
        words: &[Value],
        rest: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let ty = self.result_array(ret)?;
        let item = self.mx.scalar(ty.dtype);
        let element = item.and_then(native::element).map(Kind::position);
        let element = element.ok_or_else(|| Fault::bug("random numbers of no number's type"))?;
        let mut shape = Vec::new();
        for size in rest {
            let is_int = self.mx.scalar(size.ty).is_some_and(Scalar::is_int);
            if is_int || self.types.tuple_items(size.ty).is_some() {
                shape.extend(self.shape_of(size)?);
            }
        }
        let array = self.new_array(ty, shape, false)?;
        let slot = self.slot(8 * words.len() as u32, 8, Vec::new());
        let params = self.slot_addr(slot);
        for (i, &word) in words.iter().enumerate() {
            self.store(params, 8 * i as i32, word, flags(AliasClass::ARGS, 8));
        }
        let count = self.array_size(&array);
        let element = self.iconst(Ty::I32, element as i128);
        let code = self.draw_code(draw);
        let call = vec![code, bits, params, array.data, count, element];
        self.native_call(NativeId::DrawFill, call)?;
        Ok(array.leaves())
    }
}
