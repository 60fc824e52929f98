// exp, exp2, log, log2 and pow by the algorithms of Arm's Optimized Routines, which are also those of the GNU C library since
// 2.28: on vectors, and scalar with the same bits. Names of constants, and bounds on errors, are those of its sources.
//
// Operations are fused as GCC does when it compiles those sources for processors with FMA, so that results are the
// library's to the last bit. log10 is ours, from log2.

#include "math_config.h"

#include "lanes.h"
#include "exps.h"
#include "logs.h"

// --- exp, exp2

static inline vd exp2_parts(vd x, vu *sbits, vu *ki) {
  vd kd = x + __exp_data.exp2_shift;
  *ki = U(kd);
  kd -= __exp_data.exp2_shift;
  vd r = x - kd;
  vd t, scale;
  pair((const double *)__exp_data.tab, *ki, EXP_TABLE_BITS, &t, &scale);
  *sbits = U(scale) + (*ki << (52 - EXP_TABLE_BITS));
  const double *c = __exp_data.exp2_poly;
  vd r2 = r * r;
  vd low = FMA(r, all(c[2]), all(c[1]));
  vd high = FMA(r, all(c[4]), all(c[3]));
  return FMA(r2 * r2, high, FMA(r2, low, FMA(r, all(c[0]), t)));
}

// --- log, log2, log10

// Near 1, where the logarithm is small, there is another formula.
#define NEAR_LOG(x) BETWEEN(0x3fee000000000000, x, 0x3ff1090000000000)
#define NEAR_LOG2(x) BETWEEN(0x3feea4af00000000, x, 0x3ff0b55900000000)

static inline vd log_near(vd x) {
  const double *b = __log_data.poly1;
  vd r = x - 1.0;
  vd r2 = r * r, r3 = r * r2;
  vd y = FMA(r3, all(b[10]), FMA(r2, all(b[9]), FMA(r, all(b[8]), all(b[7]))));
  y = FMA(r3, y, FMA(r2, all(b[6]), FMA(r, all(b[5]), all(b[4]))));
  y = FMA(r3, y, FMA(r2, all(b[3]), FMA(r, all(b[2]), all(b[1]))));
  vd w = r * 0x1p27;
  vd rhi = r + w - w;
  vd rlo = r - rhi;
  w = rhi * rhi * b[0];
  vd hi = r + w;
  vd lo = r - hi + w;
  lo = FMA(b[0] * rlo, rhi + r, lo);
  return FMA(r3, y, lo) + hi;
}

// In two parts.
static inline vd log2_far_parts(vu ix, vd *low) {
  vd z, kd, invc, logc;
  vu i = log_parts(ix, every_bits(LOG_OFF), LOG2_TABLE_BITS, &z, &kd);
  pair(&__log2_data.tab[0].invc, i, LOG2_TABLE_BITS, &invc, &logc);
  vd r = FMA(z, invc, all(-1.0));
  vd t1 = r * __log2_data.invln2hi;
  vd t2 = FMA(r, all(__log2_data.invln2lo), FMA(r, all(__log2_data.invln2hi), -t1));
  vd t3 = kd + logc;
  vd hi = t3 + t1;
  vd lo = t3 - hi + t1 + t2;
  vd r2 = r * r, r4 = r2 * r2;
  const double *a = __log2_data.poly;
  vd p = FMA(r2, FMA(r, all(a[3]), all(a[2])), FMA(r, all(a[1]), all(a[0])));
  p = FMA(r4, FMA(r, all(a[5]), all(a[4])), p);
  *low = FMA(r2, p, lo);
  return hi;
}

static inline vd log2_near_parts(vd x, vd *low) {
  const double *b = __log2_data.poly1;
  vd r = x - 1.0;
  vd hi = r * __log2_data.invln2hi;
  vd lo = FMA(r, all(__log2_data.invln2lo), FMA(r, all(__log2_data.invln2hi), -hi));
  vd r2 = r * r, r4 = r2 * r2;
  vd p = FMA(r, all(b[1]), all(b[0]));
  vd y = FMA(r2, p, hi);
  lo += FMA(r2, p, hi - y);
  vd q = FMA(r2, FMA(r, all(b[5]), all(b[4])), FMA(r, all(b[3]), all(b[2])));
  vd s = FMA(r2, FMA(r, all(b[9]), all(b[8])), FMA(r, all(b[7]), all(b[6])));
  *low = FMA(r4, FMA(r4, s, q), lo);
  return y;
}

static inline vd log2_far(vu ix) {
  vd low, high = log2_far_parts(ix, &low);
  return low + high;
}

