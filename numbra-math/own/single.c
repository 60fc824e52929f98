// Functions in single precision, written once for scalars and vectors of each width. Where double precision makes short work
// of them, both halves of a vector are computed so. Polynomials are minimax polynomials, of relative errors below 2^-27.

#include "math_config.h"

#include "lanes.h"

extern const double numbra_powf_invc[16], numbra_powf_logc[16];
extern const float numbra_powf_root[16], numbra_powf_root_low[16];

// x = 2^k z with z in [off, 2 off), all as bits: z, k above the others of `above`, and k with the others 0.
static inline vi partsf(vi ix, uint32_t off, vi *above, vi *z) {
  *above = ix - every_bits32(off);
  vi k = *above & every_bits32(0xff800000);
  *z = ix - k;
  return k;
}

// --- log: k log 2 + log z, z in [sqrt(1/2), sqrt 2), by a polynomial

static inline vf log_bits(vi ix) {
  vi z, above;
  partsf(ix, 0x3f3504f3, &above, &z);
  vf k = numberf(shift_signed(above, 23));
  vf r = F(z) - 1.0f;
  vf r2 = r * r;
  // log(1 + r) = r + r^2 p(r)
  vf p = FMAF(allf(-0x1.38489ap-4f), r, allf(0x1.083ee2p-3f));
  p = FMAF(p, r, allf(-0x1.0f2c4cp-3f));
  p = FMAF(p, r, allf(0x1.22728ap-3f));
  p = FMAF(p, r, allf(-0x1.542922p-3f));
  p = FMAF(p, r, allf(0x1.99a3f2p-3f));
  p = FMAF(p, r, allf(-0x1.00041ap-2f));
  p = FMAF(p, r, allf(0x1.55555p-2f));
  p = FMAF(p, r, allf(-0x1.fffff8p-2f));
  // With what is lost when the larger terms are added.
  vf high = FMAF(k, allf(0x1.62ep-1f), r);
  vf lost = r - FMAF(k, allf(-0x1.62ep-1f), high);
  return high + FMAF(r2, p, FMAF(k, allf(0x1.0bfbe8p-15f), lost));
}

// --- sin, cos

// Up to here pi / 2 has enough bits in three floats, and up to there pi in two doubles.
#define NEAR_LIMIT 128.0f
#define FAR_LIMIT 0x1p16f

// sin(x + q pi / 2): of x less n pi / 2, a sine where n + q is even and a cosine where it is odd.
static inline vf sin_of_near(vf signed_x, int q) {
  vf x = q ? signed_x : sizef(signed_x);
  vf shifted = FMAF(x, allf(0x1.45f306p-1f), allf(0x1.8p23f + q));
  vf n = shifted - (0x1.8p23f + q);
  // The multiples of the first two parts are exact.
  vf high = FMAF(n, allf(-0x1.921fb6p+0f), x);
  vf r = FMAF(n, allf(0x1.778p-25f), high);
  vf low = FMAF(n, allf(-0x1.68c234p-39f), FMAF(n, allf(0x1.778p-25f), high - r));
  vf s = r * r;
  // sin r = r + r s p(s), cos r = 1 - s / 2 + s^2 p(s)
  vf p = FMAF(s, PICK(shifted, -0x1.99444ap-13f, 0x1.99f0b4p-16f), PICK(shifted, 0x1.11073ep-7f, -0x1.6c0c4ap-10f));
  p = FMAF(s, p, PICK(shifted, -0x1.555546p-3f, 0x1.55554ap-5f));
  vf half = s * 0.5f;
  vf first = 1.0f - half;
  vf rest = FMAF(-r, low, 1.0f - first - half);
  oddness odd = odd_integer(shifted);
  vf y = choosef(odd, first, r) + FMAF(s * choosef(odd, s, r), p, choosef(odd, rest, low));
  vi turned = (UF(shifted) << 30) & every_bits32(0x80000000);
  return F(UF(y) ^ (q ? turned : turned ^ UF(signed_x) ^ UF(x)));
}

