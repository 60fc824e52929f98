"""`numbra.cuda.libdevice` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def abs(x: Any) -> Any:
    r"""`I32 __nv_abs(I32)` of NVIDIA's libdevice."""

def acos(x: Any) -> Any:
    r"""`F64 __nv_acos(F64)` of NVIDIA's libdevice."""

def acosf(x: Any) -> Any:
    r"""`F32 __nv_acosf(F32)` of NVIDIA's libdevice."""

def acosh(x: Any) -> Any:
    r"""`F64 __nv_acosh(F64)` of NVIDIA's libdevice."""

def acoshf(x: Any) -> Any:
    r"""`F32 __nv_acoshf(F32)` of NVIDIA's libdevice."""

def asin(x: Any) -> Any:
    r"""`F64 __nv_asin(F64)` of NVIDIA's libdevice."""

def asinf(x: Any) -> Any:
    r"""`F32 __nv_asinf(F32)` of NVIDIA's libdevice."""

def asinh(x: Any) -> Any:
    r"""`F64 __nv_asinh(F64)` of NVIDIA's libdevice."""

def asinhf(x: Any) -> Any:
    r"""`F32 __nv_asinhf(F32)` of NVIDIA's libdevice."""

def atan(x: Any) -> Any:
    r"""`F64 __nv_atan(F64)` of NVIDIA's libdevice."""

def atan2(x: Any, y: Any) -> Any:
    r"""`F64 __nv_atan2(F64, F64)` of NVIDIA's libdevice."""

def atan2f(x: Any, y: Any) -> Any:
    r"""`F32 __nv_atan2f(F32, F32)` of NVIDIA's libdevice."""

def atanf(x: Any) -> Any:
    r"""`F32 __nv_atanf(F32)` of NVIDIA's libdevice."""

def atanh(x: Any) -> Any:
    r"""`F64 __nv_atanh(F64)` of NVIDIA's libdevice."""

def atanhf(x: Any) -> Any:
    r"""`F32 __nv_atanhf(F32)` of NVIDIA's libdevice."""

def brev(x: Any) -> Any:
    r"""`I32 __nv_brev(I32)` of NVIDIA's libdevice."""

def brevll(x: Any) -> Any:
    r"""`I64 __nv_brevll(I64)` of NVIDIA's libdevice."""

def byte_perm(x: Any, y: Any, z: Any) -> Any:
    r"""`I32 __nv_byte_perm(I32, I32, I32)` of NVIDIA's libdevice."""

def cbrt(x: Any) -> Any:
    r"""`F64 __nv_cbrt(F64)` of NVIDIA's libdevice."""

def cbrtf(x: Any) -> Any:
    r"""`F32 __nv_cbrtf(F32)` of NVIDIA's libdevice."""

def ceil(x: Any) -> Any:
    r"""`F64 __nv_ceil(F64)` of NVIDIA's libdevice."""

def ceilf(x: Any) -> Any:
    r"""`F32 __nv_ceilf(F32)` of NVIDIA's libdevice."""

def clz(x: Any) -> Any:
    r"""`I32 __nv_clz(I32)` of NVIDIA's libdevice."""

def clzll(x: Any) -> Any:
    r"""`I32 __nv_clzll(I64)` of NVIDIA's libdevice."""

def copysign(x: Any, y: Any) -> Any:
    r"""`F64 __nv_copysign(F64, F64)` of NVIDIA's libdevice."""

def copysignf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_copysignf(F32, F32)` of NVIDIA's libdevice."""

def cos(x: Any) -> Any:
    r"""`F64 __nv_cos(F64)` of NVIDIA's libdevice."""

def cosf(x: Any) -> Any:
    r"""`F32 __nv_cosf(F32)` of NVIDIA's libdevice."""

def cosh(x: Any) -> Any:
    r"""`F64 __nv_cosh(F64)` of NVIDIA's libdevice."""

def coshf(x: Any) -> Any:
    r"""`F32 __nv_coshf(F32)` of NVIDIA's libdevice."""

def cospi(x: Any) -> Any:
    r"""`F64 __nv_cospi(F64)` of NVIDIA's libdevice."""

def cospif(x: Any) -> Any:
    r"""`F32 __nv_cospif(F32)` of NVIDIA's libdevice."""

def cyl_bessel_i0(x: Any) -> Any:
    r"""`F64 __nv_cyl_bessel_i0(F64)` of NVIDIA's libdevice."""

def cyl_bessel_i0f(x: Any) -> Any:
    r"""`F32 __nv_cyl_bessel_i0f(F32)` of NVIDIA's libdevice."""

def cyl_bessel_i1(x: Any) -> Any:
    r"""`F64 __nv_cyl_bessel_i1(F64)` of NVIDIA's libdevice."""

def cyl_bessel_i1f(x: Any) -> Any:
    r"""`F32 __nv_cyl_bessel_i1f(F32)` of NVIDIA's libdevice."""

def dadd_rd(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dadd_rd(F64, F64)` of NVIDIA's libdevice."""

def dadd_rn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dadd_rn(F64, F64)` of NVIDIA's libdevice."""

def dadd_ru(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dadd_ru(F64, F64)` of NVIDIA's libdevice."""

