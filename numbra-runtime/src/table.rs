//! The symbol table.

use crate::value::{RawValue, enter};
use crate::{
    chars, complex, concatenate, cumulate, device, dict, error, extremes, half, handled, hash,
    int128, interrupt, kept, lines, list, moments, numpy, object, object_mode, parallel, print,
    random, reduce, round, set, stack,
};
use numbra_abi::{INTERRUPT_WORD, status};

/// Defines natives of the `numbra_library` convention: `symbol = body, number of arguments`, and for some how most calls go.
macro_rules! natives {
    ($($symbol:ident = $body:path, $count:literal $(, $short:path)?;)*) => {
        $(
            /// # Safety
            /// `args` points to the arguments and `ret` to the result, as `numbra_library::native` says.
            unsafe extern "C" fn $symbol(args: *const RawValue, ret: *const RawValue) -> i32 {
                $(
                    // SAFETY: the caller's promise is the same.
                    if unsafe { $short(args, &*ret) } {
                        return status::OK;
                    }
                )?
                // SAFETY: the caller's promise is the same.
                unsafe { enter::<$count>(args, ret, $body) }
            }
        )*
    };
}

natives! {
    numbra_rt_all = reduce::all, 1, lines::all;
    numbra_rt_any = reduce::any, 1, lines::any;
    numbra_rt_argmax = extremes::argmax, 2, lines::argmax;
    numbra_rt_argmin = extremes::argmin, 2, lines::argmin;
    numbra_rt_concatenate = concatenate::concatenate, 2;
    numbra_rt_count_nonzero = reduce::count_nonzero, 2;
    numbra_rt_cumprod = cumulate::cumprod, 1;
    numbra_rt_cumsum = cumulate::cumsum, 3;
    numbra_rt_hash = hash::hash, 1;
    numbra_rt_max = extremes::max, 1, lines::max;
    numbra_rt_mean = moments::mean, 1, lines::mean;
    numbra_rt_min = extremes::min, 1, lines::min;
    numbra_rt_prod = reduce::prod, 1, lines::prod;
    numbra_rt_std = moments::std, 1, lines::std;
    numbra_rt_sum = reduce::sum, 3, lines::sum;
    numbra_rt_var = moments::var, 1, lines::var;
}