static inline vd log2_near(vd x) {
  vd low, high = log2_near_parts(x, &low);
  return high + low;
}

// log10(x) of log2(x) in two parts: times log10(2), also in two parts.
#define NEAR_LOG10 NEAR_LOG2

static inline vd log10_of(vd high, vd low) {
  const double a = 0x1.34413509f79ffp-2, b = -0x1.9dc1da994fd21p-59;
  vd y = high * a;
  return FMA(low, all(a), FMA(high, all(b), FMA(high, all(a), -y))) + y;
}

static inline vd log10_far(vu ix) {
  vd low, high = log2_far_parts(ix, &low);
  return log10_of(high, low);
}

static inline vd log10_near(vd x) {
  vd low, high = log2_near_parts(x, &low);
  return log10_of(high, low);
}

// Bits of a subnormal number as if exponents went below 0.
static inline uint64_t normalised(double x) { return asuint64(x * 0x1p52) - (52ull << 52); }

// --- pow

// y log(x) in two parts.
static inline vd pow_exponent(vu ix, vd y, vd *tail) {
  vd lo;
  vd hi = pow_log(ix, &lo);
  vd ehi = y * hi;
  *tail = FMA(y, lo, FMA(y, hi, -ehi));
  return ehi;
}

#if LANES == 1

// 2^(k/N) (1 + e^r - 1) for results that may overflow or underflow. Scalar.
static double special_exp(double tmp, uint64_t sbits, uint64_t ki) {
  double scale, y;
  if ((ki & 0x80000000) == 0) {
    sbits -= 1009ull << 52;
    scale = asdouble(sbits);
    y = __builtin_fma(scale, tmp, scale);
    return y * 0x1p1009;
  }
  sbits += 1022ull << 52;
  scale = asdouble(sbits);
  // Not fused: GCC does not where a product is used in two blocks.
  double product = scale * tmp;
  y = scale + product;
  if (__builtin_fabs(y) < 1.0) {
    // Rounds y to the precision of the subnormal result before it is scaled.
    double one = y < 0.0 ? -1.0 : 1.0;
    double lo = scale - y + product;
    double hi = one + y;
    lo = one - hi + y + lo;
    y = (hi + lo) - one;
    if (y == 0.0) y = asdouble(sbits & 0x8000000000000000);
  }
  return 0x1p-1022 * y;
}

PUBLIC double NAME(exp)(double x) {
  uint64_t sbits, ki;
  double size = __builtin_fabs(x);
  if (UNLIKELY(!(size < 1024.0))) {
    if (x != x || x > 0) return x + (x > 0 ? INFINITY : 0);
    return 0.0;
  }
  double tmp = exp_parts(x, 0, &sbits, &ki);
  if (UNLIKELY(size >= 512.0)) return special_exp(tmp, sbits, ki);
  double scale = asdouble(sbits);
  return FMA(scale, tmp, scale);
}

PUBLIC double NAME(exp2)(double x) {
  uint64_t sbits, ki;
  double size = __builtin_fabs(x);
  if (UNLIKELY(!(size < 1100.0))) {
    if (x != x || x > 0) return x + (x > 0 ? INFINITY : 0);
    return 0.0;
  }
  double tmp = exp2_parts(x, &sbits, &ki);
  if (UNLIKELY(size >= 928.0)) return special_exp(tmp, sbits, ki);
  double scale = asdouble(sbits);
  return FMA(scale, tmp, scale);
}

// Of what is neither positive, normal and finite.
static inline int log_special(double x, uint64_t *ix, double *result) {
  if (x == 0) *result = -INFINITY;
  else if (x != x || x == INFINITY) *result = x;
  else if (x < 0) *result = NAN;
  else {
    *ix = normalised(x);
    return 0;
  }
  return 1;
}

#define LOG(name, NEAR)                                                                                         \
  PUBLIC double NAME(name)(double x) {                                                                          \
    uint64_t ix = asuint64(x);                                                                                  \
    double result;                                                                                              \
    if (UNLIKELY(NEAR(x))) return x == 1.0 ? 0.0 : name##_near(x);                                              \
    if (UNLIKELY(ix - 0x0010000000000000 >= 0x7fe0000000000000) && log_special(x, &ix, &result)) return result; \
    return name##_far(ix);                                                                                      \
  }

LOG(log, NEAR_LOG)
LOG(log2, NEAR_LOG2)
LOG(log10, NEAR_LOG10)

// 0 for numbers that are no integers, 1 for odd ones, 2 for even ones.
static inline int parity(double y) {
  double half = y * 0.5;
  if (__builtin_floor(y) != y) return 0;
  return __builtin_floor(half) == half ? 2 : 1;
}

