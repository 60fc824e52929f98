// sin, cos and tan in double precision: the nearest multiple of pi/2 is taken off in three parts, so that what stays is known
// to twice the precision, and a polynomial each gives sine and cosine of it; they are fitted to [-pi/4, pi/4].

#include "math_config.h"

#include "lanes.h"

// Beyond, SLEEF's functions take pi from a table.
#define LIMIT 0x1p40
#define SHIFT 0x1.8p52

// The number of quarter turns, in the lowest bits, and the rest, |rest| <= pi/4, in two parts, of 0 <= x < LIMIT.
static inline vd rest(vd x, vu *quarters, vd *low) {
  vd shifted = FMA(x, all(0x1.45f306dc9c883p-1), all(SHIFT));
  vd n = shifted - SHIFT;
  *quarters = U(shifted);
  // The first difference is exact, and so are product and difference of the second part, each with what it loses.
  vd r = FMA(-n, all(0x1.921fb54442d18p+0), x);
  vd p = n * 0x1.1a62633145c07p-54, p_low = FMA(n, all(0x1.1a62633145c07p-54), -p);
  vd high = r - p;
  *low = FMA(-n, all(-0x1.f1976b7ed8fbcp-110), r - high - p - p_low);
  return high;
}

// What sin(x + low) is more than x, |x| <= pi/4. With `care` there is one rounding less in the end, and one step more.
static inline vd sin_tail(vd x, vd low, vd z, vd z2, int care) {
  vd b = FMA(z, all(0x1.71de3577b69c0p-19), all(-0x1.a01a019c11996p-13));
  vd c = FMA(z, all(0x1.5d9300fb2a66dp-33), all(-0x1.ae5e663a8ead5p-26));
  vd first = all(-0x1.5555555555549p-3), second = all(0x1.111111110f87ap-7);
  vd p = care ? FMA(z, FMA(z2, FMA(z, c, all(0x1.71de3577b69c0p-19)), FMA(z, all(-0x1.a01a019c11996p-13), second)), first)
              : FMA(z2 * z2, c, FMA(z2, b, FMA(z, second, first)));
  return FMA(x * z, p, FMA(z * -0.5, low, low));
}

// What cos(x + low) is more than 1 - z / 2, which is `high`. With `care` z is x^2 in two parts.
static inline vd cos_tail(vd x, vd low, vd z, vd z2, vd high, int care) {
  vd a = FMA(z, all(-0x1.6c16c16c1517ep-10), all(0x1.555555555554cp-5));
  vd b = FMA(z, all(-0x1.27e4f809f0689p-22), all(0x1.a01a019cb1bd7p-16));
  vd c = FMA(z, all(-0x1.8fae9c60f94b7p-37), all(0x1.1ee9ebe904b6fp-29));
  vd lost = FMA(z, all(-0.5), 1.0 - high);
  if (care) lost = FMA(FMA(x, x, -z), all(-0.5), lost);
  return FMA(z2, FMA(z2 * z2, c, FMA(z2, b, a)), FMA(-x, low, lost));
}

// sin(size + turn pi/2) with the signs of `sign` changed.
static inline vd sin_of(vd size, uint64_t turn, vu sign) {
  vu quarters;
  vd low, x = rest(size, &quarters, &low);
  vd z = x * x, z2 = z * z, high = FMA(z, all(-0.5), all(1.0));
  vd sine = x + sin_tail(x, low, z, z2, 0), cosine = high + cos_tail(x, low, z, z2, high, 0);
  quarters += turn;
  return D(U(choose(odd(quarters), cosine, sine)) ^ sign ^ (quarters & every_bits(2)) << 62);
}

static inline vd tan_of(vd size, vu sign) {
  vu quarters;
  vd low, x = rest(size, &quarters, &low);
  vd z = x * x, z2 = z * z, high = FMA(z, all(-0.5), all(1.0));
  vd s_tail = sin_tail(x, low, z, z2, 1), c_tail = cos_tail(x, low, z, z2, high, 1);
  vd s = x + s_tail, s_low = x - s + s_tail;
  vd c = high + c_tail, c_low = high - c + c_tail;
  mask turned = odd(quarters);
  vd a = choose(turned, c, s), a_low = choose(turned, c_low, s_low);
  vd b = choose(turned, s, c), b_low = choose(turned, s_low, c_low);
  // The quotient, and what it leaves over.
  vd inverse = 1.0 / b, q = a * inverse;
  vd over = FMA(-q, b, a) + FMA(-q, b_low, a_low);
  return D(U(FMA(over, inverse, q)) ^ sign ^ quarters << 63);
}

static inline vu sign_of(vd x) { return U(x) ^ U(magnitude(x)); }

#if LANES == 1

double numbra_sleef_scalar_sin(double), numbra_sleef_scalar_cos(double), numbra_sleef_scalar_tan(double);

PUBLIC double NAME(sin)(double x) {
  double size = magnitude(x);
  return LIKELY(size < LIMIT) ? sin_of(size, 0, sign_of(x)) : numbra_sleef_scalar_sin(x);
}

PUBLIC double NAME(cos)(double x) {
  double size = magnitude(x);
  return LIKELY(size < LIMIT) ? sin_of(size, 1, (vu){0}) : numbra_sleef_scalar_cos(x);
}

PUBLIC double NAME(tan)(double x) {
  double size = magnitude(x);
  return LIKELY(size < LIMIT) ? tan_of(size, sign_of(x)) : numbra_sleef_scalar_tan(x);
}

#else

double numbra_own_scalar_sin(double), numbra_own_scalar_cos(double), numbra_own_scalar_tan(double);

// Where a lane is large, infinite or NaN, the scalar function computes them all: its bits are the same.
static inline int all_small(vd size) { return LIKELY(every(LESS(size, all(LIMIT)))); }

PUBLIC vd NAME(sin)(vd x) {
  vd size = magnitude(x);
  return all_small(size) ? sin_of(size, 0, sign_of(x)) : each(x, numbra_own_scalar_sin);
}

PUBLIC vd NAME(cos)(vd x) {
  vd size = magnitude(x);
  return all_small(size) ? sin_of(size, 1, (vu){0}) : each(x, numbra_own_scalar_cos);
}

PUBLIC vd NAME(tan)(vd x) {
  vd size = magnitude(x);
  return all_small(size) ? tan_of(size, sign_of(x)) : each(x, numbra_own_scalar_tan);
}

#endif
