//! Memory that faer computes in.

use crate::c64;
use faer::dyn_stack::{MemBuffer, StackReq};
use faer::linalg::matmul::matmul;
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par};
use numbra_memory::{filled, refuse, room, try_allocate};
use std::cell::Cell;
use std::sync::OnceLock;

/// Scratch of a factorisation. Every thread that factorises is also ready to multiply: factorisations do.
pub(crate) fn scratch(need: StackReq) -> MemBuffer {
    prepare();
    try_allocate(|| MemBuffer::try_new(need)).unwrap_or_else(|_| refuse())
}

thread_local! {
    static READY: Cell<bool> = const { Cell::new(false) };
}

/// Has faer take the memory into which it packs the factors of products, which each thread keeps. faer would end the process
/// if it were not there.
pub(crate) fn prepare() {
    if READY.get() {
        return;
    }
    drop(room::<u8>(packed_bytes()));
    // More multiplications than are done without packing.
    const N: usize = 32;
    let (a, mut c) = (filled(N * N, 1.0), filled(N * N, 0.0));
    let a = MatRef::from_row_major_slice(&a, N, N);
    product(MatMut::from_row_major_slice_mut(&mut c, N, N), a, a);
    READY.set(true);
}

/// `c = a b`, in this thread.
pub(crate) fn product<T: ComplexField>(c: MatMut<'_, T>, a: MatRef<'_, T>, b: MatRef<'_, T>) {
    matmul(c, Accum::Replace, a, b, T::one_impl(), Par::Seq);
}

/// At least as many bytes as a thread packs factors into: private-gemm-x86 takes as many for each factor as all caches of the
/// third level have.
fn packed_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    *BYTES.get_or_init(|| {
        /// Where the system does not say.
        const USUAL: usize = 64 << 20;
        const MARGIN: usize = 1 << 20;
        2 * third_level().unwrap_or(USUAL) + MARGIN
    })
}

/// Bytes of all caches of the third level, as Linux says.
fn third_level() -> Option<usize> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(format!("/sys/devices/system/cpu/{name}")).ok()?;
        Some(text.trim().to_owned())
    };
    let size = read("cpu0/cache/index3/size")?;
    let kib: usize = size.strip_suffix('K')?.parse().ok()?;
    let sharing = cpus(&read("cpu0/cache/index3/shared_cpu_list")?)?;
    let hyper = cpus(&read("cpu0/cache/index0/shared_cpu_list")?)?;
    let online = cpus(&read("online")?)?;
    // Threads of a core may be counted as cores of their own.
    Some((kib << 10) / sharing * hyper * online)
}

/// How many processors a list such as `0-3,8` names.
fn cpus(list: &str) -> Option<usize> {
    list.split(',').try_fold(0_usize, |sum, item| {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(sum + (last + 1).checked_sub(first)?)
    })
}

/// The zero of a type of numbers that matrices are factorised of.
pub(crate) trait Zero: Copy {
    const ZERO: Self;
}

impl Zero for f64 {
    const ZERO: f64 = 0.0;
}

impl Zero for c64 {
    const ZERO: c64 = c64::new(0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::cpus;

    #[test]
    fn lists_of_processors_are_counted() {
        assert_eq!(cpus("0"), Some(1));
        assert_eq!(cpus("0-3,8,10-11"), Some(7));
        assert_eq!(cpus(""), None);
        assert_eq!(cpus("3-1"), None);
    }
}
