// In double precision: expm1, log1p, the hyperbolic functions and their inverses, and hypot. By their definitions, on the tables
// of exp and pow, where every rounding error that counts is kept in a second number.

#include "math_config.h"

#include "lanes.h"
#include "logs.h"

// a + b, and what the sum loses: for |a| >= |b|, or for any two numbers.
static inline vd sum_of(vd a, vd b, vd *low) {
  vd sum = a + b;
  *low = a - sum + b;
  return sum;
}

static inline vd sum_of_any(vd a, vd b, vd *low) {
  vd sum = a + b;
  vd part = sum - a;
  *low = (a - (sum - part)) + (b - part);
  return sum;
}

// e^x - 1 in two parts, -50 <= x < 709.
static inline vd expm1_near(vd x, vd *low) {
  vd kd = FMA(all(__exp_data.invln2N), x, all(__exp_data.shift));
  vu ki = U(kd);
  kd -= __exp_data.shift;
  vd first = FMA(kd, all(__exp_data.negln2hiN), x);
  vd r = FMA(kd, all(__exp_data.negln2loN), first);
  vd r_low = FMA(kd, all(__exp_data.negln2loN), first - r);
  vd t, scale;
  pair((const double *)__exp_data.tab, ki, EXP_TABLE_BITS, &t, &scale);
  scale = D(U(scale) + (ki << (52 - EXP_TABLE_BITS)));
  vd r2 = r * r;
  vd p = FMA(r, all(__exp_data.poly[1]), all(__exp_data.poly[0]));
  vd q = FMA(r, all(__exp_data.poly[3]), all(__exp_data.poly[2]));
  // e^x = scale (1 + t) e^r = scale (1 + r + q)
  q = FMA(r2 * r2, q, FMA(r2, p, FMA(t, r, t + r_low)));
  vd less_low, sum_low, less = sum_of_any(scale, all(-1.0), &less_low);
  vd product = scale * r;
  vd sum = sum_of(less, product, &sum_low);
  return sum_of(sum, sum_low + FMA(scale, q, FMA(scale, r, -product) + less_low), low);
}

// n / d, both in two parts: the result in two parts.
static inline vd quotient(vd n, vd n_low, vd d, vd d_low, vd *low) {
  vd inverse = 1.0 / d;
  vd y = n * inverse;
  *low = (FMA(-y, d, n) + FMA(-y, d_low, n_low)) * inverse;
  return y;
}

// The square root of x + x_low; of 0, too.
static inline vd root_of(vd x, vd x_low, vd *low) {
  vd y = root(x);
  *low = (FMA(-y, y, x) + x_low) / at_least(0x1p-1000, y + y);
  return y;
}

// log(1 + x + x_low), x > -1.
static inline vd log1p_near(vd x, vd x_low) {
  vd low, tail, w = sum_of_any(all(1.0), x, &low);
  vd y = pow_log(U(w), &tail);
  return y + (tail + (low + x_low) / w);
}

static inline vd tanh_near(vd x) {
  vd n_low, d_low, low, n = expm1_near(x + x, &n_low), d = sum_of_any(n, all(2.0), &d_low);
  vd y = quotient(n, n_low, d, d_low + n_low, &low);
  return y + low;
}

static inline vd sinh_near(vd x) {
  vd n_low, d_low, y_low, s_low, n = expm1_near(x, &n_low), d = sum_of_any(n, all(1.0), &d_low);
  vd y = quotient(n, n_low, d, d_low + n_low, &y_low);
  vd s = sum_of(n, y, &s_low);
  return 0.5 * (s + (s_low + n_low + y_low));
}

static inline vd cosh_near(vd x) {
  vd n_low, d_low, y_low, s_low, n = expm1_near(x, &n_low), d = sum_of_any(n, all(1.0), &d_low);
  d_low += n_low;
  vd y = quotient(all(1.0), all(0.0), d, d_low, &y_low);
  vd s = sum_of(d, y, &s_low);
  return 0.5 * (s + (s_low + d_low + y_low));
}

// log(1 + (x + x^2 / (sqrt(x^2 + 1) + 1)))
static inline vd asinh_near(vd x) {
  vd t_low, s_low, d_low, m_low, u_low;
  vd q = x * x, q_low = FMA(x, x, -q);
  vd t = sum_of_any(q, all(1.0), &t_low);
  vd s = root_of(t, t_low + q_low, &s_low);
  vd d = sum_of(s, all(1.0), &d_low);
  vd m = quotient(q, q_low, d, d_low + s_low, &m_low);
  vd u = sum_of(x, m, &u_low);
  return log1p_near(u, u_low + m_low);
}

// log(1 + (t + sqrt(t^2 + 2 t))), t = x - 1
static inline vd acosh_near(vd x) {
  vd q_low, s_low, u_low, t = x - 1.0;
  vd square = t * t, square_low = FMA(t, t, -square);
  vd q = sum_of_any(square, t + t, &q_low);
  vd s = root_of(q, q_low + square_low, &s_low);
  vd u = sum_of(s, t, &u_low);
  return log1p_near(u, u_low + s_low);
}

