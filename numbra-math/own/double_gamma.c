// lgamma and the gamma function in double precision: up to 8 by polynomials on sixteen pieces, from there on by Stirling's
// series. Small arguments are reduced to 1 + x, negative ones to -x.

#include "math_config.h"

#include "lanes.h"
#include "exps.h"
#include "logs.h"

extern const double numbra_lgamma_near[17 * 16], numbra_gamma_near[17 * 16], numbra_gamma_far[7], numbra_sine_of_pi[7];

#define NEAR_LIMIT 8.0
#define PI 0x1.921fb54442d18p+1
#define PI_LOW 0x1.1a62633145c07p-53
#define LOG_PI 0x1.250d048e7a1bdp+0
#define LOG_PI_LOW 0x1.7abf2ad8d5088p-57
#define SIXTH -0x1.4abbce625be53p+2 // -pi^3/6
#define SIXTH_LOW 0x1.05511c68476a8p-52

// a + b, and what it lacks: in general, and where |a| >= |b|.
static inline vd sum(vd a, vd b, vd *low) {
  vd y = a + b, part = y - a;
  *low = a - (y - part) + (b - part);
  return y;
}
static inline vd sum_less(vd a, vd b, vd *low) {
  vd y = a + b;
  *low = a - y + b;
  return y;
}

// The n-th number of piece i in a table of sixteen pieces.
#define OF(n) one_of_16(table + 16 * (n), i)
#define FOUR(n) FMA(t2, FMA(t, OF((n) + 3), OF((n) + 2)), FMA(t, OF((n) + 1), OF(n)))

// A function of x + more by the polynomial of piece i: the sum of the first two terms, and what it lacks with all others. `more` is 0
// or 1, and the sum need not be exact.
static inline vd near(const double *table, vu i, vd x, vd more, vd *low) {
  vd t = x - (OF(0) - more), t2 = t * t, t4 = t2 * t2;
  vd p = FMA(t4, FMA(t4, FOUR(13), FOUR(9)), FOUR(5));
  vd slope = OF(2), step = t * slope, lost;
  vd y = sum_less(OF(1), step, &lost);
  lost += FMA(t, OF(3), FMA(t, slope, -step));
  *low = FMA(t2, OF(4), FMA(t * t2, p, lost));
  return y;
}

// 1/2 <= x + more < 8, four pieces to a power of two.
static inline vd lgamma_near(vd x, vd more, vd *low) {
  vu i = (U(x + more) - every_bits(0x3fe0000000000000)) >> 50;
  return near(numbra_lgamma_near, i, x, more, low);
}

// 1 <= x + more < 8, from 4 on eight pieces to a power of two.
static inline vd gamma_near(vd x, vd more, vd *low) {
  vu i = U(x + more) - every_bits(0x3ff0000000000000);
  i = U(choose(LESS(x, all(4.0)), D(i >> 50), D((i >> 49) - every_bits(8))));
  return near(numbra_gamma_near, i, x, more, low);
}

// lgamma(x) in two parts, x >= 8: (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2 + w(1 / x^2) / x.
static inline vd lgamma_far(vd x, vd *low) {
  vd tail, lost, lost2;
  vd r = 1.0 / x, z = r * r, z2 = z * z;
  const double *c = numbra_gamma_far;
  vd w = FMA(z2, FMA(z2, all(c[6]), FMA(z, all(c[5]), all(c[4]))), FMA(z, all(c[3]), all(c[2])));
  w = r * FMA(z2, w, FMA(z, all(c[1]), all(c[0])));
  vd log = pow_log(U(x), &tail);
  vd less = sum_less(log, all(-1.0), &lost);
  tail += lost;
  vd h = x - 0.5, h_low = x - h - 0.5;
  vd product = h * less;
  tail = FMA(h, tail, FMA(h_low, less, FMA(h, less, -product)));
  vd y = sum_less(product, all(0x1.acfe390c97d69p-2), &lost);
  y = sum_less(y, w, &lost2);
  *low = tail + (lost + lost2 + 0x1.3494bc9001442p-56);
  return y;
}

