//! The map that `perf` reads to name machine code: `/tmp/perf-PID.map`, written when `NUMBRA_PERF_MAP=1`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Appends `(address, size, name)` of loaded functions. Profiling is an aid: a file that cannot be written is ignored.
pub(super) fn record(functions: &[(usize, u32, &str)]) {
    static MAP: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    let Some(map) = MAP.get_or_init(|| is_wanted().then(open).flatten()) else {
        return;
    };
    let mut text = String::new();
    for (address, size, name) in functions {
        text.push_str(&format!("{address:x} {size:x} {name}\n"));
    }
    let mut file = map.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = file.write_all(text.as_bytes());
}

fn is_wanted() -> bool {
    std::env::var_os("NUMBRA_PERF_MAP").is_some_and(|v| v == "1")
}

fn open() -> Option<Mutex<File>> {
    let path = format!("/tmp/perf-{}.map", std::process::id());
    // No link of somebody else's is followed.
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    options.custom_flags(libc::O_NOFOLLOW);
    options.open(path).ok().map(Mutex::new)
}