// log(1 + 2 x / (1 - x)) / 2
static inline vd atanh_near(vd x) {
  vd d_low, u_low, d = sum_of(all(1.0), -x, &d_low);
  vd u = quotient(x + x, all(0.0), d, d_low, &u_low);
  return 0.5 * log1p_near(u, u_low);
}

static inline vd hypot_near(vd x, vd y) {
  vd q_low, s_low;
  vd xx = x * x, yy = y * y, low = FMA(x, x, -xx) + FMA(y, y, -yy);
  vd q = sum_of_any(xx, yy, &q_low);
  vd s = root_of(q, q_low + low, &s_low);
  return s + s_low;
}

static inline vd with_sign(vd size, vd x) { return D(U(size) | (U(x) ^ U(magnitude(x)))); }

PUBLIC vd NAME(tanh)(vd x) { return with_sign(tanh_near(at_most(20.0, magnitude(x))), x); }

// Beyond this the functions have other formulas, which are SLEEF's.
#define EXP_LIMIT 700.0
#define SQUARE_LIMIT 1e150

#if LANES == 1

double numbra_own_scalar_exp(double), numbra_sleef_scalar_sinh(double), numbra_sleef_scalar_cosh(double);
double numbra_sleef_scalar_asinh(double), numbra_sleef_scalar_acosh(double), numbra_sleef_scalar_hypot(double, double);

PUBLIC double NAME(expm1)(double x) {
  double low;
  if (LIKELY(x < EXP_LIMIT)) return with_sign(expm1_near(at_least(-50.0, x), &low), x);
  return numbra_own_scalar_exp(x);
}

PUBLIC double NAME(sinh)(double x) {
  if (LIKELY(magnitude(x) < EXP_LIMIT)) return with_sign(sinh_near(magnitude(x)), x);
  return numbra_sleef_scalar_sinh(x);
}

PUBLIC double NAME(cosh)(double x) {
  if (LIKELY(magnitude(x) < EXP_LIMIT)) return cosh_near(magnitude(x));
  return numbra_sleef_scalar_cosh(x);
}

PUBLIC double NAME(log1p)(double x) {
  if (LIKELY(-1 < x && x < INFINITY)) return with_sign(log1p_near(x, 0), x);
  return x == -1 ? -INFINITY : x < -1 ? NAN : x;
}

PUBLIC double NAME(asinh)(double x) {
  if (LIKELY(magnitude(x) < SQUARE_LIMIT)) return with_sign(asinh_near(magnitude(x)), x);
  return numbra_sleef_scalar_asinh(x);
}

PUBLIC double NAME(acosh)(double x) {
  if (LIKELY(1 <= x && x < SQUARE_LIMIT)) return acosh_near(x);
  if (x < 1) return NAN;
  return numbra_sleef_scalar_acosh(x);
}

PUBLIC double NAME(atanh)(double x) {
  if (LIKELY(magnitude(x) < 1)) return with_sign(atanh_near(magnitude(x)), x);
  return magnitude(x) == 1 ? x * INFINITY : NAN;
}

static inline int hypot_is_near(double x, double y) {
  double most = magnitude(x) > magnitude(y) ? magnitude(x) : magnitude(y);
  return 1 / SQUARE_LIMIT < most && magnitude(x) < SQUARE_LIMIT && magnitude(y) < SQUARE_LIMIT;
}

PUBLIC double NAME(hypot)(double x, double y) {
  if (LIKELY(hypot_is_near(x, y))) return hypot_near(x, y);
  return numbra_sleef_scalar_hypot(x, y);
}

#else

// A function with a range; where a lane is outside, the scalar function computes them all.
#define RANGED(name, inside, value)                                                     \
  double numbra_own_scalar_##name(double);                                              \
  PUBLIC vd NAME(name)(vd x) {                                                          \
    vd size = magnitude(x), low;                                                        \
    if (UNLIKELY(!every(inside))) return each(x, numbra_own_scalar_##name);              \
    return value;                                                                       \
  }

RANGED(expm1, LESS(x, all(EXP_LIMIT)), with_sign(expm1_near(at_least(-50.0, x), &low), x))
RANGED(sinh, LESS(size, all(EXP_LIMIT)), with_sign(sinh_near(size), x))
RANGED(cosh, LESS(size, all(EXP_LIMIT)), cosh_near(size))
RANGED(log1p, LESS(all(-1.0), x) & LESS(x, all(INFINITY)), with_sign(log1p_near(x, all(0.0)), x))
RANGED(asinh, LESS(size, all(SQUARE_LIMIT)), with_sign(asinh_near(size), x))
RANGED(acosh, LESS_EQUAL(all(1.0), x) & LESS(x, all(SQUARE_LIMIT)), acosh_near(x))
RANGED(atanh, LESS(size, all(1.0)), with_sign(atanh_near(size), x))

double numbra_own_scalar_hypot(double, double);

PUBLIC vd NAME(hypot)(vd x, vd y) {
  vd a = magnitude(x), b = magnitude(y);
  mask large = LESS(all(1 / SQUARE_LIMIT), a) | LESS(all(1 / SQUARE_LIMIT), b);
  if (UNLIKELY(!every(large & LESS(a, all(SQUARE_LIMIT)) & LESS(b, all(SQUARE_LIMIT))))) return each_pair(x, y, numbra_own_scalar_hypot);
  return hypot_near(x, y);
}

#endif