// |y sin(pi x)| in two parts, x and y positive.
static inline vd times_sine(vd x, vd y, vd *low) {
  vd f = x - whole(x), lost, lost2;
  vd r = choose(LESS(all(0.5), f), 1.0 - f, f);
  vd z = r * r, z2 = z * z;
  const double *c = numbra_sine_of_pi;
  vd p = FMA(z2, FMA(z, all(c[6]), all(c[5])), FMA(z, all(c[4]), all(c[3])));
  p = FMA(z2, p, FMA(z, all(c[2]), all(c[1])));
  p = FMA(z2, all(c[0]), z2 * (z * p));
  // sin(pi r) = r (pi - pi^3/6 r^2 + p), and what the squares and products lack.
  vd cube = z * SIXTH;
  vd part = sum_less(all(PI), cube, &lost);
  lost += FMA(z, all(SIXTH_LOW), FMA(FMA(r, r, -z), FMA(z + z, all(c[0]), all(SIXTH)), FMA(z, all(SIXTH), -cube)));
  lost = FMA(FMA(z, z, -z2), all(c[0]), lost);
  part = sum_less(part, p, &lost2);
  lost += lost2 + PI_LOW;
  vd sine = r * part;
  lost = FMA(r, lost, FMA(r, part, -sine));
  vd product = y * sine;
  *low = FMA(y, lost, FMA(y, sine, -product));
  return product;
}
static inline mask whole_number(vd x) { return LESS_EQUAL(x, whole(x)); }

// base + base_low - log(x + x_low) + y + low.
static inline vd less_log(vd base, vd base_low, vd x, vd x_low, vd y, vd low) {
  vd tail, lost, lost2;
  vd log = pow_log(U(x), &tail);
  vd h = sum(base, -log, &lost);
  h = sum(h, y, &lost2);
  return h + ((lost + lost2) + (base_low - tail - x_low / x) + low);
}

// (y + low) / (x + x_low)
static inline vd quotient(vd y, vd low, vd x, vd x_low) {
  vd r = 1.0 / x, q = y * r;
  return FMA(FMA(-q, x, y) + FMA(-q, x_low, low), r, q);
}

// e^(y + low) 2^shift, and what it lacks.
static inline vd exp_of(vd y, vd low, int shift, vd *lost) {
  vu bits, k;
  vd part = exp_parts(y, &low, &bits, &k);
  vd scale = D(bits + ((uint64_t)shift << 52));
  vd e = FMA(scale, part, scale);
  *lost = FMA(scale, part, scale - e);
  return e;
}

// The gamma function of -x from that of x, or of x + 1 where x is below 1, in two parts.
static inline vd reflected(vd x, vd gamma, vd low) {
  vd sine_low, half = 0.5 * whole(x);
  vd sine = times_sine(x, choose(LESS(x, all(1.0)), all(1.0), x), &sine_low);
  vd y = sine * gamma;
  vd y_low = FMA(sine, low, FMA(sine_low, gamma, FMA(sine, gamma, -y)));
  mask even = whole_number(half);
  return quotient(choose(even, all(-PI), all(PI)), choose(even, all(-PI_LOW), all(PI_LOW)), y, y_low);
}

// Between these limits nothing overflows or underflows on the way.
#define LGAMMA_LIMIT 0x1p1000
#define GAMMA_LEAST 0x1p-1000
#define GAMMA_LIMIT 171.6
#define NEGATIVE_LIMIT 168.0

#if LANES == 1

double NAME(log)(double);

PUBLIC double NAME(lgamma)(double x) {
  double size = magnitude(x), low, sine_low;
  if (LIKELY(0.5 <= x && x < LGAMMA_LIMIT)) {
    double y = x < NEAR_LIMIT ? lgamma_near(x, 0, &low) : lgamma_far(x, &low);
    return y + low;
  }
  if (x != x || size == INFINITY || x == 0) return x != x ? x : INFINITY;
  if (size < 0.5) {
    if (size < 0x1p-1022) return -NAME(log)(size);
    double y = lgamma_near(x, 1, &low);
    return less_log(0, 0, size, 0, y, low);
  }
  // From 2^1000 on, where parts of the series' terms might overflow, x (log x - 1) is all that counts.
  if (x > 0) {
    double tail, log = pow_log(U(x), &tail), less = sum_less(log, -1, &low);
    return FMA(x, less, x * (tail + low));
  }
  if (whole_number(size)) return INFINITY;
  double y = size < NEAR_LIMIT ? lgamma_near(size, 0, &low) : lgamma_far(size, &low);
  double sine = times_sine(size, size, &sine_low);
  return less_log(LOG_PI, LOG_PI_LOW, sine, sine_low, -y, -low);
}

