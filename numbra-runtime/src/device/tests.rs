//! Launches of kernels that are written in Rust.

use super::natives::*;
use super::*;
use std::sync::atomic::{AtomicI32, Ordering};

fn kernel(entry: DeviceEntry) -> DeviceKernel {
    DeviceKernel {
        entry,
        shared: 4096,
        waits: true,
        cooperative: false,
        rows: false,
        stack: 0,
        deep: false,
        long: false,
    }
}

fn run(
    kernel: &DeviceKernel,
    grid: [u32; 3],
    block: [u32; 3],
    out: &[AtomicI32],
) -> Result<(), LaunchError> {
    let params = [out.as_ptr() as u64, out.len() as u64];
    let launch = DeviceLaunch {
        grid,
        block,
        dynamic_shared: 0,
        params: &params,
    };
    // SAFETY: the kernels below take an array of numbers.
    unsafe { launch_device(kernel, &launch).map(|_| ()) }
}

fn numbers(count: usize) -> Vec<AtomicI32> {
    (0..count).map(|_| AtomicI32::new(0)).collect()
}

fn values(out: &[AtomicI32]) -> Vec<i32> {
    out.iter().map(|x| x.load(Ordering::Relaxed)).collect()
}

/// The numbers of a launch.
unsafe fn out<'a>(params: *const u64) -> &'a [AtomicI32] {
    // SAFETY: `run` passes these parameters.
    unsafe { std::slice::from_raw_parts(*params as *const AtomicI32, *params.add(1) as usize) }
}

/// A kernel of the body, which is called with the numbers and the thread.
macro_rules! kernels {
    ($($name:ident($out:ident, $thread:ident) $body:block)*) => {$(
        unsafe extern "C" fn $name(params: *const u64, $thread: *mut DeviceThread) {
            // SAFETY: `run` passes the parameters, the launch the thread.
            #[allow(unused_unsafe, reason = "bodies without calls of the runtime")]
            unsafe {
                let $out = out(params);
                $body
            }
        }
    )*};
}