def dadd_rz(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dadd_rz(F64, F64)` of NVIDIA's libdevice."""

def ddiv_rd(x: Any, y: Any) -> Any:
    r"""`F64 __nv_ddiv_rd(F64, F64)` of NVIDIA's libdevice."""

def ddiv_rn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_ddiv_rn(F64, F64)` of NVIDIA's libdevice."""

def ddiv_ru(x: Any, y: Any) -> Any:
    r"""`F64 __nv_ddiv_ru(F64, F64)` of NVIDIA's libdevice."""

def ddiv_rz(x: Any, y: Any) -> Any:
    r"""`F64 __nv_ddiv_rz(F64, F64)` of NVIDIA's libdevice."""

def dmul_rd(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dmul_rd(F64, F64)` of NVIDIA's libdevice."""

def dmul_rn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dmul_rn(F64, F64)` of NVIDIA's libdevice."""

def dmul_ru(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dmul_ru(F64, F64)` of NVIDIA's libdevice."""

def dmul_rz(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dmul_rz(F64, F64)` of NVIDIA's libdevice."""

def double2float_rd(x: Any) -> Any:
    r"""`F32 __nv_double2float_rd(F64)` of NVIDIA's libdevice."""

def double2float_rn(x: Any) -> Any:
    r"""`F32 __nv_double2float_rn(F64)` of NVIDIA's libdevice."""

def double2float_ru(x: Any) -> Any:
    r"""`F32 __nv_double2float_ru(F64)` of NVIDIA's libdevice."""

def double2float_rz(x: Any) -> Any:
    r"""`F32 __nv_double2float_rz(F64)` of NVIDIA's libdevice."""

def double2hiint(x: Any) -> Any:
    r"""`I32 __nv_double2hiint(F64)` of NVIDIA's libdevice."""

def double2int_rd(x: Any) -> Any:
    r"""`I32 __nv_double2int_rd(F64)` of NVIDIA's libdevice."""

def double2int_rn(x: Any) -> Any:
    r"""`I32 __nv_double2int_rn(F64)` of NVIDIA's libdevice."""

def double2int_ru(x: Any) -> Any:
    r"""`I32 __nv_double2int_ru(F64)` of NVIDIA's libdevice."""

def double2int_rz(x: Any) -> Any:
    r"""`I32 __nv_double2int_rz(F64)` of NVIDIA's libdevice."""

def double2ll_rd(x: Any) -> Any:
    r"""`I64 __nv_double2ll_rd(F64)` of NVIDIA's libdevice."""

def double2ll_rn(x: Any) -> Any:
    r"""`I64 __nv_double2ll_rn(F64)` of NVIDIA's libdevice."""

def double2ll_ru(x: Any) -> Any:
    r"""`I64 __nv_double2ll_ru(F64)` of NVIDIA's libdevice."""

def double2ll_rz(x: Any) -> Any:
    r"""`I64 __nv_double2ll_rz(F64)` of NVIDIA's libdevice."""

def double2loint(x: Any) -> Any:
    r"""`I32 __nv_double2loint(F64)` of NVIDIA's libdevice."""

def double2uint_rd(x: Any) -> Any:
    r"""`I32 __nv_double2uint_rd(F64)` of NVIDIA's libdevice."""

def double2uint_rn(x: Any) -> Any:
    r"""`I32 __nv_double2uint_rn(F64)` of NVIDIA's libdevice."""

def double2uint_ru(x: Any) -> Any:
    r"""`I32 __nv_double2uint_ru(F64)` of NVIDIA's libdevice."""

def double2uint_rz(x: Any) -> Any:
    r"""`I32 __nv_double2uint_rz(F64)` of NVIDIA's libdevice."""

def double2ull_rd(x: Any) -> Any:
    r"""`I64 __nv_double2ull_rd(F64)` of NVIDIA's libdevice."""

def double2ull_rn(x: Any) -> Any:
    r"""`I64 __nv_double2ull_rn(F64)` of NVIDIA's libdevice."""

def double2ull_ru(x: Any) -> Any:
    r"""`I64 __nv_double2ull_ru(F64)` of NVIDIA's libdevice."""

def double2ull_rz(x: Any) -> Any:
    r"""`I64 __nv_double2ull_rz(F64)` of NVIDIA's libdevice."""

def double_as_longlong(x: Any) -> Any:
    r"""`I64 __nv_double_as_longlong(F64)` of NVIDIA's libdevice."""

def drcp_rd(x: Any) -> Any:
    r"""`F64 __nv_drcp_rd(F64)` of NVIDIA's libdevice."""

def drcp_rn(x: Any) -> Any:
    r"""`F64 __nv_drcp_rn(F64)` of NVIDIA's libdevice."""

def drcp_ru(x: Any) -> Any:
    r"""`F64 __nv_drcp_ru(F64)` of NVIDIA's libdevice."""

def drcp_rz(x: Any) -> Any:
    r"""`F64 __nv_drcp_rz(F64)` of NVIDIA's libdevice."""

def dsqrt_rd(x: Any) -> Any:
    r"""`F64 __nv_dsqrt_rd(F64)` of NVIDIA's libdevice."""

def dsqrt_rn(x: Any) -> Any:
    r"""`F64 __nv_dsqrt_rn(F64)` of NVIDIA's libdevice."""

def dsqrt_ru(x: Any) -> Any:
    r"""`F64 __nv_dsqrt_ru(F64)` of NVIDIA's libdevice."""

def dsqrt_rz(x: Any) -> Any:
    r"""`F64 __nv_dsqrt_rz(F64)` of NVIDIA's libdevice."""

def dsub_rd(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dsub_rd(F64, F64)` of NVIDIA's libdevice."""

def dsub_rn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dsub_rn(F64, F64)` of NVIDIA's libdevice."""

def dsub_ru(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dsub_ru(F64, F64)` of NVIDIA's libdevice."""

def dsub_rz(x: Any, y: Any) -> Any:
    r"""`F64 __nv_dsub_rz(F64, F64)` of NVIDIA's libdevice."""

def erf(x: Any) -> Any:
    r"""`F64 __nv_erf(F64)` of NVIDIA's libdevice."""

def erfc(x: Any) -> Any:
    r"""`F64 __nv_erfc(F64)` of NVIDIA's libdevice."""

def erfcf(x: Any) -> Any:
    r"""`F32 __nv_erfcf(F32)` of NVIDIA's libdevice."""

def erfcinv(x: Any) -> Any:
    r"""`F64 __nv_erfcinv(F64)` of NVIDIA's libdevice."""

def erfcinvf(x: Any) -> Any:
    r"""`F32 __nv_erfcinvf(F32)` of NVIDIA's libdevice."""

def erfcx(x: Any) -> Any:
    r"""`F64 __nv_erfcx(F64)` of NVIDIA's libdevice."""

def erfcxf(x: Any) -> Any:
    r"""`F32 __nv_erfcxf(F32)` of NVIDIA's libdevice."""

def erff(x: Any) -> Any:
    r"""`F32 __nv_erff(F32)` of NVIDIA's libdevice."""

def erfinv(x: Any) -> Any:
    r"""`F64 __nv_erfinv(F64)` of NVIDIA's libdevice."""

def erfinvf(x: Any) -> Any:
    r"""`F32 __nv_erfinvf(F32)` of NVIDIA's libdevice."""

def exp(x: Any) -> Any:
    r"""`F64 __nv_exp(F64)` of NVIDIA's libdevice."""

def exp10(x: Any) -> Any:
    r"""`F64 __nv_exp10(F64)` of NVIDIA's libdevice."""

def exp10f(x: Any) -> Any:
    r"""`F32 __nv_exp10f(F32)` of NVIDIA's libdevice."""

def exp2(x: Any) -> Any:
    r"""`F64 __nv_exp2(F64)` of NVIDIA's libdevice."""

def exp2f(x: Any) -> Any:
    r"""`F32 __nv_exp2f(F32)` of NVIDIA's libdevice."""

def expf(x: Any) -> Any:
    r"""`F32 __nv_expf(F32)` of NVIDIA's libdevice."""

def expm1(x: Any) -> Any:
    r"""`F64 __nv_expm1(F64)` of NVIDIA's libdevice."""

def expm1f(x: Any) -> Any:
    r"""`F32 __nv_expm1f(F32)` of NVIDIA's libdevice."""

def fabs(x: Any) -> Any:
    r"""`F64 __nv_fabs(F64)` of NVIDIA's libdevice."""

def fabsf(x: Any) -> Any:
    r"""`F32 __nv_fabsf(F32)` of NVIDIA's libdevice."""

def fadd_rd(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fadd_rd(F32, F32)` of NVIDIA's libdevice."""

def fadd_rn(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fadd_rn(F32, F32)` of NVIDIA's libdevice."""

def fadd_ru(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fadd_ru(F32, F32)` of NVIDIA's libdevice."""

def fadd_rz(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fadd_rz(F32, F32)` of NVIDIA's libdevice."""

def fast_cosf(x: Any) -> Any:
    r"""`F32 __nv_fast_cosf(F32)` of NVIDIA's libdevice."""

def fast_exp10f(x: Any) -> Any:
    r"""`F32 __nv_fast_exp10f(F32)` of NVIDIA's libdevice."""

def fast_expf(x: Any) -> Any:
    r"""`F32 __nv_fast_expf(F32)` of NVIDIA's libdevice."""

def fast_fdividef(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fast_fdividef(F32, F32)` of NVIDIA's libdevice."""

def fast_log10f(x: Any) -> Any:
    r"""`F32 __nv_fast_log10f(F32)` of NVIDIA's libdevice."""

def fast_log2f(x: Any) -> Any:
    r"""`F32 __nv_fast_log2f(F32)` of NVIDIA's libdevice."""

def fast_logf(x: Any) -> Any:
    r"""`F32 __nv_fast_logf(F32)` of NVIDIA's libdevice."""

def fast_powf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fast_powf(F32, F32)` of NVIDIA's libdevice."""

def fast_sincosf(x: Any) -> Any:
    r"""`Void __nv_fast_sincosf(F32)` and F32 and F32 of NVIDIA's libdevice."""

def fast_sinf(x: Any) -> Any:
    r"""`F32 __nv_fast_sinf(F32)` of NVIDIA's libdevice."""

def fast_tanf(x: Any) -> Any:
    r"""`F32 __nv_fast_tanf(F32)` of NVIDIA's libdevice."""

def fast_tanhf(x: Any) -> Any:
    r"""`F32 __nv_fast_tanhf(F32)` of NVIDIA's libdevice."""

def fdim(x: Any, y: Any) -> Any:
    r"""`F64 __nv_fdim(F64, F64)` of NVIDIA's libdevice."""

def fdimf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fdimf(F32, F32)` of NVIDIA's libdevice."""

def fdiv_rd(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fdiv_rd(F32, F32)` of NVIDIA's libdevice."""

def fdiv_rn(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fdiv_rn(F32, F32)` of NVIDIA's libdevice."""

def fdiv_ru(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fdiv_ru(F32, F32)` of NVIDIA's libdevice."""

def fdiv_rz(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fdiv_rz(F32, F32)` of NVIDIA's libdevice."""

def ffs(x: Any) -> Any:
    r"""`I32 __nv_ffs(I32)` of NVIDIA's libdevice."""

def ffsll(x: Any) -> Any:
    r"""`I32 __nv_ffsll(I64)` of NVIDIA's libdevice."""

def finitef(x: Any) -> Any:
    r"""`I32 __nv_finitef(F32)` of NVIDIA's libdevice."""

def float2int_rd(x: Any) -> Any:
    r"""`I32 __nv_float2int_rd(F32)` of NVIDIA's libdevice."""

def float2int_rn(x: Any) -> Any:
    r"""`I32 __nv_float2int_rn(F32)` of NVIDIA's libdevice."""

def float2int_ru(x: Any) -> Any:
    r"""`I32 __nv_float2int_ru(F32)` of NVIDIA's libdevice."""

def float2int_rz(x: Any) -> Any:
    r"""`I32 __nv_float2int_rz(F32)` of NVIDIA's libdevice."""

def float2ll_rd(x: Any) -> Any:
    r"""`I64 __nv_float2ll_rd(F32)` of NVIDIA's libdevice."""

def float2ll_rn(x: Any) -> Any:
    r"""`I64 __nv_float2ll_rn(F32)` of NVIDIA's libdevice."""

def float2ll_ru(x: Any) -> Any:
    r"""`I64 __nv_float2ll_ru(F32)` of NVIDIA's libdevice."""

def float2ll_rz(x: Any) -> Any:
    r"""`I64 __nv_float2ll_rz(F32)` of NVIDIA's libdevice."""

def float2uint_rd(x: Any) -> Any:
    r"""`I32 __nv_float2uint_rd(F32)` of NVIDIA's libdevice."""

def float2uint_rn(x: Any) -> Any:
    r"""`I32 __nv_float2uint_rn(F32)` of NVIDIA's libdevice."""

def float2uint_ru(x: Any) -> Any:
    r"""`I32 __nv_float2uint_ru(F32)` of NVIDIA's libdevice."""

def float2uint_rz(x: Any) -> Any:
    r"""`I32 __nv_float2uint_rz(F32)` of NVIDIA's libdevice."""

def float2ull_rd(x: Any) -> Any:
    r"""`I64 __nv_float2ull_rd(F32)` of NVIDIA's libdevice."""

def float2ull_rn(x: Any) -> Any:
    r"""`I64 __nv_float2ull_rn(F32)` of NVIDIA's libdevice."""

def float2ull_ru(x: Any) -> Any:
    r"""`I64 __nv_float2ull_ru(F32)` of NVIDIA's libdevice."""

def float2ull_rz(x: Any) -> Any:
    r"""`I64 __nv_float2ull_rz(F32)` of NVIDIA's libdevice."""

def float_as_int(x: Any) -> Any:
    r"""`I32 __nv_float_as_int(F32)` of NVIDIA's libdevice."""

def float_as_uint(x: Any) -> Any:
    r"""`I32 __nv_float_as_uint(F32)` of NVIDIA's libdevice."""

def floor(x: Any) -> Any:
    r"""`F64 __nv_floor(F64)` of NVIDIA's libdevice."""

def floorf(x: Any) -> Any:
    r"""`F32 __nv_floorf(F32)` of NVIDIA's libdevice."""

def fma(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_fma(F64, F64, F64)` of NVIDIA's libdevice."""

def fma_rd(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_fma_rd(F64, F64, F64)` of NVIDIA's libdevice."""

def fma_rn(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_fma_rn(F64, F64, F64)` of NVIDIA's libdevice."""

def fma_ru(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_fma_ru(F64, F64, F64)` of NVIDIA's libdevice."""

def fma_rz(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_fma_rz(F64, F64, F64)` of NVIDIA's libdevice."""

def fmaf(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_ieee_rd(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_ieee_rd(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_ieee_rn(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_ieee_rn(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_ieee_ru(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_ieee_ru(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_ieee_rz(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_ieee_rz(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_rd(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_rd(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_rn(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_rn(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_ru(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_ru(F32, F32, F32)` of NVIDIA's libdevice."""

def fmaf_rz(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_fmaf_rz(F32, F32, F32)` of NVIDIA's libdevice."""

def fmax(x: Any, y: Any) -> Any:
    r"""`F64 __nv_fmax(F64, F64)` of NVIDIA's libdevice."""

def fmaxf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fmaxf(F32, F32)` of NVIDIA's libdevice."""

def fmin(x: Any, y: Any) -> Any:
    r"""`F64 __nv_fmin(F64, F64)` of NVIDIA's libdevice."""

def fminf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fminf(F32, F32)` of NVIDIA's libdevice."""

def fmod(x: Any, y: Any) -> Any:
    r"""`F64 __nv_fmod(F64, F64)` of NVIDIA's libdevice."""

def fmodf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fmodf(F32, F32)` of NVIDIA's libdevice."""

def fmul_rd(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fmul_rd(F32, F32)` of NVIDIA's libdevice."""

def fmul_rn(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fmul_rn(F32, F32)` of NVIDIA's libdevice."""

def fmul_ru(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fmul_ru(F32, F32)` of NVIDIA's libdevice."""

def fmul_rz(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fmul_rz(F32, F32)` of NVIDIA's libdevice."""

def frcp_rd(x: Any) -> Any:
    r"""`F32 __nv_frcp_rd(F32)` of NVIDIA's libdevice."""

def frcp_rn(x: Any) -> Any:
    r"""`F32 __nv_frcp_rn(F32)` of NVIDIA's libdevice."""

def frcp_ru(x: Any) -> Any:
    r"""`F32 __nv_frcp_ru(F32)` of NVIDIA's libdevice."""

def frcp_rz(x: Any) -> Any:
    r"""`F32 __nv_frcp_rz(F32)` of NVIDIA's libdevice."""

def frexp(x: Any) -> Any:
    r"""`F64 __nv_frexp(F64)` and I32 of NVIDIA's libdevice."""

def frexpf(x: Any) -> Any:
    r"""`F32 __nv_frexpf(F32)` and I32 of NVIDIA's libdevice."""

def frsqrt_rn(x: Any) -> Any:
    r"""`F32 __nv_frsqrt_rn(F32)` of NVIDIA's libdevice."""

def fsqrt_rd(x: Any) -> Any:
    r"""`F32 __nv_fsqrt_rd(F32)` of NVIDIA's libdevice."""

def fsqrt_rn(x: Any) -> Any:
    r"""`F32 __nv_fsqrt_rn(F32)` of NVIDIA's libdevice."""

def fsqrt_ru(x: Any) -> Any:
    r"""`F32 __nv_fsqrt_ru(F32)` of NVIDIA's libdevice."""

def fsqrt_rz(x: Any) -> Any:
    r"""`F32 __nv_fsqrt_rz(F32)` of NVIDIA's libdevice."""

def fsub_rd(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fsub_rd(F32, F32)` of NVIDIA's libdevice."""

def fsub_rn(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fsub_rn(F32, F32)` of NVIDIA's libdevice."""

def fsub_ru(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fsub_ru(F32, F32)` of NVIDIA's libdevice."""

def fsub_rz(x: Any, y: Any) -> Any:
    r"""`F32 __nv_fsub_rz(F32, F32)` of NVIDIA's libdevice."""

def hadd(x: Any, y: Any) -> Any:
    r"""`I32 __nv_hadd(I32, I32)` of NVIDIA's libdevice."""

def half2float(x: Any) -> Any:
    r"""`F32 __nv_half2float(I16)` of NVIDIA's libdevice."""

def hiloint2double(x: Any, y: Any) -> Any:
    r"""`F64 __nv_hiloint2double(I32, I32)` of NVIDIA's libdevice."""

def hypot(x: Any, y: Any) -> Any:
    r"""`F64 __nv_hypot(F64, F64)` of NVIDIA's libdevice."""

def hypotf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_hypotf(F32, F32)` of NVIDIA's libdevice."""

def ilogb(x: Any) -> Any:
    r"""`I32 __nv_ilogb(F64)` of NVIDIA's libdevice."""

def ilogbf(x: Any) -> Any:
    r"""`I32 __nv_ilogbf(F32)` of NVIDIA's libdevice."""

def int2double_rn(x: Any) -> Any:
    r"""`F64 __nv_int2double_rn(I32)` of NVIDIA's libdevice."""

def int2float_rd(x: Any) -> Any:
    r"""`F32 __nv_int2float_rd(I32)` of NVIDIA's libdevice."""

def int2float_rn(x: Any) -> Any:
    r"""`F32 __nv_int2float_rn(I32)` of NVIDIA's libdevice."""

def int2float_ru(x: Any) -> Any:
    r"""`F32 __nv_int2float_ru(I32)` of NVIDIA's libdevice."""

def int2float_rz(x: Any) -> Any:
    r"""`F32 __nv_int2float_rz(I32)` of NVIDIA's libdevice."""

def int_as_float(x: Any) -> Any:
    r"""`F32 __nv_int_as_float(I32)` of NVIDIA's libdevice."""

def isfinited(x: Any) -> Any:
    r"""`I32 __nv_isfinited(F64)` of NVIDIA's libdevice."""

def isinfd(x: Any) -> Any:
    r"""`I32 __nv_isinfd(F64)` of NVIDIA's libdevice."""

def isinff(x: Any) -> Any:
    r"""`I32 __nv_isinff(F32)` of NVIDIA's libdevice."""

def isnand(x: Any) -> Any:
    r"""`I32 __nv_isnand(F64)` of NVIDIA's libdevice."""

def isnanf(x: Any) -> Any:
    r"""`I32 __nv_isnanf(F32)` of NVIDIA's libdevice."""

def j0(x: Any) -> Any:
    r"""`F64 __nv_j0(F64)` of NVIDIA's libdevice."""

def j0f(x: Any) -> Any:
    r"""`F32 __nv_j0f(F32)` of NVIDIA's libdevice."""

def j1(x: Any) -> Any:
    r"""`F64 __nv_j1(F64)` of NVIDIA's libdevice."""

def j1f(x: Any) -> Any:
    r"""`F32 __nv_j1f(F32)` of NVIDIA's libdevice."""

def jn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_jn(I32, F64)` of NVIDIA's libdevice."""

def jnf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_jnf(I32, F32)` of NVIDIA's libdevice."""

def ldexp(x: Any, y: Any) -> Any:
    r"""`F64 __nv_ldexp(F64, I32)` of NVIDIA's libdevice."""

def ldexpf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_ldexpf(F32, I32)` of NVIDIA's libdevice."""

def lgamma(x: Any) -> Any:
    r"""`F64 __nv_lgamma(F64)` of NVIDIA's libdevice."""

def lgammaf(x: Any) -> Any:
    r"""`F32 __nv_lgammaf(F32)` of NVIDIA's libdevice."""

def ll2double_rd(x: Any) -> Any:
    r"""`F64 __nv_ll2double_rd(I64)` of NVIDIA's libdevice."""

def ll2double_rn(x: Any) -> Any:
    r"""`F64 __nv_ll2double_rn(I64)` of NVIDIA's libdevice."""

def ll2double_ru(x: Any) -> Any:
    r"""`F64 __nv_ll2double_ru(I64)` of NVIDIA's libdevice."""

def ll2double_rz(x: Any) -> Any:
    r"""`F64 __nv_ll2double_rz(I64)` of NVIDIA's libdevice."""

def ll2float_rd(x: Any) -> Any:
    r"""`F32 __nv_ll2float_rd(I64)` of NVIDIA's libdevice."""

def ll2float_rn(x: Any) -> Any:
    r"""`F32 __nv_ll2float_rn(I64)` of NVIDIA's libdevice."""

def ll2float_ru(x: Any) -> Any:
    r"""`F32 __nv_ll2float_ru(I64)` of NVIDIA's libdevice."""

def ll2float_rz(x: Any) -> Any:
    r"""`F32 __nv_ll2float_rz(I64)` of NVIDIA's libdevice."""

def llabs(x: Any) -> Any:
    r"""`I64 __nv_llabs(I64)` of NVIDIA's libdevice."""

def llmax(x: Any, y: Any) -> Any:
    r"""`I64 __nv_llmax(I64, I64)` of NVIDIA's libdevice."""

def llmin(x: Any, y: Any) -> Any:
    r"""`I64 __nv_llmin(I64, I64)` of NVIDIA's libdevice."""

def llrint(x: Any) -> Any:
    r"""`I64 __nv_llrint(F64)` of NVIDIA's libdevice."""

def llrintf(x: Any) -> Any:
    r"""`I64 __nv_llrintf(F32)` of NVIDIA's libdevice."""

def llround(x: Any) -> Any:
    r"""`I64 __nv_llround(F64)` of NVIDIA's libdevice."""

def llroundf(x: Any) -> Any:
    r"""`I64 __nv_llroundf(F32)` of NVIDIA's libdevice."""

def log(x: Any) -> Any:
    r"""`F64 __nv_log(F64)` of NVIDIA's libdevice."""

def log10(x: Any) -> Any:
    r"""`F64 __nv_log10(F64)` of NVIDIA's libdevice."""

def log10f(x: Any) -> Any:
    r"""`F32 __nv_log10f(F32)` of NVIDIA's libdevice."""

def log1p(x: Any) -> Any:
    r"""`F64 __nv_log1p(F64)` of NVIDIA's libdevice."""

def log1pf(x: Any) -> Any:
    r"""`F32 __nv_log1pf(F32)` of NVIDIA's libdevice."""

def log2(x: Any) -> Any:
    r"""`F64 __nv_log2(F64)` of NVIDIA's libdevice."""

def log2f(x: Any) -> Any:
    r"""`F32 __nv_log2f(F32)` of NVIDIA's libdevice."""

def logb(x: Any) -> Any:
    r"""`F64 __nv_logb(F64)` of NVIDIA's libdevice."""

def logbf(x: Any) -> Any:
    r"""`F32 __nv_logbf(F32)` of NVIDIA's libdevice."""

def logf(x: Any) -> Any:
    r"""`F32 __nv_logf(F32)` of NVIDIA's libdevice."""

def longlong_as_double(x: Any) -> Any:
    r"""`F64 __nv_longlong_as_double(I64)` of NVIDIA's libdevice."""

def max(x: Any, y: Any) -> Any:
    r"""`I32 __nv_max(I32, I32)` of NVIDIA's libdevice."""

def min(x: Any, y: Any) -> Any:
    r"""`I32 __nv_min(I32, I32)` of NVIDIA's libdevice."""

def modf(x: Any) -> Any:
    r"""`F64 __nv_modf(F64)` and F64 of NVIDIA's libdevice."""

def modff(x: Any) -> Any:
    r"""`F32 __nv_modff(F32)` and F32 of NVIDIA's libdevice."""

def mul24(x: Any, y: Any) -> Any:
    r"""`I32 __nv_mul24(I32, I32)` of NVIDIA's libdevice."""

def mul64hi(x: Any, y: Any) -> Any:
    r"""`I64 __nv_mul64hi(I64, I64)` of NVIDIA's libdevice."""

def mulhi(x: Any, y: Any) -> Any:
    r"""`I32 __nv_mulhi(I32, I32)` of NVIDIA's libdevice."""

def nearbyint(x: Any) -> Any:
    r"""`F64 __nv_nearbyint(F64)` of NVIDIA's libdevice."""

def nearbyintf(x: Any) -> Any:
    r"""`F32 __nv_nearbyintf(F32)` of NVIDIA's libdevice."""

def nextafter(x: Any, y: Any) -> Any:
    r"""`F64 __nv_nextafter(F64, F64)` of NVIDIA's libdevice."""

def nextafterf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_nextafterf(F32, F32)` of NVIDIA's libdevice."""

def norm3d(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_norm3d(F64, F64, F64)` of NVIDIA's libdevice."""

def norm3df(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_norm3df(F32, F32, F32)` of NVIDIA's libdevice."""

def norm4d(x: Any, y: Any, z: Any, w: Any) -> Any:
    r"""`F64 __nv_norm4d(F64, F64, F64, F64)` of NVIDIA's libdevice."""

def norm4df(x: Any, y: Any, z: Any, w: Any) -> Any:
    r"""`F32 __nv_norm4df(F32, F32, F32, F32)` of NVIDIA's libdevice."""

def normcdf(x: Any) -> Any:
    r"""`F64 __nv_normcdf(F64)` of NVIDIA's libdevice."""

def normcdff(x: Any) -> Any:
    r"""`F32 __nv_normcdff(F32)` of NVIDIA's libdevice."""

def normcdfinv(x: Any) -> Any:
    r"""`F64 __nv_normcdfinv(F64)` of NVIDIA's libdevice."""

def normcdfinvf(x: Any) -> Any:
    r"""`F32 __nv_normcdfinvf(F32)` of NVIDIA's libdevice."""

def popc(x: Any) -> Any:
    r"""`I32 __nv_popc(I32)` of NVIDIA's libdevice."""

def popcll(x: Any) -> Any:
    r"""`I32 __nv_popcll(I64)` of NVIDIA's libdevice."""

def pow(x: Any, y: Any) -> Any:
    r"""`F64 __nv_pow(F64, F64)` of NVIDIA's libdevice."""

def powf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_powf(F32, F32)` of NVIDIA's libdevice."""

def powi(x: Any, y: Any) -> Any:
    r"""`F64 __nv_powi(F64, I32)` of NVIDIA's libdevice."""

def powif(x: Any, y: Any) -> Any:
    r"""`F32 __nv_powif(F32, I32)` of NVIDIA's libdevice."""

def rcbrt(x: Any) -> Any:
    r"""`F64 __nv_rcbrt(F64)` of NVIDIA's libdevice."""

def rcbrtf(x: Any) -> Any:
    r"""`F32 __nv_rcbrtf(F32)` of NVIDIA's libdevice."""

def rcp64h(x: Any) -> Any:
    r"""`F64 __nv_rcp64h(F64)` of NVIDIA's libdevice."""

def remainder(x: Any, y: Any) -> Any:
    r"""`F64 __nv_remainder(F64, F64)` of NVIDIA's libdevice."""

def remainderf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_remainderf(F32, F32)` of NVIDIA's libdevice."""

def remquo(x: Any, y: Any) -> Any:
    r"""`F64 __nv_remquo(F64, F64)` and I32 of NVIDIA's libdevice."""

def remquof(x: Any, y: Any) -> Any:
    r"""`F32 __nv_remquof(F32, F32)` and I32 of NVIDIA's libdevice."""

def rhadd(x: Any, y: Any) -> Any:
    r"""`I32 __nv_rhadd(I32, I32)` of NVIDIA's libdevice."""

def rhypot(x: Any, y: Any) -> Any:
    r"""`F64 __nv_rhypot(F64, F64)` of NVIDIA's libdevice."""

def rhypotf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_rhypotf(F32, F32)` of NVIDIA's libdevice."""

def rint(x: Any) -> Any:
    r"""`F64 __nv_rint(F64)` of NVIDIA's libdevice."""

def rintf(x: Any) -> Any:
    r"""`F32 __nv_rintf(F32)` of NVIDIA's libdevice."""

def rnorm3d(x: Any, y: Any, z: Any) -> Any:
    r"""`F64 __nv_rnorm3d(F64, F64, F64)` of NVIDIA's libdevice."""

def rnorm3df(x: Any, y: Any, z: Any) -> Any:
    r"""`F32 __nv_rnorm3df(F32, F32, F32)` of NVIDIA's libdevice."""

def rnorm4d(x: Any, y: Any, z: Any, w: Any) -> Any:
    r"""`F64 __nv_rnorm4d(F64, F64, F64, F64)` of NVIDIA's libdevice."""

def rnorm4df(x: Any, y: Any, z: Any, w: Any) -> Any:
    r"""`F32 __nv_rnorm4df(F32, F32, F32, F32)` of NVIDIA's libdevice."""

def round(x: Any) -> Any:
    r"""`F64 __nv_round(F64)` of NVIDIA's libdevice."""

def roundf(x: Any) -> Any:
    r"""`F32 __nv_roundf(F32)` of NVIDIA's libdevice."""

def rsqrt(x: Any) -> Any:
    r"""`F64 __nv_rsqrt(F64)` of NVIDIA's libdevice."""

def rsqrtf(x: Any) -> Any:
    r"""`F32 __nv_rsqrtf(F32)` of NVIDIA's libdevice."""

def sad(x: Any, y: Any, z: Any) -> Any:
    r"""`I32 __nv_sad(I32, I32, I32)` of NVIDIA's libdevice."""

def saturatef(x: Any) -> Any:
    r"""`F32 __nv_saturatef(F32)` of NVIDIA's libdevice."""

def scalbn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_scalbn(F64, I32)` of NVIDIA's libdevice."""

def scalbnf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_scalbnf(F32, I32)` of NVIDIA's libdevice."""

def signbitd(x: Any) -> Any:
    r"""`I32 __nv_signbitd(F64)` of NVIDIA's libdevice."""

def signbitf(x: Any) -> Any:
    r"""`I32 __nv_signbitf(F32)` of NVIDIA's libdevice."""

def sin(x: Any) -> Any:
    r"""`F64 __nv_sin(F64)` of NVIDIA's libdevice."""

def sincos(x: Any) -> Any:
    r"""`Void __nv_sincos(F64)` and F64 and F64 of NVIDIA's libdevice."""

def sincosf(x: Any) -> Any:
    r"""`Void __nv_sincosf(F32)` and F32 and F32 of NVIDIA's libdevice."""

def sincospi(x: Any) -> Any:
    r"""`Void __nv_sincospi(F64)` and F64 and F64 of NVIDIA's libdevice."""

def sincospif(x: Any) -> Any:
    r"""`Void __nv_sincospif(F32)` and F32 and F32 of NVIDIA's libdevice."""

def sinf(x: Any) -> Any:
    r"""`F32 __nv_sinf(F32)` of NVIDIA's libdevice."""

def sinh(x: Any) -> Any:
    r"""`F64 __nv_sinh(F64)` of NVIDIA's libdevice."""

def sinhf(x: Any) -> Any:
    r"""`F32 __nv_sinhf(F32)` of NVIDIA's libdevice."""

def sinpi(x: Any) -> Any:
    r"""`F64 __nv_sinpi(F64)` of NVIDIA's libdevice."""

def sinpif(x: Any) -> Any:
    r"""`F32 __nv_sinpif(F32)` of NVIDIA's libdevice."""

def sqrt(x: Any) -> Any:
    r"""`F64 __nv_sqrt(F64)` of NVIDIA's libdevice."""

def sqrtf(x: Any) -> Any:
    r"""`F32 __nv_sqrtf(F32)` of NVIDIA's libdevice."""

def tan(x: Any) -> Any:
    r"""`F64 __nv_tan(F64)` of NVIDIA's libdevice."""

def tanf(x: Any) -> Any:
    r"""`F32 __nv_tanf(F32)` of NVIDIA's libdevice."""

def tanh(x: Any) -> Any:
    r"""`F64 __nv_tanh(F64)` of NVIDIA's libdevice."""

def tanhf(x: Any) -> Any:
    r"""`F32 __nv_tanhf(F32)` of NVIDIA's libdevice."""

def tgamma(x: Any) -> Any:
    r"""`F64 __nv_tgamma(F64)` of NVIDIA's libdevice."""

def tgammaf(x: Any) -> Any:
    r"""`F32 __nv_tgammaf(F32)` of NVIDIA's libdevice."""

def trunc(x: Any) -> Any:
    r"""`F64 __nv_trunc(F64)` of NVIDIA's libdevice."""

def truncf(x: Any) -> Any:
    r"""`F32 __nv_truncf(F32)` of NVIDIA's libdevice."""

def uhadd(x: Any, y: Any) -> Any:
    r"""`I32 __nv_uhadd(I32, I32)` of NVIDIA's libdevice."""

def uint2double_rn(x: Any) -> Any:
    r"""`F64 __nv_uint2double_rn(I32)` of NVIDIA's libdevice."""

def uint2float_rd(x: Any) -> Any:
    r"""`F32 __nv_uint2float_rd(I32)` of NVIDIA's libdevice."""

def uint2float_rn(x: Any) -> Any:
    r"""`F32 __nv_uint2float_rn(I32)` of NVIDIA's libdevice."""

def uint2float_ru(x: Any) -> Any:
    r"""`F32 __nv_uint2float_ru(I32)` of NVIDIA's libdevice."""

def uint2float_rz(x: Any) -> Any:
    r"""`F32 __nv_uint2float_rz(I32)` of NVIDIA's libdevice."""

def uint_as_float(x: Any) -> Any:
    r"""`F32 __nv_uint_as_float(I32)` of NVIDIA's libdevice."""

def ull2double_rd(x: Any) -> Any:
    r"""`F64 __nv_ull2double_rd(I64)` of NVIDIA's libdevice."""

def ull2double_rn(x: Any) -> Any:
    r"""`F64 __nv_ull2double_rn(I64)` of NVIDIA's libdevice."""

def ull2double_ru(x: Any) -> Any:
    r"""`F64 __nv_ull2double_ru(I64)` of NVIDIA's libdevice."""

def ull2double_rz(x: Any) -> Any:
    r"""`F64 __nv_ull2double_rz(I64)` of NVIDIA's libdevice."""

def ull2float_rd(x: Any) -> Any:
    r"""`F32 __nv_ull2float_rd(I64)` of NVIDIA's libdevice."""

def ull2float_rn(x: Any) -> Any:
    r"""`F32 __nv_ull2float_rn(I64)` of NVIDIA's libdevice."""

def ull2float_ru(x: Any) -> Any:
    r"""`F32 __nv_ull2float_ru(I64)` of NVIDIA's libdevice."""

def ull2float_rz(x: Any) -> Any:
    r"""`F32 __nv_ull2float_rz(I64)` of NVIDIA's libdevice."""

def ullmax(x: Any, y: Any) -> Any:
    r"""`I64 __nv_ullmax(I64, I64)` of NVIDIA's libdevice."""

def ullmin(x: Any, y: Any) -> Any:
    r"""`I64 __nv_ullmin(I64, I64)` of NVIDIA's libdevice."""

def umax(x: Any, y: Any) -> Any:
    r"""`I32 __nv_umax(I32, I32)` of NVIDIA's libdevice."""

def umin(x: Any, y: Any) -> Any:
    r"""`I32 __nv_umin(I32, I32)` of NVIDIA's libdevice."""

def umul24(x: Any, y: Any) -> Any:
    r"""`I32 __nv_umul24(I32, I32)` of NVIDIA's libdevice."""

def umul64hi(x: Any, y: Any) -> Any:
    r"""`I64 __nv_umul64hi(I64, I64)` of NVIDIA's libdevice."""

def umulhi(x: Any, y: Any) -> Any:
    r"""`I32 __nv_umulhi(I32, I32)` of NVIDIA's libdevice."""

def urhadd(x: Any, y: Any) -> Any:
    r"""`I32 __nv_urhadd(I32, I32)` of NVIDIA's libdevice."""

def usad(x: Any, y: Any, z: Any) -> Any:
    r"""`I32 __nv_usad(I32, I32, I32)` of NVIDIA's libdevice."""

def y0(x: Any) -> Any:
    r"""`F64 __nv_y0(F64)` of NVIDIA's libdevice."""

def y0f(x: Any) -> Any:
    r"""`F32 __nv_y0f(F32)` of NVIDIA's libdevice."""

def y1(x: Any) -> Any:
    r"""`F64 __nv_y1(F64)` of NVIDIA's libdevice."""

def y1f(x: Any) -> Any:
    r"""`F32 __nv_y1f(F32)` of NVIDIA's libdevice."""

def yn(x: Any, y: Any) -> Any:
    r"""`F64 __nv_yn(I32, F64)` of NVIDIA's libdevice."""

def ynf(x: Any, y: Any) -> Any:
    r"""`F32 __nv_ynf(I32, F32)` of NVIDIA's libdevice."""