PUBLIC double NAME(tgamma)(double x) {
  double size = magnitude(x), y, low;
  if (LIKELY(1 <= x && x < NEAR_LIMIT)) {
    y = gamma_near(x, 0, &low);
    return y + low;
  }
  if (LIKELY(1 <= x && x < GAMMA_LIMIT)) {
    y = lgamma_far(x, &low);
    return exp_of(y, low, 0, &low);
  }
  if (x != x || x > 171.7) return x != x ? x : INFINITY;
  if (size < GAMMA_LEAST) return 1 / x;
  if (x > 1) {
    y = lgamma_far(x, &low);
    return exp_of(y, low, -64, &low) * 0x1p64;
  }
  if (size < NEAR_LIMIT) {
    y = gamma_near(size, size < 1, &low);
    if (x > 0) return quotient(y, low, x, 0);
    if (whole_number(size)) return NAN;
    y = sum_less(y, low, &low);
    return reflected(size, y, low);
  }
  if (whole_number(size)) return NAN;
  if (size > 188) return whole_number(0.5 * whole(size)) ? -0.0 : 0.0;
  int shift = size > NEGATIVE_LIMIT ? -128 : 0;
  y = lgamma_far(size, &low);
  y = exp_of(y, low, shift, &low);
  y = reflected(size, y, low);
  return shift ? y * 0x1p-128 : y;
}

#else

double numbra_own_scalar_lgamma(double), numbra_own_scalar_tgamma(double);

// Where lanes lie in several ranges, or where arguments are reduced.
static __attribute__((noinline)) vd lgamma_of_some(vd x) {
  vd size = magnitude(x);
  mask small = LESS(size, all(0.5)), negative = LESS_EQUAL(x, all(-0.5)), is_near = LESS(size, all(NEAR_LIMIT));
  mask good = LESS_EQUAL(all(0x1p-1022), size) & LESS(size, all(LGAMMA_LIMIT)) & ~(negative & whole_number(size));
  if (UNLIKELY(!every(good))) return each(x, numbra_own_scalar_lgamma);
  vd low, low_far, y = lgamma_near(choose(small, x, size), choose(small, all(1.0), all(0.0)), &low);
  if (!every(is_near)) {
    vd far = lgamma_far(size, &low_far);
    y = choose(is_near, y, far), low = choose(is_near, low, low_far);
  }
  vd result = y + low;
  if (!any(small | negative)) return result;
  vd of = size, of_low = all(0.0), zero = of_low;
  if (any(negative)) {
    vd sine_low, sine = times_sine(size, size, &sine_low);
    of = choose(negative, sine, of), of_low = choose(negative, sine_low, of_low);
    y = choose(negative, -y, y), low = choose(negative, -low, low);
  }
  vd other = less_log(choose(negative, all(LOG_PI), zero), choose(negative, all(LOG_PI_LOW), zero), of, of_low, y, low);
  return choose(small | negative, other, result);
}

static __attribute__((noinline)) vd tgamma_of_some(vd x) {
  vd size = magnitude(x);
  mask small = LESS(size, all(1.0)), negative = LESS(x, all(0.0)), is_near = LESS(size, all(NEAR_LIMIT));
  mask good = LESS_EQUAL(all(GAMMA_LEAST), size) & LESS(x, all(GAMMA_LIMIT)) & LESS_EQUAL(all(-NEGATIVE_LIMIT), x) & ~(negative & whole_number(size));
  if (UNLIKELY(!every(good))) return each(x, numbra_own_scalar_tgamma);
  vd low, y = gamma_near(size, choose(small, all(1.0), all(0.0)), &low);
  vd result = y + low;
  if (any(small)) result = choose(small, quotient(y, low, x, all(0.0)), result);
  if (!every(is_near)) {
    vd far_low, far = lgamma_far(size, &far_low);
    far = exp_of(far, far_low, 0, &far_low);
    result = choose(is_near, result, far);
    y = choose(is_near, y, far), low = choose(is_near, low, far_low);
  }
  if (any(negative)) {
    y = sum_less(y, low, &low);
    result = choose(negative, reflected(size, y, low), result);
  }
  return result;
}

// Where all lanes are in one of the two ranges that need no reduction.
#define GAMMA(name, least, NEAR, limit, FAR)                                   \
  PUBLIC vd NAME(name)(vd x) {                                                 \
    vd low, y;                                                                 \
    if (LIKELY(every(LESS_EQUAL(all(least), x) & LESS(x, all(NEAR_LIMIT))))) { \
      y = NEAR(x, all(0.0), &low);                                             \
      return y + low;                                                          \
    }                                                                          \
    mask far = LESS_EQUAL(all(NEAR_LIMIT), x) & LESS(x, all(limit));           \
    if (UNLIKELY(!every(far))) return name##_of_some(x);                       \
    y = lgamma_far(x, &low);                                                   \
    return FAR;                                                                \
  }

GAMMA(lgamma, 0.5, lgamma_near, LGAMMA_LIMIT, y + low)
GAMMA(tgamma, 1.0, gamma_near, GAMMA_LIMIT, exp_of(y, low, 0, &low))

#endif
