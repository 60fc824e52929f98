//! Python's `heapq`.

use crate::row_macro::prelude;
use crate::{Effects, Targets, TypePattern as P};

const COPY: Effects = Effects::READ.and(Effects::RAISE).and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);

library! {
    /// Turns a list into a heap.
    fn heapq.heapify(heap) alias [_heapq.heapify] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List], "heap_heapify")],
    }
    /// Adds an item to a heap.
    fn heapq.heappush(heap, item) alias [_heapq.heappush] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "heap_push")],
    }
    /// Removes the least item and gives it; IndexError when there is none.
    fn heapq.heappop(heap) alias [_heapq.heappop] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List], "heap_pop")],
    }
    /// Adds an item, then removes the least one and gives it.
    fn heapq.heappushpop(heap, item) alias [_heapq.heappushpop] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "heap_pushpop")],
    }
    /// Removes the least item and gives it, then adds an item; IndexError when there is none.
    fn heapq.heapreplace(heap, item) alias [_heapq.heapreplace] {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "heap_replace")],
    }
    /// The least items of an iterable, sorted.
    fn heapq.nsmallest(n, iterable) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Int, P::Iterable], "heap_nsmallest")],
    }
    /// The greatest items of an iterable, from the greatest down.
    fn heapq.nlargest(n, iterable) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Int, P::Iterable], "heap_nlargest")],
    }
}
