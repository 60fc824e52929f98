// erf and erfc in double precision. erfc(t) is e^(-t^2) / (t + 2) times what is a smooth function of (t - 2) / (t + 2) for all t >= 0.

#include "math_config.h"

#include "lanes.h"
#include "exps.h"

extern const double numbra_erf_near[13], numbra_erfc[28];

// A polynomial of twelve coefficients, by few steps rather than few operations.
static inline vd poly12(const double *c, vd x, vd x2, vd x4) {
  return FMA(x4, FMA(x4, poly4(c + 8, x, x2), poly4(c + 4, x, x2)), poly4(c, x, x2));
}

// Up to here erf has a series of its own; and erfc is normal and e^(-x^2) needs no care.
#define NEAR_LIMIT 0.875
#define FAR_LIMIT 26.0

// erfc(t) 2^(shift / 2^52), 0 <= t < 27.3.
static inline vd erfc_of(vd t, uint64_t shift) {
  // The sum, its inverse and the square in two parts each.
  vd d = t + 2.0, d_low = t - (d - 2.0);
  vd r = 1.0 / d;
  vd r_low = FMA(-d_low, r, FMA(-d, r, all(1.0))) * r;
  vd square = t * t, tail = FMA(-t, t, square);
  vd q = FMA(all(-4.0), r, all(1.0));
  vd q_low = FMA(all(-4.0), r_low, FMA(all(-4.0), r, 1.0 - q));
  vd q2 = q * q, q4 = q2 * q2;
  const double *c = numbra_erfc;
  vd p = FMA(q4 * q4 * q4, poly12(c + 14, q, q2, q4), poly12(c + 2, q, q2, q4));
  vd slope = FMA(q, p, all(c[1]));
  vd slope_low = FMA(q, p, c[1] - slope) + c[27];
  vd g = FMA(q, slope, all(c[0]));
  vd g_low = FMA(q, slope_low, FMA(q, slope, c[0] - g) + c[26]);
  g_low = FMA(q_low, FMA(q, p, slope), g_low);
  vd h = g * r;
  vd h_low = FMA(g_low, r, FMA(g, r_low, FMA(g, r, -h)));
  vu bits, k;
  vd part = exp_parts(-square, &tail, &bits, &k);
  vd scale = D(bits + shift);
  vd low = FMA(h, part, h_low);
  vd sum = h + low;
  return FMA(scale, sum, scale * (h - sum + low));
}

static inline vd erf_near(vd x) {
  vd z = FMA(x, x, all(-0.5)), z2 = z * z, z4 = z2 * z2;
  const double *c = numbra_erf_near;
  vd p = FMA(z4 * z4, FMA(z4, all(c[12]), poly4(c + 8, z, z2)), FMA(z4, poly4(c + 4, z, z2), poly4(c, z, z2)));
  return FMA(x, p, x);
}

static inline vd erf_far(vd x) {
  vd y = 1.0 - erfc_of(at_most(6.0, magnitude(x)), 0);
  return D(U(y) | (U(x) ^ U(magnitude(x))));
}

#if LANES == 1

PUBLIC double NAME(erf)(double x) { return magnitude(x) < NEAR_LIMIT ? erf_near(x) : erf_far(x); }

PUBLIC double NAME(erfc)(double x) {
  double size = magnitude(x);
  if (LIKELY(size < FAR_LIMIT)) {
    double y = erfc_of(size, 0);
    return x < 0 ? 2.0 - y : y;
  }
  if (x != x) return x;
  if (x < 0) return 2.0;
  return x < 27.3 ? erfc_of(x, 64ull << 52) * 0x1p-64 : 0.0;
}

#else

double numbra_own_scalar_erfc(double);

PUBLIC vd NAME(erf)(vd x) {
  mask near = LESS(magnitude(x), all(NEAR_LIMIT));
  if (every(near)) return erf_near(x);
  return choose(near, erf_near(x), erf_far(x));
}

PUBLIC vd NAME(erfc)(vd x) {
  vd size = magnitude(x);
  if (UNLIKELY(!every(LESS(size, all(FAR_LIMIT))))) return each(x, numbra_own_scalar_erfc);
  vd y = erfc_of(size, 0);
  return choose(LESS(x, all(0.0)), 2.0 - y, y);
}

#endif