PUBLIC double NAME(pow)(double x, double y) {
  uint64_t ix = asuint64(x), iy = asuint64(y) & INT64_MAX;
  uint64_t sign = 0;
  if (UNLIKELY(ix - 0x0010000000000000 >= 0x7fe0000000000000 || iy - 0x3be0000000000000 >= 0x0800000000000000)) {
    if (y == 0 || x == 1) return 1;
    if (x != x || y != y) return x + y;
    double size = __builtin_fabs(x);
    if (iy == 0x7ff0000000000000) {
      if (size == 1) return 1;
      return (size < 1) == (y > 0) ? 0.0 : INFINITY;
    }
    int odd = parity(y);
    if (x == 0 || size == INFINITY) {
      double power = odd == 1 ? x : size;
      return y < 0 ? 1 / power : power;
    }
    if (x < 0) {
      if (odd == 0) return NAN;
      if (odd == 1) sign = 0x800ull << EXP_TABLE_BITS;
    }
    if (iy - 0x3be0000000000000 >= 0x0800000000000000) {
      if (size == 1 || iy < 0x3be0000000000000) return 1;
      return (size > 1) == (y > 0) ? INFINITY : 0.0;
    }
    ix = size < 0x1p-1022 ? normalised(size) : asuint64(size);
  }
  double tail;
  double e = pow_exponent(ix, y, &tail);
  double most = __builtin_fabs(e);
  if (UNLIKELY(most >= 1024.0)) {
    double result = e > 0 ? INFINITY : 0.0;
    return sign ? -result : result;
  }
  uint64_t sbits, ki;
  double tmp = exp_parts(e, &tail, &sbits, &ki);
  sbits += sign << (52 - EXP_TABLE_BITS);
  if (UNLIKELY(most >= 512.0)) return special_exp(tmp, sbits, ki);
  double scale = asdouble(sbits);
  return FMA(scale, tmp, scale);
}

#else

double numbra_own_scalar_exp(double), numbra_own_scalar_exp2(double), numbra_own_scalar_log(double);
double numbra_own_scalar_log2(double), numbra_own_scalar_log10(double), numbra_own_scalar_pow(double, double);

PUBLIC vd NAME(exp)(vd x) {
  vu sbits, ki;
  if (UNLIKELY(!every(LESS(magnitude(x), all(512.0))))) return each(x, numbra_own_scalar_exp);
  vd tmp = exp_parts(x, 0, &sbits, &ki);
  vd scale = D(sbits);
  return FMA(scale, tmp, scale);
}

PUBLIC vd NAME(exp2)(vd x) {
  vu sbits, ki;
  if (UNLIKELY(!every(LESS(magnitude(x), all(928.0))))) return each(x, numbra_own_scalar_exp2);
  vd tmp = exp2_parts(x, &sbits, &ki);
  vd scale = D(sbits);
  return FMA(scale, tmp, scale);
}

// Numbers near 1, and those of which the logarithm is not finite, are rare: one branch for both, out of the way.
#define LOG(name, NEAR)                                                          \
  static __attribute__((noinline)) vd name##_of_some(vd x, vd y) {               \
    if (UNLIKELY(!every(ordinary(x)))) return each(x, numbra_own_scalar_##name); \
    return choose(NEAR(x), name##_near(x), y);                                   \
  }                                                                              \
  PUBLIC vd NAME(name)(vd x) {                                                   \
    vd y = name##_far(U(x));                                                     \
    if (UNLIKELY(any(NEAR(x) | ~ordinary(x)))) return name##_of_some(x, y);      \
    return y;                                                                    \
  }

LOG(log, NEAR_LOG)
LOG(log2, NEAR_LOG2)
LOG(log10, NEAR_LOG10)

PUBLIC vd NAME(pow)(vd x, vd y) {
  vd size = magnitude(y);
  mask good = ordinary(x) & LESS_EQUAL(all(0x1p-65), size) & LESS(size, all(0x1p63));
  if (UNLIKELY(!every(good))) return each_pair(x, y, numbra_own_scalar_pow);
  vd tail;
  vd e = pow_exponent(U(x), y, &tail);
  if (UNLIKELY(!every(LESS(magnitude(e), all(512.0))))) return each_pair(x, y, numbra_own_scalar_pow);
  vu sbits, ki;
  vd tmp = exp_parts(e, &tail, &sbits, &ki);
  vd scale = D(sbits);
  return FMA(scale, tmp, scale);
}

#endif
