// Functions in single precision, written once for scalars and vectors of each width. Where double precision makes short work
// of them, both halves of a vector are computed so. Polynomials are minimax polynomials, of relative errors below 2^-27.

#include "math_config.h"

#include "lanes.h"

extern const float numbra_powf_inverse[16], numbra_powf_log[16], numbra_powf_log_low[16];
extern const float numbra_exp2f_root[16], numbra_exp2f_root_low[16];

// x = 2^k z with z in [off, 2 off), all as bits: z, k above the others of `above`, and k with the others 0.
static inline vi partsf(vi ix, vi off, vi *above, vi *z) {
  *above = ix - off;
  vi k = *above & every_bits32(0xff800000);
  *z = ix - k;
  return k;
}

// --- log: k log 2 + log z, z in [sqrt(1/2), sqrt 2), by a polynomial

static inline vf log_bits(vi ix) {
  vi z, above;
  partsf(ix, every_bits32(0x3f3504f3), &above, &z);
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

// --- pow: e^(y log x), the exponent in two parts

// The lower end of z.
#define POW_OFF 0x3f340000

// y log(2^k z), z being in part i, and k given as the float 2^k is.
static inline vf pow_exponent(vf z, vf k, vi i, vf y, vf *low) {
  // 1/c has so few bits that nothing is lost.
  vf r = FMAF(z, one_of_16f(numbra_powf_inverse, i), allf(-1.0f));
  // log(1 + r) = r - r^2 / 2 + (-r / 2) r r p(r)
  vf half = r * -0.5f;
  vf h = FMAF(half, r, r);
  vf lost = FMAF(half, r, r - h);
  vf p = FMAF(allf(0x1.55d224p-2f), r, allf(-0x1.9a138cp-2f));
  p = FMAF(p, r, allf(0x1.fffff2p-2f));
  p = FMAF(p, r, allf(-0x1.55555p-1f));
  lost = FMAF(half * r, r * p, lost);
  // Exact: the first parts of log 2 and log c are multiples of 2^-16.
  vf t = FMAF(k, allf(0x1.62e4p-24f), one_of_16f(numbra_powf_log, i));
  vf t_low = FMAF(k, allf(0x1.7f7d1cp-43f), one_of_16f(numbra_powf_log_low, i));
  vf s = t + h;
  vf s_low = t - s + h + (t_low + lost);
  vf e = y * s;
  *low = FMAF(y, s_low, FMAF(y, s, -e));
  return e;
}

// --- exp, exp2, and the rest of pow

// e^f - 1, |f| < log(2) / 32, and what 2^(n/16) lacks in `root_of`.
static inline vf exp_rest(vf f, vi n) {
  vf p = FMAF(FMAF(allf(0x1.55573ep-3f), f, allf(0x1.00022ap-1f)), f, allf(1.0f));
  return FMAF(p, f, one_of_16f(numbra_exp2f_root_low, n));
}

// 2^(n/16), of which only the lowest 12 bits of n count.
static inline vf root_of(vi n) { return F(UF(one_of_16f(numbra_exp2f_root, n)) + (n << 19)); }

// e^(x + low) = 2^(n/16) (1 + the result): n and, above it, other bits.
static inline vf exp_part(vf x, const vf *low, vi *n) {
  vf shifted = FMAF(low ? x + *low : x, allf(0x1.715476p+4f), allf(0x1.8p23f));
  *n = UF(shifted);
  vf k = shifted - 0x1.8p23f;
  vf f = FMAF(k, allf(0x1.05c61p-33f), FMAF(k, allf(-0x1.62e43p-5f), x));
  return exp_rest(low ? f + *low : f, *n);
}

static inline vf exp2_part(vf x, vi *n) {
  vf shifted = x + 0x1.8p19f;
  *n = UF(shifted);
  return exp_rest((x - (shifted - 0x1.8p19f)) * 0x1.62e43p-1f, *n);
}

// Up to here powers are normal numbers.
#define EXP_LIMIT 87.0f
#define EXP2_LIMIT 126.0f

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

// 2^(n/16) (1 + part), which may be infinite, or subnormal and so rounded a second time.
static float far_power(float part, uint32_t n) {
  int exponent = (int32_t)(n << 10) >> 14;
  float root = root_of(n % 16), power = FMAF(root, part, root);
  return (float)(power * asdouble((uint64_t)(exponent + 0x3ff) << 52));
}

// A power that is none of a finite number, or too large or small.
static float no_power(float x) { return x > 0 ? INFINITY : x != x ? x : 0.0f; }

PUBLIC float NAME(expf)(float x) {
  uint32_t n;
  if (UNLIKELY(!(__builtin_fabsf(x) < 105))) return no_power(x);
  float part = exp_part(x, 0, &n), scale = root_of(n);
  return LIKELY(__builtin_fabsf(x) < EXP_LIMIT) ? FMAF(scale, part, scale) : far_power(part, n);
}

PUBLIC float NAME(exp2f)(float x) {
  uint32_t n;
  if (UNLIKELY(!(__builtin_fabsf(x) < 151))) return no_power(x);
  float part = exp2_part(x, &n), scale = root_of(n);
  return LIKELY(__builtin_fabsf(x) < EXP2_LIMIT) ? FMAF(scale, part, scale) : far_power(part, n);
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
  uint32_t k = partsf(ix, POW_OFF, &above, &z), n;
  float low, e = pow_exponent(asfloat(z), numberf(k), above >> 19, y, &low), result;
  if (UNLIKELY(!(__builtin_fabsf(e) < 105))) result = e > 0 ? INFINITY : 0.0f;
  else {
    float part = exp_part(e, &low, &n), scale = root_of(n);
    result = LIKELY(__builtin_fabsf(e) < EXP_LIMIT) ? FMAF(scale, part, scale) : far_power(part, n);
  }
  return negative ? -result : result;
}

#else

float numbra_own_scalar_logf(float), numbra_own_scalar_sinf(float), numbra_own_scalar_cosf(float);
float numbra_own_scalar_expf(float), numbra_own_scalar_exp2f(float), numbra_own_scalar_powf(float, float);

PUBLIC vf NAME(logf)(vf x) {
  if (UNLIKELY(!all_ordinaryf(x))) return eachf(x, numbra_own_scalar_logf);
  return log_bits(UF(x));
}

static __attribute__((noinline)) vf sin_wide(vf x, int q, float (*f)(float)) {
  if (!all_belowf(x, FAR_LIMIT)) return eachf(x, f);
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

PUBLIC vf NAME(expf)(vf x) {
  vi n;
  if (UNLIKELY(!all_belowf(x, EXP_LIMIT))) return eachf(x, numbra_own_scalar_expf);
  vf part = exp_part(x, 0, &n), scale = root_of(n);
  return FMAF(scale, part, scale);
}

PUBLIC vf NAME(exp2f)(vf x) {
  vi n;
  if (UNLIKELY(!all_belowf(x, EXP2_LIMIT))) return eachf(x, numbra_own_scalar_exp2f);
  vf part = exp2_part(x, &n), scale = root_of(n);
  return FMAF(scale, part, scale);
}

PUBLIC vf NAME(powf)(vf x, vf y) {
  vi z, above, k = partsf(UF(x), every_bits32(POW_OFF), &above, &z), n;
  vf low, e = pow_exponent(F(z), numberf(k), above >> 19, y, &low);
  // False where y is NaN or infinite, too; where it is 0 the result is 1, as it should be.
  if (UNLIKELY(!all_belowf(e, EXP_LIMIT) || !all_ordinaryf(x))) return each_pairf(x, y, numbra_own_scalar_powf);
  vf part = exp_part(e, &low, &n), scale = root_of(n);
  return FMAF(scale, part, scale);
}

#endif