// sin(r), |r| < 1.574.
static inline vd sin_rest(vd r) {
  vd s = r * r;
  vd p = FMA(s, all(0x1.5da8f37f0fb06p-19), all(-0x1.9f6e973bab969p-13));
  p = FMA(s, p, all(0x1.110ecc4ff3497p-7));
  p = FMA(s, p, all(-0x1.55554b9ee3762p-3));
  return r * FMA(s, p, all(1.0));
}

// sin(x - n pi) for the nearest n.
static inline vd sin_turned(vd x, vd n) {
  return sin_rest(FMA(n, all(-0x1.1a62633145c07p-53), FMA(n, all(-0x1.921fb54442d18p+1), x)));
}

// sin(x + q pi / 2), for q 1 as the sine of x - (m + 1/2) pi.
static inline vf sin_of_far(vf x, int q) {
  vf shifted = FMAF(x, allf(0x1.45f306p-2f), allf(-0.5f * q)) + 0x1.8p23f;
  vf n = shifted - 0x1.8p23f + 0.5f * q;
  vf y = narrow(sin_turned(low_half(x), low_half(n)), sin_turned(high_half(x), high_half(n)));
  return F(UF(y) ^ ((UF(shifted) + q) << 31));
}

// --- pow: 2^(y log2 x), the exponent in double precision

// 16 y log2(2^k z), z being in part i, and k given as the float 2^k is.
static inline vd pow_exponent(vd z, vd k, vu i, vd y) {
  vd r = FMA(z, one_of_16(numbra_powf_invc, i), all(-1.0));
  // 16 log2(1 + r) = r p(r)
  vd p = FMA(all(-0x1.ed3883bf21ef6p+1), r, all(0x1.27cc73e3da733p+2));
  p = FMA(p, r, all(-0x1.71546646e6af5p+2));
  p = FMA(p, r, all(0x1.ec709512b00a1p+2));
  p = FMA(p, r, all(-0x1.715476530fde4p+3));
  p = FMA(p, r, all(0x1.71547652c08b8p+4));
  return y * FMA(p, r, FMA(k, all(0x1p-19), one_of_16(numbra_powf_logc, i)));
}

// 2^((i + f) / 16), |f| <= 1/2, for the lowest 4 bits of i.
static inline vf exp2_part(vi i, vf f) {
  vf p = FMAF(allf(0x1.c6b468p-17f), f, allf(0x1.ebfff2p-11f));
  p = f * FMAF(p, f, allf(0x1.62e43p-5f));
  vf root = one_of_16f(numbra_powf_root, i);
  return root + FMAF(root, p, one_of_16f(numbra_powf_root_low, i));
}

#if LANES == 1

float numbra_sleef_scalar_sinf(float), numbra_sleef_scalar_cosf(float);

PUBLIC float NAME(logf)(float x) {
  uint32_t ix = asuint(x);
  if (UNLIKELY(ix - 0x00800000 >= 0x7f000000)) {
    if (x == 0) return -INFINITY;
    if (x != x || x == INFINITY) return x;
    if (x < 0) return NAN;
    ix = asuint(x * 0x1p23f) - (23u << 23);
  }
  return log_bits(ix);
}

PUBLIC float NAME(sinf)(float x) {
  if (LIKELY(__builtin_fabsf(x) < NEAR_LIMIT)) return sin_of_near(x, 0);
  return __builtin_fabsf(x) < FAR_LIMIT ? sin_of_far(x, 0) : numbra_sleef_scalar_sinf(x);
}

PUBLIC float NAME(cosf)(float x) {
  if (LIKELY(__builtin_fabsf(x) < NEAR_LIMIT)) return sin_of_near(x, 1);
  return __builtin_fabsf(x) < FAR_LIMIT ? sin_of_far(x, 1) : numbra_sleef_scalar_cosf(x);
}

// 0 for numbers that are no integers, 1 for odd ones, 2 for even ones.
static inline int parityf(float y) {
  float half = y * 0.5f;
  if (__builtin_floorf(y) != y) return 0;
  return __builtin_floorf(half) == half ? 2 : 1;
}

