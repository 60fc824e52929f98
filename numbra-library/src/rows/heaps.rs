//! Python's `heapq`.

use super::iteration;
use crate::row_macro::prelude_at;
use crate::{Effects, Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Scalar, Signature, Type};

const COPY: Effects = Effects::READ.and(Effects::RAISE).and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);

library! {
    /// Turns a list into a heap.
    fn heapq.heapify(heap) alias [_heapq.heapify] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any], heap, "heap_heapify")],
    }
    /// Adds an item to a heap.
    fn heapq.heappush(heap, item) alias [_heapq.heappush] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any, P::Any], heap_and_item, "heap_push")],
    }
    /// Removes the least item and gives it; IndexError when there is none.
    fn heapq.heappop(heap) alias [_heapq.heappop] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any], heap, "heap_pop")],
    }
    /// Adds an item, then removes the least one and gives it.
    fn heapq.heappushpop(heap, item) alias [_heapq.heappushpop] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any, P::Any], heap_and_item, "heap_pushpop")],
    }
    /// Removes the least item and gives it, then adds an item; IndexError when there is none.
    fn heapq.heapreplace(heap, item) alias [_heapq.heapreplace] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any, P::Any], heap_and_item, "heap_replace")],
    }
    /// The least items of an iterable, sorted.
    fn heapq.nsmallest(n, iterable) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any, P::Any], first_items, "heap_nsmallest")],
    }
    /// The greatest items of an iterable, from the greatest down.
    fn heapq.nlargest(n, iterable) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Any, P::Any], first_items, "heap_nlargest")],
    }
}

/// The heap, and the type of its items.
fn list(cx: &ResultCx<'_>) -> Result<(Type, Type), Mismatch> {
    let heap = cx.plain(0);
    let Some((item, _)) = cx.types.as_list(heap) else {
        return Err(Mismatch::error("heap argument must be a list"));
    };
    if cx.types.as_scalar(item).is_some_and(Scalar::is_complex) {
        return Err(Mismatch::error(
            "'<' not supported between instances of 'complex' and 'complex'",
        ));
    }
    Ok((heap, item))
}

/// A function of a heap.
fn heap(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![list(cx)?.0],
        ret: Type::NONE,
    })
}

/// A function of a heap and of an item, which is of the type of the heap's; a heap of which nothing is known takes any.
fn heap_and_item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (heap, known) = list(cx)?;
    let item = cx.plain(1);
    if known != item && !cx.types.is_imprecise(known) {
        return Err(Mismatch::error("heap type must be the same as item type"));
    }
    Ok(Signature {
        params: vec![heap, item],
        ret: Type::NONE,
    })
}

/// A function of a number of items and of an iterable.
fn first_items(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let is_whole = |s: Scalar| s.is_int() || s == Scalar::Bool;
    if !cx.types.as_scalar(cx.plain(0)).is_some_and(is_whole) {
        return Err(Mismatch::error("First argument 'n' must be an integer"));
    }
    if iteration::iterator(cx, cx.arg(1)).is_err() {
        return Err(Mismatch::error(
            "Second argument 'iterable' must be iterable",
        ));
    }
    Ok(Signature {
        params: vec![Type::INT64, cx.plain(1)],
        ret: Type::NONE,
    })
}