/// A symbol and its address.
pub(crate) type Row = (&'static str, *const u8);

/// Everything but the mathematics, sorted by name.
const SYMBOLS: &[Row] = &[
    (
        "numbra_rt_add_context",
        handled::numbra_rt_add_context as *const u8,
    ),
    ("numbra_rt_all", numbra_rt_all as *const u8),
    ("numbra_rt_alloc", object::numbra_rt_alloc as *const u8),
    (
        "numbra_rt_alloc_zeroed",
        object::numbra_rt_alloc_zeroed as *const u8,
    ),
    ("numbra_rt_any", numbra_rt_any as *const u8),
    ("numbra_rt_argmax", numbra_rt_argmax as *const u8),
    ("numbra_rt_argmin", numbra_rt_argmin as *const u8),
    ("numbra_rt_cacos", complex::numbra_rt_cacos as *const u8),
    ("numbra_rt_cacosh", complex::numbra_rt_cacosh as *const u8),
    ("numbra_rt_casin", complex::numbra_rt_casin as *const u8),
    ("numbra_rt_casinh", complex::numbra_rt_casinh as *const u8),
    ("numbra_rt_catan", complex::numbra_rt_catan as *const u8),
    ("numbra_rt_catanh", complex::numbra_rt_catanh as *const u8),
    ("numbra_rt_ccos", complex::numbra_rt_ccos as *const u8),
    ("numbra_rt_ccosh", complex::numbra_rt_ccosh as *const u8),
    ("numbra_rt_cexpm1", complex::numbra_rt_cexpm1 as *const u8),
    (
        "numbra_rt_chars_compare",
        chars::numbra_rt_chars_compare as *const u8,
    ),
    (
        "numbra_rt_chars_fill",
        chars::numbra_rt_chars_fill as *const u8,
    ),
    (
        "numbra_rt_chars_len",
        chars::numbra_rt_chars_len as *const u8,
    ),
    ("numbra_rt_clog", complex::numbra_rt_clog as *const u8),
    ("numbra_rt_clog10", complex::numbra_rt_clog10 as *const u8),
    ("numbra_rt_clog1p", complex::numbra_rt_clog1p as *const u8),
    ("numbra_rt_clog2", complex::numbra_rt_clog2 as *const u8),
    ("numbra_rt_concatenate", numbra_rt_concatenate as *const u8),
    (
        "numbra_rt_count_nonzero",
        numbra_rt_count_nonzero as *const u8,
    ),
    ("numbra_rt_cpow", complex::numbra_rt_cpow as *const u8),
    ("numbra_rt_csin", complex::numbra_rt_csin as *const u8),
    ("numbra_rt_csinh", complex::numbra_rt_csinh as *const u8),
    ("numbra_rt_csqrt", complex::numbra_rt_csqrt as *const u8),
    ("numbra_rt_ctan", complex::numbra_rt_ctan as *const u8),
    ("numbra_rt_ctanh", complex::numbra_rt_ctanh as *const u8),
    ("numbra_rt_cumprod", numbra_rt_cumprod as *const u8),
    ("numbra_rt_cumsum", numbra_rt_cumsum as *const u8),
    (
        "numbra_rt_device_active_mask",
        device::numbra_rt_device_active_mask as *const u8,
    ),
    (
        "numbra_rt_device_barrier",
        device::numbra_rt_device_barrier as *const u8,
    ),
    (
        "numbra_rt_device_clock",
        device::numbra_rt_device_clock as *const u8,
    ),
    (
        "numbra_rt_device_enter",
        device::numbra_rt_device_enter as *const u8,
    ),
    (
        "numbra_rt_device_grid_barrier",
        device::numbra_rt_device_grid_barrier as *const u8,
    ),
    (
        "numbra_rt_device_library",
        device::numbra_rt_device_library as *const u8,
    ),
    (
        "numbra_rt_device_look",
        device::numbra_rt_device_look as *const u8,
    ),
    (
        "numbra_rt_device_match_all",
        device::numbra_rt_device_match_all as *const u8,
    ),
    (
        "numbra_rt_device_match_any",
        device::numbra_rt_device_match_any as *const u8,
    ),
    (
        "numbra_rt_device_print",
        device::numbra_rt_device_print as *const u8,
    ),
    (
        "numbra_rt_device_relax",
        device::numbra_rt_device_relax as *const u8,
    ),
    (
        "numbra_rt_device_shuffle",
        device::numbra_rt_device_shuffle as *const u8,
    ),
    (
        "numbra_rt_device_spin",
        device::numbra_rt_device_spin as *const u8,
    ),
    (
        "numbra_rt_device_sync_warp",
        device::numbra_rt_device_sync_warp as *const u8,
    ),
    (
        "numbra_rt_device_thread",
        device::numbra_rt_device_thread as *const u8,
    ),
    (
        "numbra_rt_device_vote",
        device::numbra_rt_device_vote as *const u8,
    ),
    (
        "numbra_rt_dict_clear",
        dict::numbra_rt_dict_clear as *const u8,
    ),
    (
        "numbra_rt_dict_copy",
        dict::numbra_rt_dict_copy as *const u8,
    ),
    (
        "numbra_rt_dict_insert",
        dict::numbra_rt_dict_insert as *const u8,
    ),
    ("numbra_rt_dict_new", dict::numbra_rt_dict_new as *const u8),
    (
        "numbra_rt_dict_next",
        dict::numbra_rt_dict_next as *const u8,
    ),
    (
        "numbra_rt_dict_replace",
        dict::numbra_rt_dict_replace as *const u8,
    ),
    (
        "numbra_rt_dict_take",
        dict::numbra_rt_dict_take as *const u8,
    ),
    ("numbra_rt_draw", random::numbra_rt_draw as *const u8),
    (
        "numbra_rt_draw_fill",
        random::numbra_rt_draw_fill as *const u8,
    ),
    ("numbra_rt_f16_fma", half::numbra_rt_f16_fma as *const u8),
    (
        "numbra_rt_f16_to_f32",
        half::numbra_rt_f16_to_f32 as *const u8,
    ),
    (
        "numbra_rt_f32_to_f16",
        half::numbra_rt_f32_to_f16 as *const u8,
    ),
    (
        "numbra_rt_f64_to_f16",
        half::numbra_rt_f64_to_f16 as *const u8,
    ),
    (
        "numbra_rt_f64_to_i128",
        int128::numbra_rt_f64_to_i128 as *const u8,
    ),
    (
        "numbra_rt_f64_to_u128",
        int128::numbra_rt_f64_to_u128 as *const u8,
    ),
    (
        "numbra_rt_frame_clear",
        object::numbra_rt_frame_clear as *const u8,
    ),
    (
        "numbra_rt_frame_new",
        object::numbra_rt_frame_new as *const u8,
    ),
    ("numbra_rt_free", object::numbra_rt_free as *const u8),
    (
        "numbra_rt_get_num_threads",
        parallel::numbra_rt_get_num_threads as *const u8,
    ),
    (
        "numbra_rt_get_parallel_chunksize",
        parallel::numbra_rt_get_parallel_chunksize as *const u8,
    ),
    (
        "numbra_rt_get_thread_id",
        parallel::numbra_rt_get_thread_id as *const u8,
    ),
    ("numbra_rt_hash", numbra_rt_hash as *const u8),
    (
        "numbra_rt_i128_sdiv",
        int128::numbra_rt_i128_sdiv as *const u8,
    ),
    (
        "numbra_rt_i128_smul_overflow",
        int128::numbra_rt_i128_smul_overflow as *const u8,
    ),
    (
        "numbra_rt_i128_smulhi",
        int128::numbra_rt_i128_smulhi as *const u8,
    ),
    (
        "numbra_rt_i128_srem",
        int128::numbra_rt_i128_srem as *const u8,
    ),
    (
        "numbra_rt_i128_to_f32",
        int128::numbra_rt_i128_to_f32 as *const u8,
    ),
    (
        "numbra_rt_i128_to_f64",
        int128::numbra_rt_i128_to_f64 as *const u8,
    ),
    (
        "numbra_rt_i128_udiv",
        int128::numbra_rt_i128_udiv as *const u8,
    ),
    (
        "numbra_rt_i128_umul_overflow",
        int128::numbra_rt_i128_umul_overflow as *const u8,
    ),
    (
        "numbra_rt_i128_umulhi",
        int128::numbra_rt_i128_umulhi as *const u8,
    ),
    (
        "numbra_rt_i128_urem",
        int128::numbra_rt_i128_urem as *const u8,
    ),
    (
        "numbra_rt_interrupt",
        interrupt::numbra_rt_interrupt as *const u8,
    ),
    (
        "numbra_rt_is_interrupt",
        interrupt::numbra_rt_is_interrupt as *const u8,
    ),
    (
        "numbra_rt_keep_error",
        handled::numbra_rt_keep_error as *const u8,
    ),
    (
        "numbra_rt_keep_value",
        kept::numbra_rt_keep_value as *const u8,
    ),
    ("numbra_rt_leave", interrupt::numbra_rt_leave as *const u8),
    (
        "numbra_rt_line_sum_f32",
        lines::numbra_rt_line_sum_f32 as *const u8,
    ),
    (
        "numbra_rt_line_sum_f64",
        lines::numbra_rt_line_sum_f64 as *const u8,
    ),
    (
        "numbra_rt_list_assign",
        list::numbra_rt_list_assign as *const u8,
    ),
    (
        "numbra_rt_list_clear",
        list::numbra_rt_list_clear as *const u8,
    ),
    (
        "numbra_rt_list_concat",
        list::numbra_rt_list_concat as *const u8,
    ),
    (
        "numbra_rt_list_extend",
        list::numbra_rt_list_extend as *const u8,
    ),
    ("numbra_rt_list_new", list::numbra_rt_list_new as *const u8),
    (
        "numbra_rt_list_open",
        list::numbra_rt_list_open as *const u8,
    ),
    (
        "numbra_rt_list_remove",
        list::numbra_rt_list_remove as *const u8,
    ),
    (
        "numbra_rt_list_repeat",
        list::numbra_rt_list_repeat as *const u8,
    ),
    (
        "numbra_rt_list_reserve",
        list::numbra_rt_list_reserve as *const u8,
    ),
    (
        "numbra_rt_list_reverse",
        list::numbra_rt_list_reverse as *const u8,
    ),
    (
        "numbra_rt_list_slice",
        list::numbra_rt_list_slice as *const u8,
    ),
    (
        "numbra_rt_list_sort",
        list::numbra_rt_list_sort as *const u8,
    ),
    (
        "numbra_rt_live_objects",
        object::numbra_rt_live_objects as *const u8,
    ),
    ("numbra_rt_max", numbra_rt_max as *const u8),
    ("numbra_rt_mean", numbra_rt_mean as *const u8),
    ("numbra_rt_min", numbra_rt_min as *const u8),
    (
        "numbra_rt_object_block",
        object_mode::numbra_rt_object_block as *const u8,
    ),
    (
        "numbra_rt_parallel_chunks",
        parallel::numbra_rt_parallel_chunks as *const u8,
    ),
    (
        "numbra_rt_parallel_for",
        parallel::numbra_rt_parallel_for as *const u8,
    ),
    (
        "numbra_rt_print_bool",
        print::numbra_rt_print_bool as *const u8,
    ),
    (
        "numbra_rt_print_complex",
        print::numbra_rt_print_complex as *const u8,
    ),
    (
        "numbra_rt_print_f64",
        print::numbra_rt_print_f64 as *const u8,
    ),
    (
        "numbra_rt_print_i64",
        print::numbra_rt_print_i64 as *const u8,
    ),
    (
        "numbra_rt_print_line",
        print::numbra_rt_print_line as *const u8,
    ),
    (
        "numbra_rt_print_str",
        print::numbra_rt_print_str as *const u8,
    ),
    (
        "numbra_rt_print_u64",
        print::numbra_rt_print_u64 as *const u8,
    ),
    (
        "numbra_rt_print_value",
        print::numbra_rt_print_value as *const u8,
    ),
    ("numbra_rt_prod", numbra_rt_prod as *const u8),
    ("numbra_rt_promote", object::numbra_rt_promote as *const u8),
    ("numbra_rt_raise", error::numbra_rt_raise as *const u8),
    (
        "numbra_rt_raise_args",
        error::numbra_rt_raise_args as *const u8,
    ),
    (
        "numbra_rt_raise_kept",
        handled::numbra_rt_raise_kept as *const u8,
    ),
    (
        "numbra_rt_random_refill",
        random::numbra_rt_random_refill as *const u8,
    ),
    (
        "numbra_rt_random_words",
        random::numbra_rt_random_words as *const u8,
    ),
    ("numbra_rt_ref_set", object::numbra_rt_ref_set as *const u8),
    ("numbra_rt_release", object::numbra_rt_release as *const u8),
    ("numbra_rt_retain", object::numbra_rt_retain as *const u8),
    (
        "numbra_rt_round_digits",
        round::numbra_rt_round_digits as *const u8,
    ),
    ("numbra_rt_set_add", set::numbra_rt_set_add as *const u8),
    (
        "numbra_rt_set_add_all",
        set::numbra_rt_set_add_all as *const u8,
    ),
    (
        "numbra_rt_set_cause",
        handled::numbra_rt_set_cause as *const u8,
    ),
    ("numbra_rt_set_clear", set::numbra_rt_set_clear as *const u8),
    ("numbra_rt_set_copy", set::numbra_rt_set_copy as *const u8),
    ("numbra_rt_set_find", set::numbra_rt_set_find as *const u8),
    ("numbra_rt_set_kept", set::numbra_rt_set_kept as *const u8),
    ("numbra_rt_set_new", set::numbra_rt_set_new as *const u8),
    (
        "numbra_rt_set_num_threads",
        parallel::numbra_rt_set_num_threads as *const u8,
    ),
    (
        "numbra_rt_set_parallel_chunksize",
        parallel::numbra_rt_set_parallel_chunksize as *const u8,
    ),
    ("numbra_rt_set_take", set::numbra_rt_set_take as *const u8),
    (
        "numbra_rt_stack_full",
        stack::numbra_rt_stack_full as *const u8,
    ),
    (
        "numbra_rt_stack_limit",
        stack::numbra_rt_stack_limit as *const u8,
    ),
    (
        "numbra_rt_stack_short",
        stack::numbra_rt_stack_short as *const u8,
    ),
    ("numbra_rt_std", numbra_rt_std as *const u8),
    ("numbra_rt_sum", numbra_rt_sum as *const u8),
    (
        "numbra_rt_u128_to_f32",
        int128::numbra_rt_u128_to_f32 as *const u8,
    ),
    (
        "numbra_rt_u128_to_f64",
        int128::numbra_rt_u128_to_f64 as *const u8,
    ),
    ("numbra_rt_var", numbra_rt_var as *const u8),
];

/// The address of a symbol of `numbra_abi::NATIVES`, of numbra-math, or of the interrupt word.
pub fn symbol(name: &str) -> Option<*const u8> {
    let find = |table: &[Row]| {
        let at = table.binary_search_by(|row| row.0.cmp(name)).ok()?;
        Some(table[at].1)
    };
    find(SYMBOLS)
        .or_else(|| find(numpy::BODIES))
        .or_else(|| numbra_math::symbol(name))
        .or_else(|| (name == INTERRUPT_WORD).then(|| interrupt::WORD.as_ptr().cast_const().cast()))
}

/// All symbols but those of numbra-math.
pub fn symbol_names() -> impl Iterator<Item = &'static str> {
    let tables = [numpy::BODIES, SYMBOLS];
    tables.into_iter().flatten().map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_abi::NATIVES;

    #[test]
    fn the_table_is_what_abi_declares() {
        let declared: Vec<&str> = NATIVES.iter().map(|n| n.name).collect();
        assert!(declared.is_sorted(), "NATIVES is sorted");
        let here: Vec<&str> = SYMBOLS.iter().map(|row| row.0).collect();
        assert_eq!(here, declared);
        assert!(
            numpy::BODIES.is_sorted_by_key(|row| row.0),
            "sorted by name"
        );
    }

    #[test]
    fn symbols_are_found_by_name() {
        assert!(symbol_names().all(|name| symbol(name).is_some()));
        assert_eq!(symbol("numbra_rt_nothing"), None);
    }
}
