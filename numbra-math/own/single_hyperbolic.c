// In single precision: expm1, log2, the hyperbolic functions and their inverses, and hypot, by their definitions in double
// precision.

#include "math_config.h"

#include "lanes.h"

extern const double numbra_log2f_inverse[16], numbra_log2f_log[16];

#define LN2 0x1.62e42fefa39efp-1

// e^x - 1, |x| <= 110.
static inline vd expm1_near(vd x) {
  vd shifted = FMA(x, all(0x1.71547652b82fep+0), all(0x1.8p52));
  vd k = shifted - 0x1.8p52;
  vd r = FMA(k, all(-LN2), x);
  // e^r - 1 = r + r^2 p(r)
  vd p = FMA(r, all(0x1.a03555d2ec01cp-13), all(0x1.6d71ebed786c2p-10));
  p = FMA(p, r, all(0x1.111187c515a74p-7));
  p = FMA(p, r, all(0x1.5554b17835514p-5));
  p = FMA(p, r, all(0x1.555554f0a02adp-3));
  p = FMA(p, r, all(0x1.00000025a41fap-1));
  vd scale = D((U(shifted) << 52) + every_bits(0x3ff0000000000000));
  return FMA(scale, FMA(r * r, p, r), scale - 1.0);
}

static inline vd tanh_half(vd x) {
  vd e = expm1_near(x + x);
  return e / (e + 2.0);
}

static inline vd sinh_half(vd x) {
  vd e = expm1_near(x);
  return 0.5 * (e + e / (e + 1.0));
}

static inline vd cosh_half(vd x) {
  vd e = expm1_near(x) + 1.0;
  return 0.5 * (e + 1.0 / e);
}

// 16 log2(x), x positive and normal.
static inline vd log2_half(vd x) {
  vu tmp = U(x) - every_bits(0x3fe6600000000000), i = tmp >> 48;
  vd z = D(U(x) - (tmp & every_bits(0xfffull << 52)));
  vd r = FMA(z, one_of_16(numbra_log2f_inverse, i), all(-1.0));
  vd p = FMA(all(-0x1.ed3883bf21ef6p+1), r, all(0x1.27cc73e3da733p+2));
  p = FMA(p, r, all(-0x1.71546646e6af5p+2));
  p = FMA(p, r, all(0x1.ec709512b00a1p+2));
  p = FMA(p, r, all(-0x1.715476530fde4p+3));
  p = FMA(p, r, all(0x1.71547652c08b8p+4));
  return FMA(p, r, FMA(exponent(tmp), all(16.0), one_of_16(numbra_log2f_log, i)));
}

// log(1 + x), with what the sum loses.
static inline vd log1p_half(vd x) {
  vd w = x + 1.0;
  return FMA(log2_half(w), all(LN2 / 16), x - (w - 1.0));
}

static inline vd log2_scaled(vd x) { return log2_half(x) * 0x1p-4; }
static inline vd asinh_half(vd x) {
  vd square = x * x;
  return log1p_half(x + square / (root(square + 1.0) + 1.0));
}
static inline vd acosh_half(vd x) {
  vd t = x - 1.0;
  return log1p_half(t + root(FMA(t, t, t + t)));
}
static inline vd atanh_half(vd x) { return 0.5 * log1p_half((x + x) / (1.0 - x)); }
static inline vd hypot_half(vd x, vd y) { return root(FMA(y, y, x * x)); }

// Both halves of a function, and of an odd one.
#define BOTH(half, x) narrow(half(low_half(x)), half(high_half(x)))
static inline vf with_sign(vf size, vf x) { return F(UF(size) | (UF(x) ^ UF(sizef(x)))); }

PUBLIC vf NAME(expm1f)(vf x) {
  vf clamped = at_leastf(-110.0f, at_mostf(100.0f, x));
  return with_sign(BOTH(expm1_near, clamped), x);
}
PUBLIC vf NAME(sinhf)(vf x) {
  vf clamped = at_mostf(100.0f, sizef(x));
  return with_sign(BOTH(sinh_half, clamped), x);
}
PUBLIC vf NAME(coshf)(vf x) {
  vf clamped = at_mostf(100.0f, sizef(x));
  return BOTH(cosh_half, clamped);
}
PUBLIC vf NAME(tanhf)(vf x) {
  vf clamped = at_mostf(10.0f, sizef(x));
  return with_sign(BOTH(tanh_half, clamped), x);
}

#if LANES == 1

// Outside of the range in which the function is finite: below it, at its ends and above.
PUBLIC float NAME(log2f)(float x) {
  if (LIKELY(0 < x && x < INFINITY)) return (float)log2_scaled(x);
  return x == 0 ? -INFINITY : x < 0 ? NAN : x;
}
PUBLIC float NAME(asinhf)(float x) {
  float size = sizef(x);
  return size < INFINITY ? with_sign((float)asinh_half(size), x) : x;
}
PUBLIC float NAME(acoshf)(float x) {
  if (LIKELY(1 <= x && x < INFINITY)) return (float)acosh_half(x);
  return x < 1 ? NAN : x;
}
PUBLIC float NAME(atanhf)(float x) {
  float size = sizef(x);
  if (LIKELY(size < 1)) return with_sign((float)atanh_half(size), x);
  return size == 1 ? x * INFINITY : NAN;
}
PUBLIC float NAME(hypotf)(float x, float y) {
  if (LIKELY(sizef(x) < INFINITY && sizef(y) < INFINITY)) return (float)hypot_half(x, y);
  return sizef(x) == INFINITY || sizef(y) == INFINITY ? INFINITY : NAN;
}

#else

// A function with a range in which it is finite; where a lane is outside, the scalar function computes them all.
#define RANGED(name, inside, value)                                                           \
  float numbra_own_scalar_##name(float);                                                      \
  PUBLIC vf NAME(name)(vf x) {                                                                \
    if (UNLIKELY(!(inside))) return eachf(x, numbra_own_scalar_##name);                       \
    return value;                                                                             \
  }

RANGED(log2f, all_betweenf(0.0f, x), BOTH(log2_scaled, x))
RANGED(asinhf, all_belowf(x, INFINITY), with_sign(BOTH(asinh_half, sizef(x)), x))
RANGED(acoshf, all_betweenf(0x1.fffffep-1f, x), BOTH(acosh_half, x))
RANGED(atanhf, all_belowf(x, 1.0f), with_sign(BOTH(atanh_half, sizef(x)), x))

float numbra_own_scalar_hypotf(float, float);

PUBLIC vf NAME(hypotf)(vf x, vf y) {
  if (UNLIKELY(!(all_belowf(x, INFINITY) && all_belowf(y, INFINITY)))) return each_pairf(x, y, numbra_own_scalar_hypotf);
  return narrow(hypot_half(low_half(x), low_half(y)), hypot_half(high_half(x), high_half(y)));
}

#endif