kernels! {
    // Sums the threads' numbers in shared memory.
    reduce(out, thread) {
        let (at, [x, y, _]) = ((*thread).shared.cast::<i32>(), (*thread).thread);
        let [width, height, _] = (*thread).block_dim;
        let (number, count) = (x + y * width, width * height);
        at.add(number as usize).write(number as i32);
        numbra_rt_device_barrier(thread, 0);
        let mut sum = 0;
        for n in 0..count {
            sum += at.add(n as usize).read();
        }
        let outcome = numbra_rt_device_barrier(thread, i32::from(number % 2 == 0));
        assert_eq!(outcome >> 32, i64::from(count));
        assert_eq!(outcome as u32, count.div_ceil(2));
        out[(*thread).block[0] as usize].fetch_add(sum, Ordering::Relaxed);
    }
    // Every other thread ends before the barrier.
    half(out, thread) {
        if (*thread).thread[0].is_multiple_of(2) {
            let outcome = numbra_rt_device_barrier(thread, 1);
            out[0].fetch_add(outcome as i32, Ordering::Relaxed);
        }
    }
    // Half of a warp is at a barrier, the other waits for it.
    apart(_out, thread) {
        if (*thread).thread[0].is_multiple_of(2) {
            numbra_rt_device_barrier(thread, 0);
        } else {
            numbra_rt_device_sync_warp(thread, -1);
        }
    }
    // The first thread waits for what the last one writes.
    spin(out, thread) {
        if (*thread).thread[0] == 0 {
            while out[0].load(Ordering::Relaxed) == 0 {
                numbra_rt_device_spin(thread);
            }
            out[1].store(7, Ordering::Relaxed);
        } else if (*thread).thread[0] + 1 == (*thread).block_dim[0] {
            out[0].store(1, Ordering::Relaxed);
        }
    }
    // What all blocks have written is there after the barrier.
    grid(out, thread) {
        out[0].fetch_add(1, Ordering::Relaxed);
        numbra_rt_device_grid_barrier(thread);
        out[1].fetch_max(out[0].load(Ordering::Relaxed), Ordering::Relaxed);
        out[2].fetch_min(-out[0].load(Ordering::Relaxed), Ordering::Relaxed);
        numbra_rt_device_grid_barrier(thread);
        out[3].fetch_add(out[0].load(Ordering::Relaxed), Ordering::Relaxed);
    }
    raise(out, thread) {
        if (*thread).thread[0] == 5 && (*thread).block[1] == 1 {
            crate::error::raise("builtins.ValueError", "no");
            (*thread).status = 1;
            return;
        }
        numbra_rt_device_barrier(thread, 0);
        out[0].fetch_add(1, Ordering::Relaxed);
    }
    active(out, thread) {
        let x = (*thread).thread[0] as usize;
        let mask = numbra_rt_device_active_mask(thread, i32::from(x.is_multiple_of(2)));
        out[x].store(mask, Ordering::Relaxed);
    }
    deep(out, thread) {
        let wanted = out[1].load(Ordering::Relaxed);
        if (*thread).thread[0] == 1 {
            out[0].store(descend(wanted), Ordering::Relaxed);
        }
    }
    // Blocks take a lock by turns, and each waits for the one before.
    turns(out, thread) {
        let block = (*thread).block[0] as i32;
        while out[0].load(Ordering::Acquire) != block {
            numbra_rt_device_spin(thread);
        }
        out[1].store(out[1].load(Ordering::Relaxed) + block, Ordering::Relaxed);
        out[0].store(block + 1, Ordering::Release);
    }
    busy(out, thread) {
        let start = std::time::Instant::now();
        while start.elapsed() < std::time::Duration::from_millis(1) {
            std::hint::spin_loop();
        }
        let [x, y, _] = (*thread).block;
        out[(x + 10 * y) as usize].fetch_add(1, Ordering::Relaxed);
        if x + y >= 5 {
            crate::error::raise("builtins.ValueError", "no");
            (*thread).status = 1;
        }
    }
    row(out, thread) {
        let first = (*thread).thread;
        for x in first[0]..first[0] + (*thread).row {
            out[(x + 10 * first[1]) as usize].fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[test]
fn blocks_synchronise() {
    for block in [[1, 1, 1], [70, 1, 1], [33, 3, 1], [1024, 1, 1]] {
        let out = numbers(3);
        run(&kernel(reduce), [3, 1, 1], block, &out).expect("it ends");
        let count = (block[0] * block[1]) as i32;
        let sum = count * (count * (count - 1) / 2);
        assert_eq!(values(&out), [sum; 3]);
    }
}

#[test]
fn barriers_do_not_wait_for_threads_that_have_ended() {
    let out = numbers(1);
    run(&kernel(half), [1, 1, 1], [10, 1, 1], &out).expect("it ends");
    assert_eq!(values(&out), [25]);
}

#[test]
fn a_deadlock_is_an_error() {
    let outcome = run(&kernel(apart), [1, 1, 1], [32, 1, 1], &numbers(0));
    let Err(LaunchError::Deadlock(text)) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(
        text.contains("16 at a barrier of the block (the first is thread (0, 0, 0))"),
        "{text}"
    );
    assert!(
        text.contains(
            "16 at syncwarp with mask 0xffffffff in warp 0 (the first is thread (1, 0, 0))"
        ),
        "{text}"
    );
    // The stacks that were given up are as good as new.
    blocks_synchronise();
}

#[test]
fn who_spins_lets_others_run() {
    let out = numbers(2);
    run(&kernel(spin), [1, 1, 1], [64, 1, 1], &out).expect("it ends");
    assert_eq!(values(&out), [1, 7]);
}

#[test]
fn grids_synchronise() {
    let cooperative = DeviceKernel {
        cooperative: true,
        ..kernel(grid)
    };
    let out = numbers(4);
    run(&cooperative, [3, 2, 1], [40, 1, 1], &out).expect("it ends");
    assert_eq!(values(&out), [240, 240, -240, 240 * 240]);
    let outcome = run(&cooperative, [1000, 1, 1], [40, 1, 1], &out);
    assert!(matches!(outcome, Err(LaunchError::TooLarge)));
}

#[test]
fn the_first_exception_is_reported_and_the_others_run_on() {
    let out = numbers(1);
    let outcome = run(&kernel(raise), [1, 3, 1], [8, 1, 1], &out);
    let Err(LaunchError::Raised(raised)) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((raised.thread, raised.block), ([5, 0, 0], [0, 1, 0]));
    assert_eq!(values(&out), [23]);
}

#[test]
fn lanes_at_one_place_are_active() {
    let out = numbers(20);
    run(&kernel(active), [1, 1, 1], [20, 1, 1], &out).expect("it ends");
    assert_eq!(values(&out)[..2], [0x5_5555, 0xa_aaaa]);
}

#[test]
fn kernels_that_do_not_wait_run_rows() {
    let rows = DeviceKernel {
        waits: false,
        rows: true,
        ..kernel(row)
    };
    let out = numbers(30);
    run(&rows, [2, 1, 1], [10, 3, 1], &out).expect("it ends");
    assert_eq!(values(&out), [2; 30]);
}

/// Calls itself so often.
fn descend(depth: i32) -> i32 {
    // SAFETY: a C string.
    unsafe { numbra_rt_device_enter(c"descend".as_ptr()) };
    match std::hint::black_box(depth) {
        0 => 0,
        more => descend(more - 1) + 1,
    }
}

#[test]
fn recursion_without_end_is_an_error() {
    for waits in [false, true] {
        let deep = DeviceKernel {
            waits,
            deep: true,
            ..kernel(deep)
        };
        let out = numbers(2);
        out[1].store(2000, Ordering::Relaxed);
        run(&deep, [2, 1, 1], [4, 1, 1], &out).expect("it ends");
        assert_eq!(values(&out), [2000, 2000]);
        out[1].store(i32::MAX, Ordering::Relaxed);
        let outcome = run(&deep, [1, 2, 1], [4, 1, 1], &out);
        let Err(error @ LaunchError::TooDeep { .. }) = outcome else {
            panic!("{outcome:?}");
        };
        let text = error.to_string();
        assert!(text.starts_with("descend calls itself too often"), "{text}");
        assert!(text.ends_with("tid=[0, 0, 1] ctaid=[0, 0, 0]"), "{text}");
        // Stacks that were given up are as good as new.
        out[1].store(100, Ordering::Relaxed);
        run(&deep, [1, 1, 1], [4, 1, 1], &out).expect("it ends");
        assert_eq!(values(&out)[0], 100);
    }
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    let large = DeviceKernel {
        stack: usize::MAX / 2,
        ..kernel(half)
    };
    for waits in [false, true] {
        let outcome = run(
            &DeviceKernel { waits, ..large },
            [1, 1, 1],
            [1, 1, 1],
            &numbers(1),
        );
        assert!(matches!(outcome, Err(LaunchError::Stack(_))), "{outcome:?}");
    }
}

#[test]
fn blocks_may_wait_for_earlier_ones() {
    let out = numbers(2);
    run(&kernel(turns), [500, 1, 1], [1, 1, 1], &out).expect("it ends");
    assert_eq!(values(&out), [500, 499 * 250]);
}

#[test]
fn each_block_runs_once_and_the_first_exception_is_that_of_the_first_block() {
    for (waits, long) in [(false, false), (false, true), (true, false), (true, true)] {
        let out = numbers(40);
        let busy = DeviceKernel {
            waits,
            long,
            ..kernel(busy)
        };
        let outcome = run(&busy, [10, 4, 1], [2, 1, 1], &out);
        let Err(LaunchError::Raised(raised)) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((raised.thread, raised.block), ([0; 3], [5, 0, 0]));
        assert_eq!(values(&out), [2; 40]);
    }
}

#[test]
fn sizes_are_checked() {
    let out = numbers(1);
    for (grid, block) in [
        ([0, 1, 1], [1, 1, 1]),
        ([1, 1, 1], [1, 0, 1]),
        ([1, 1, 1], [1025, 1, 1]),
    ] {
        assert!(matches!(
            run(&kernel(half), grid, block, &out),
            Err(LaunchError::Shape)
        ));
    }
}
