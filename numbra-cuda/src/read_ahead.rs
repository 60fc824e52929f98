//! Files that the first kernel of a process needs, read while its context is made.
//!
//! The driver translates PTX with a library of its own that it loads for the first module. From a disk that took 100 of
//! the 140 ms of a first kernel on an H100's host, and making the context takes longer than reading.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::Once;
use std::thread;

use crate::driver::ptx_translator;

/// Has the system read the driver's translator of PTX, and the files, into its cache: once in a process, and without
/// waiting. What is not there is left out.
pub fn read_ahead(files: impl IntoIterator<Item = PathBuf>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let files: Vec<PathBuf> = ptx_translator().into_iter().chain(files).collect();
        let thread = thread::Builder::new()
            .name("numbra-read-ahead".to_owned())
            .stack_size(64 << 10);
        // Without a thread the files are read when they are needed.
        let _ = thread.spawn(move || {
            files
                .iter()
                .filter_map(|file| File::open(file).ok())
                .for_each(ask)
        });
    });
}

/// A part at a time: of a whole file systems read no more than a few megabytes.
fn ask(file: File) {
    const PART: u64 = 1 << 20;
    let size = file.metadata().map_or(0, |data| data.len());
    for part in 0..size.div_ceil(PART) {
        let at = (part * PART) as libc::off_t;
        // SAFETY: advice about an open file.
        unsafe {
            libc::posix_fadvise(
                file.as_raw_fd(),
                at,
                PART as libc::off_t,
                libc::POSIX_FADV_WILLNEED,
            )
        };
    }
}