PUBLIC float NAME(powf)(float x, float y) {
  float size = __builtin_fabsf(x);
  int negative = 0;
  if (UNLIKELY(!(0 < x && x < INFINITY) || !(y != 0 && __builtin_fabsf(y) < INFINITY))) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    if (__builtin_fabsf(y) == INFINITY) {
      if (size == 1) return 1;
      return (size < 1) == (y > 0) ? 0.0f : INFINITY;
    }
    int odd = parityf(y) == 1;
    if (x == 0 || size == INFINITY) {
      float power = odd ? x : size;
      return y < 0 ? 1 / power : power;
    }
    if (parityf(y) == 0) return NAN;
    negative = odd;
  }
  uint32_t ix = asuint(size), above, z;
  if (UNLIKELY(ix < 0x00800000)) ix = asuint(size * 0x1p23f) - (23u << 23);
  uint32_t k = partsf(ix, 0x3f330000, &above, &z);
  double e = pow_exponent(asfloat(z), (int32_t)k, above >> 19, y);
  float result;
  if (UNLIKELY(!(__builtin_fabs(e) < 151 * 16))) result = e > 0 ? INFINITY : 0.0f;
  else {
    int64_t n = nearest(e);
    float power = exp2_part(n, (float)minus_nearest(e));
    // Rounded a second time where the result is subnormal.
    result = (float)(power * asdouble((uint64_t)((n >> 4) + 0x3ff) << 52));
  }
  return negative ? -result : result;
}

#else

float numbra_own_scalar_logf(float), numbra_own_scalar_sinf(float), numbra_own_scalar_cosf(float);
float numbra_own_scalar_powf(float, float);

// Where a lane is special, the scalar function computes them all: its bits are the same.
static __attribute__((noinline, cold)) vf each(vf x, float (*f)(float)) {
  vf y;
  for (int i = 0; i < 2 * LANES; i++) y[i] = f(x[i]);
  return y;
}

static __attribute__((noinline, cold)) vf each_pair(vf x, vf y) {
  vf z;
  for (int i = 0; i < 2 * LANES; i++) z[i] = numbra_own_scalar_powf(x[i], y[i]);
  return z;
}

PUBLIC vf NAME(logf)(vf x) {
  if (UNLIKELY(!all_ordinaryf(x))) return each(x, numbra_own_scalar_logf);
  return log_bits(UF(x));
}

static __attribute__((noinline)) vf sin_wide(vf x, int q, float (*f)(float)) {
  if (!all_belowf(x, FAR_LIMIT)) return each(x, f);
  return choose_belowf(x, NEAR_LIMIT, sin_of_near(x, q), sin_of_far(x, q));
}

PUBLIC vf NAME(sinf)(vf x) {
  if (LIKELY(all_belowf(x, NEAR_LIMIT))) return sin_of_near(x, 0);
  return sin_wide(x, 0, numbra_own_scalar_sinf);
}

PUBLIC vf NAME(cosf)(vf x) {
  if (LIKELY(all_belowf(x, NEAR_LIMIT))) return sin_of_near(x, 1);
  return sin_wide(x, 1, numbra_own_scalar_cosf);
}

PUBLIC vf NAME(powf)(vf x, vf y) {
  vi z, above, k = partsf(UF(x), 0x3f330000, &above, &z), i = above >> 19;
  vd e0 = pow_exponent(low_half(F(z)), low_number(k), low_bits(i), low_half(y));
  vd e1 = pow_exponent(high_half(F(z)), high_number(k), high_bits(i), high_half(y));
  // False where y is NaN or infinite, too; where it is 0 the result is 1, as it should be.
  mask good = LESS(magnitude(e0), all(126.0 * 16)) & LESS(magnitude(e1), all(126.0 * 16));
  if (UNLIKELY(!every(good) || !all_ordinaryf(x))) return each_pair(x, y);
  vi n = narrow_number(e0, e1);
  vf power = exp2_part(n, narrow(minus_nearest(e0), minus_nearest(e1)));
  return F(UF(power) + ((n << 19) & every_bits32(0xff800000)));
}

#endif
