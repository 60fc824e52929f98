// erf and erfc in single precision: as in double precision, in fewer terms and without low parts.

#include "math_config.h"

#include "lanes.h"

extern const double numbra_erff_near[8], numbra_erfcf[13];

// e^-z, 0 <= z < 200.
static inline vd exp_of_minus(vd z) {
  vd shifted = FMA(z, all(-0x1.71547652b82fep+0), all(0x1.8p52));
  vd k = shifted - 0x1.8p52;
  vd r = FMA(k, all(-0x1.62e42fefa39efp-1), -z);
  // e^r = 1 + r + r^2 p(r)
  vd r2 = r * r;
  vd p = FMA(r2, FMA(r, all(0x1.a03555d2ec01cp-13), all(0x1.6d71ebed786c2p-10)), FMA(r, all(0x1.111187c515a74p-7), all(0x1.5554b17835514p-5)));
  p = FMA(r2, p, FMA(r, all(0x1.555554f0a02adp-3), all(0x1.00000025a41fap-1)));
  vd scale = D((U(shifted) << 52) + every_bits(0x3ff0000000000000));
  return FMA(scale, FMA(r2, p, r), scale);
}

// erfc(t), 0 <= t <= 10.2.
static inline vd erfc_of(vd t) {
  vd r = 1.0 / (t + 2.0);
  vd q = FMA(all(-4.0), r, all(1.0));
  vd q2 = q * q, q4 = q2 * q2;
  const double *c = numbra_erfcf;
  vd p = FMA(q4 * q4, FMA(q4, all(c[12]), poly4(c + 8, q, q2)), FMA(q4, poly4(c + 4, q, q2), poly4(c, q, q2)));
  return exp_of_minus(t * t) * (p * r);
}

static inline vd erfc_half(vd x) {
  vd y = erfc_of(at_most(10.2, magnitude(x)));
  return choose(LESS(x, all(0.0)), 2.0 - y, y);
}

static inline vd erf_near(vd x) {
  vd z = x * x, z2 = z * z;
  const double *c = numbra_erff_near;
  return FMA(x, FMA(z2 * z2, poly4(c + 4, z, z2), poly4(c, z, z2)), x);
}

static inline vd erf_half(vd x) {
  vd size = magnitude(x);
  mask near = LESS(size, all(1.0));
  if (every(near)) return erf_near(x);
  vd y = 1.0 - erfc_of(at_most(5.0, size));
  return choose(near, erf_near(x), D(U(y) | (U(x) ^ U(size))));
}

PUBLIC vf NAME(erff)(vf x) { return narrow(erf_half(low_half(x)), erf_half(high_half(x))); }
PUBLIC vf NAME(erfcf)(vf x) { return narrow(erfc_half(low_half(x)), erfc_half(high_half(x))); }
