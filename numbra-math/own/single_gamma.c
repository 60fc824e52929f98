// lgamma and the gamma function in single precision: as in double precision, in fewer terms and without low parts. Nothing on the
// way overflows, so that there are no special arguments.

#include "math_config.h"

#include "lanes.h"
#include "exps.h"
#include "logs.h"

extern const double numbra_lgammaf_near[10 * 16], numbra_gammaf_near[10 * 16], numbra_gammaf_far[3], numbra_sinef_of_pi[6];

#define NEAR_LIMIT 8.0
#define PI 0x1.921fb54442d18p+1
#define LOG_PI 0x1.250d048e7a1bdp+0

#define OF(n) one_of_16(table + 16 * (n), i)
#define FOUR(n) FMA(t2, FMA(t, OF((n) + 3), OF((n) + 2)), FMA(t, OF((n) + 1), OF(n)))

static inline vd near(const double *table, vu i, vd x, vd more) {
  vd t = x - (OF(0) - more), t2 = t * t, t4 = t2 * t2;
  return FMA(t4, FMA(t4, OF(9), FOUR(5)), FOUR(1));
}

static inline vd lgamma_near(vd x, vd more) {
  return near(numbra_lgammaf_near, (U(x + more) - every_bits(0x3fe0000000000000)) >> 50, x, more);
}

static inline vd gamma_near(vd x, vd more) {
  vu i = U(x + more) - every_bits(0x3ff0000000000000);
  i = U(choose(LESS(x, all(4.0)), D(i >> 50), D((i >> 49) - every_bits(8))));
  return near(numbra_gammaf_near, i, x, more);
}

static inline vd lgamma_far(vd x) {
  const double *c = numbra_gammaf_far;
  vd r = 1.0 / x, z = r * r;
  vd w = FMA(z, FMA(z, all(c[2]), all(c[1])), all(c[0]));
  return FMA(x - 0.5, log_far(U(x)) - 1.0, FMA(r, w, all(0x1.acfe390c97d69p-2)));
}

// |x sin(pi x)|, x >= 0
static inline vd times_sine(vd x) {
  vd f = x - whole(x);
  vd r = choose(LESS(all(0.5), f), 1.0 - f, f), z = r * r, z2 = z * z;
  const double *c = numbra_sinef_of_pi;
  return x * r * FMA(z2 * z2, FMA(z, all(c[5]), all(c[4])), FMA(z2, FMA(z, all(c[3]), all(c[2])), FMA(z, all(c[1]), all(c[0]))));
}
static inline mask whole_number(vd x) { return LESS_EQUAL(x, whole(x)); }

static inline vd lgamma_half(vd x) {
  vd size = at_most(0x1p130, magnitude(x)), y = size;
  mask small = LESS(size, all(0.5)), negative = LESS_EQUAL(x, all(-0.5)), is_near = LESS(size, all(NEAR_LIMIT));
  if (any(is_near)) y = lgamma_near(choose(small, x, size), choose(small, all(1.0), all(0.0)));
  if (!every(is_near)) y = choose(is_near, y, lgamma_far(size));
  if (!any(small | negative)) return y;
  // 0 at the poles.
  vd of = any(negative) ? choose(negative, times_sine(size), size) : size;
  vd other = choose(negative, LOG_PI - y, y) - log_far(U(of));
  return choose(small | negative, choose(LESS_EQUAL(of, all(0.0)), all(INFINITY), other), y);
}

static inline vd gamma_half(vd x) {
  // From 40 on results are infinite, and from 60 on those of negative numbers are 0.
  vd size = magnitude(x), least = at_most(60.0, size), y = size;
  mask small = LESS(size, all(1.0)), negative = LESS(x, all(0.0)), is_near = LESS(size, all(NEAR_LIMIT));
  if (any(is_near)) y = gamma_near(size, choose(small, all(1.0), all(0.0)));
  if (!every(is_near)) {
    vu bits, k;
    vd part = exp_parts(lgamma_far(least), 0, &bits, &k);
    y = choose(is_near, y, FMA(D(bits), part, D(bits)));
  }
  if (any(small)) y = choose(small, y / x, y);
  if (!any(negative)) return y;
  vd numerator = choose(whole_number(0.5 * whole(size)), all(-PI), all(PI));
  vd reflected = choose(whole_number(size), all(NAN), numerator / (times_sine(size) * magnitude(y)));
  return choose(negative, reflected, y);
}

PUBLIC vf NAME(lgammaf)(vf x) { return narrow(lgamma_half(low_half(x)), lgamma_half(high_half(x))); }
PUBLIC vf NAME(tgammaf)(vf x) { return narrow(gamma_half(low_half(x)), gamma_half(high_half(x))); }
