// fmod. Exact, so that its bits are those of every library.
//
// The quotient of a by b, rounded and then cut to an integer, is the integer t below a / b or t + 1, for no integer lies between a
// number and the double that it is rounded to. If it is below 2^53, a - t b and a - (t + 1) b are multiples of the last place
// of b or of a, and not larger than b: an FMA computes either exactly, and the sign tells which of them it was.

#include "math_config.h"

#include "lanes.h"

// Of these and larger quotients the integers are not all floats.
#define QUOTIENTS 0x1p53
#define QUOTIENTSF 0x1p24f

// a mod b for positive numbers whose quotient, rounded, is `ratio`.
static inline vd step(vd a, vd b, vd ratio) {
  vd r = FMA(-whole(ratio), b, a);
  return choose(LESS(r, all(0.0)), r + b, r);
}

static inline vf stepf(vf a, vf b, vf ratio) {
  vf r = FMAF(-wholef(ratio), b, a);
  return choose_negativef(r, r + b, r);
}

static inline vd with_sign(vd size, vd x) { return D(U(size) | (U(x) ^ U(magnitude(x)))); }
static inline vf with_signf(vf size, vf x) { return F(UF(size) | (UF(x) ^ UF(sizef(x)))); }

#if LANES == 1

static inline int binary_exponent(double x) {
  if (x < 0x1p-1022) return (int)(asuint64(x * 0x1p54) >> 52) - 54;
  return (int)(asuint64(x) >> 52);
}

// b 2^n, which is finite; n up to 2046.
static inline double times_power(double b, int n) {
  int half = n / 2;
  return b * asdouble((uint64_t)(1023 + half) << 52) * asdouble((uint64_t)(1023 + n - half) << 52);
}

// Takes multiples of b 2^n from a, which keep a mod b, until the quotient is small.
static __attribute__((noinline)) double far(double x, double y) {
  double a = magnitude(x), b = magnitude(y);
  if (!(a < INFINITY && b > 0)) return (x * y) / (x * y);
  if (b == INFINITY) return x;
  int eb = binary_exponent(b);
  for (;;) {
    int n = binary_exponent(a) - eb - 51;
    if (a < b || n <= 0) break;
    double d = times_power(b, n);
    a = step(a, d, a / d);
  }
  return with_sign(step(a, b, a / b), x);
}

PUBLIC double NAME(fmod)(double x, double y) {
  double a = magnitude(x), b = magnitude(y);
  if (a < b) return x;
  double ratio = a / b;
  if (UNLIKELY(!(ratio < QUOTIENTS))) return far(x, y);
  return with_sign(step(a, b, ratio), x);
}

PUBLIC float NAME(fmodf)(float x, float y) {
  float a = sizef(x), b = sizef(y);
  if (a < b) return x;
  float ratio = a / b;
  if (UNLIKELY(!(ratio < QUOTIENTSF))) return (float)NAME(fmod)(x, y);
  return with_signf(stepf(a, b, ratio), x);
}

#else

double numbra_own_scalar_fmod(double, double);
float numbra_own_scalar_fmodf(float, float);

// False in lanes of NaNs, of infinite numbers and of divisors that are 0, too.
static inline mask near(vd ratio, vd b) { return LESS(ratio, all(QUOTIENTS)) & LESS(b, all(INFINITY)); }

PUBLIC vd NAME(fmod)(vd x, vd y) {
  vd a = magnitude(x), b = magnitude(y), ratio = a / b;
  if (UNLIKELY(!every(near(ratio, b)))) return each_pair(x, y, numbra_own_scalar_fmod);
  return with_sign(step(a, b, ratio), x);
}

// In double precision quotients may be larger.
static __attribute__((noinline)) vf wide(vf x, vf y) {
  vd x0 = low_half(x), x1 = high_half(x), a0 = magnitude(x0), a1 = magnitude(x1);
  vd b0 = magnitude(low_half(y)), b1 = magnitude(high_half(y));
  vd ratio0 = a0 / b0, ratio1 = a1 / b1;
  if (!every(near(ratio0, b0) & near(ratio1, b1))) return each_pairf(x, y, numbra_own_scalar_fmodf);
  return narrow(with_sign(step(a0, b0, ratio0), x0), with_sign(step(a1, b1, ratio1), x1));
}

PUBLIC vf NAME(fmodf)(vf x, vf y) {
  vf a = sizef(x), b = sizef(y), ratio = a / b;
  if (UNLIKELY(!(all_belowf(ratio, QUOTIENTSF) && all_belowf(b, INFINITY)))) return wide(x, y);
  return with_signf(stepf(a, b, ratio), x);
}

#endif
