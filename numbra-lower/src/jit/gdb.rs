//! gdb's JIT interface: when `NUMBRA_GDB=1`, each artifact is announced as an ELF image whose symbols name its functions.
//! The interface is that of the gdb manual, "JIT Compilation Interface".

use object::write::{Object, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolScope};
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

/// `struct jit_code_entry`
#[repr(C)]
struct CodeEntry {
    next: *mut CodeEntry,
    prev: *mut CodeEntry,
    image: *const u8,
    image_size: u64,
}

/// `struct jit_descriptor`
#[repr(C)]
pub(super) struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut CodeEntry,
    first: *mut CodeEntry,
}

const NO_ACTION: u32 = 0;
const REGISTER: u32 = 1;
const UNREGISTER: u32 = 2;

/// The list of images; gdb reads it by this name.
#[unsafe(no_mangle)]
#[allow(
    non_upper_case_globals,
    reason = "the debugger looks for exactly this name"
)]
pub(super) static mut __jit_debug_descriptor: Descriptor = Descriptor {
    version: 1,
    action: NO_ACTION,
    relevant: ptr::null_mut(),
    first: ptr::null_mut(),
};

/// gdb sets a breakpoint here.
#[unsafe(no_mangle)]
#[inline(never)]
pub(super) extern "C" fn __jit_debug_register_code() {
    // Something that the optimiser keeps.
    std::hint::black_box(());
}

/// Guards the descriptor.
static LOCK: Mutex<()> = Mutex::new(());

/// Keeps an image announced until it is dropped.
pub(super) struct Registration {
    entry: *mut CodeEntry,
    _image: Vec<u8>,
}

// SAFETY: the entry is only touched under `LOCK`, by whichever thread drops the registration.
unsafe impl Send for Registration {}
// SAFETY: a shared registration gives access to nothing.
unsafe impl Sync for Registration {}

/// Announces `(address, size, name)` of the functions of an artifact, if a debugger was asked for.
pub(super) fn register(functions: &[(usize, u32, &str)]) -> Option<Registration> {
    static WANTED: OnceLock<bool> = OnceLock::new();
    let wanted = *WANTED.get_or_init(|| std::env::var_os("NUMBRA_GDB").is_some_and(|v| v == "1"));
    if !wanted || functions.is_empty() {
        return None;
    }
    let image = elf_image(functions)?;
    let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    let descriptor = &raw mut __jit_debug_descriptor;
    // SAFETY: the descriptor is only written under `LOCK`, which is held.
    let first = unsafe { (*descriptor).first };
    let entry = Box::into_raw(Box::new(CodeEntry {
        next: first,
        prev: ptr::null_mut(),
        image: image.as_ptr(),
        image_size: image.len() as u64,
    }));
    if !first.is_null() {
        // SAFETY: entries in the list are alive until their registration is dropped, under the lock.
        unsafe { (*first).prev = entry };
    }
    // SAFETY: as above, under the lock.
    unsafe { (*descriptor).first = entry };
    announce(entry, REGISTER);
    Some(Registration {
        entry,
        _image: image,
    })
}

/// Tells the debugger. The lock is held.
fn announce(entry: *mut CodeEntry, action: u32) {
    let descriptor = &raw mut __jit_debug_descriptor;
    // SAFETY: the descriptor is only written under `LOCK`, which the caller holds.
    unsafe { (*descriptor).relevant = entry };
    // SAFETY: as above.
    unsafe { (*descriptor).action = action };
    __jit_debug_register_code();
    // SAFETY: as above.
    unsafe { (*descriptor).action = NO_ACTION };
}

impl Drop for Registration {
    fn drop(&mut self) {
        let _guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let descriptor = &raw mut __jit_debug_descriptor;
        // SAFETY: this registration owns the entry, which is still in the list.
        let (next, prev) = unsafe { ((*self.entry).next, (*self.entry).prev) };
        if prev.is_null() {
            // SAFETY: the lock is held.
            unsafe { (*descriptor).first = next };
        } else {
            // SAFETY: neighbours in the list are alive; the lock is held.
            unsafe { (*prev).next = next };
        }
        if !next.is_null() {
            // SAFETY: as above.
            unsafe { (*next).prev = prev };
        }
        announce(self.entry, UNREGISTER);
        // SAFETY: the entry came from a box and is in no list any more.
        drop(unsafe { Box::from_raw(self.entry) });
    }
}

/// An ELF object whose `.text` is said to be at the lowest function, with a symbol for each.
fn elf_image(functions: &[(usize, u32, &str)]) -> Option<Vec<u8>> {
    let base = functions.iter().map(|f| f.0).min()?;
    let end = functions.iter().map(|f| f.0 + f.1 as usize).max()?;
    let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let text = object.add_section(
        Vec::new(),
        b".text".to_vec(),
        SectionKind::UninitializedData,
    );
    object.append_section_bss(text, (end - base) as u64, 16);
    for &(address, size, name) in functions {
        object.add_symbol(Symbol {
            name: name.as_bytes().to_vec(),
            value: (address - base) as u64,
            size: u64::from(size),
            kind: object::SymbolKind::Text,
            scope: SymbolScope::Dynamic,
            weak: false,
            section: SymbolSection::Section(text),
            flags: SymbolFlags::None,
        });
    }
    let mut image = object.write().ok()?;
    set_address(&mut image, base as u64)?;
    Some(image)
}

/// Writes the address of `.text`, section 1, into its header. Relocatable objects have none of their own.
fn set_address(image: &mut [u8], address: u64) -> Option<()> {
    const SECTION_TABLE: usize = 0x28; // e_shoff
    const HEADER_LEN: usize = 64;
    const ADDRESS: usize = 0x10; // sh_addr
    let table = image.get(SECTION_TABLE..SECTION_TABLE + 8)?;
    let table = u64::from_le_bytes(table.try_into().ok()?) as usize;
    let at = table + HEADER_LEN + ADDRESS;
    image
        .get_mut(at..at + 8)?
        .copy_from_slice(&address.to_le_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

    #[test]
    fn images_name_functions() {
        let image = elf_image(&[(0x7000, 32, "f"), (0x7040, 8, "g")]).expect("an image");
        let elf = object::File::parse(&*image).expect("ELF");
        let text = elf.section_by_name(".text").expect("a text section");
        assert_eq!((text.address(), text.size()), (0x7000, 0x48));
        let names: Vec<(String, u64)> = elf
            .symbols()
            .filter(|s| s.size() > 0)
            .map(|s| (s.name().unwrap_or_default().to_owned(), s.size()))
            .collect();
        assert_eq!(names, [("f".to_owned(), 32), ("g".to_owned(), 8)]);
    }
}
