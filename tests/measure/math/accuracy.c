// Errors of numbra-math's functions against libquadmath (113 bits), or, for single precision, the C library's long double
// (64 bits). A lane of a vector has the bits of the scalar function, so the scalar functions stand for all.
//
// usage: accuracy FUNCTION POINTS; prints `function,bits,points,max ulp,x,y` and then, for each bin of x,
// `function,bits,bin,from,to,max ulp`.

#include <math.h>
#include <quadmath.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;
enum { BINS = 120 };

static uint64_t state = 1;

static uint64_t bits(void) {
  state += 0x9e3779b97f4a7c15ull;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static double uniform(double low, double high) { return low + (high - low) * ((bits() >> 11) * 0x1p-53); }

static double as_double(uint64_t b) {
  double x;
  memcpy(&x, &b, 8);
  return x;
}

static float as_float(uint32_t b) {
  float x;
  memcpy(&x, &b, 4);
  return x;
}

#define DECLARE(isa, name) double isa##name(double); float isa##name##f(float);
#define DECLARE2(isa, name) double isa##name(double, double); float isa##name##f(float, float);
#define ONE(F) F(expm1) F(log10) F(log1p) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) \
  F(asinh) F(acosh) F(atanh) F(cbrt) F(erf) F(erfc)
#define SLEEF(name) DECLARE(numbra_sleef_scalar_, name)
ONE(SLEEF) SLEEF(exp) SLEEF(exp2) SLEEF(log) SLEEF(log2)
DECLARE2(numbra_sleef_scalar_, atan2) DECLARE2(numbra_sleef_scalar_, hypot)
double numbra_own_scalar_exp(double), numbra_own_scalar_exp2(double), numbra_own_scalar_log(double);
double numbra_own_scalar_log2(double), numbra_own_scalar_pow(double, double), numbra_own_scalar_tanh(double);
double numbra_own_scalar_expm1(double), numbra_own_scalar_log1p(double), numbra_own_scalar_sinh(double), numbra_own_scalar_cosh(double);
double numbra_own_scalar_asinh(double), numbra_own_scalar_acosh(double), numbra_own_scalar_atanh(double), numbra_own_scalar_hypot(double, double);
float numbra_own_scalar_expf(float), numbra_own_scalar_exp2f(float), numbra_own_scalar_logf(float), numbra_own_scalar_sinf(float), numbra_own_scalar_cosf(float), numbra_own_scalar_tanhf(float);
float numbra_own_scalar_expm1f(float), numbra_own_scalar_log2f(float), numbra_own_scalar_sinhf(float), numbra_own_scalar_coshf(float);
float numbra_own_scalar_asinhf(float), numbra_own_scalar_acoshf(float), numbra_own_scalar_atanhf(float);
double numbra_own_scalar_log10(double), numbra_own_scalar_asin(double), numbra_own_scalar_acos(double), numbra_own_scalar_atan(double), numbra_own_scalar_atan2(double, double);
double numbra_own_scalar_erf(double), numbra_own_scalar_erfc(double);
double numbra_own_scalar_sin(double), numbra_own_scalar_cos(double), numbra_own_scalar_tan(double);
double numbra_own_scalar_tgamma(double), numbra_own_scalar_lgamma(double);
float numbra_own_scalar_tgammaf(float), numbra_own_scalar_lgammaf(float);
float numbra_own_scalar_erff(float), numbra_own_scalar_erfcf(float), numbra_own_scalar_powf(float, float), numbra_own_scalar_hypotf(float, float);

static quad exp2_quad(quad x) { return exp2q(x); }

struct function {
  const char *name;
  double (*one)(double), (*two)(double, double);
  float (*onef)(float), (*twof)(float, float);
  quad (*quad1)(quad), (*quad2)(quad, quad);
  long double (*long1)(long double), (*long2)(long double, long double);
  double low, high, lowf, highf; // where half of the points lie
};

// Who computes it in double and in single precision, and what it is compared with.
#define BY(name, lib, libf, q, a, b, c, d) {#name, numbra_##lib##_scalar_##name, 0, numbra_##libf##_scalar_##name##f, 0, q, 0, name##l, 0, a, b, c, d}
#define ROW(name, a, b, c, d) BY(name, sleef, sleef, name##q, a, b, c, d)

static const struct function functions[] = {
  BY(exp, own, own, expq, -745, 709.7, -103, 88.7), BY(exp2, own, own, exp2_quad, -1074, 1023.9, -149, 127.9),
  BY(expm1, own, own, expm1q, -40, 709.7, -20, 88.7), BY(log, own, own, logq, 0, 10, 0, 10), BY(log2, own, own, log2q, 0, 10, 0, 10),
  BY(log10, own, sleef, log10q, 0, 10, 0, 10), BY(log1p, own, sleef, log1pq, -1, 10, -1, 10), BY(sin, own, own, sinq, -100, 100, -100, 100), BY(cos, own, own, cosq, -100, 100, -100, 100),
  BY(tan, own, sleef, tanq, -100, 100, -100, 100), BY(asin, own, sleef, asinq, -1, 1, -1, 1), BY(acos, own, sleef, acosq, -1, 1, -1, 1), BY(atan, own, sleef, atanq, -20, 20, -20, 20),
  {"atan2", 0, numbra_own_scalar_atan2, 0, numbra_sleef_scalar_atan2f, 0, atan2q, 0, atan2l, -20, 20, -20, 20}, BY(sinh, own, own, sinhq, -710.4, 710.4, -89.4, 89.4), BY(cosh, own, own, coshq, -710.4, 710.4, -89.4, 89.4),
  BY(tanh, own, own, tanhq, -20, 20, -10, 10), BY(asinh, own, own, asinhq, -20, 20, -20, 20), BY(acosh, own, own, acoshq, 1, 20, 1, 20), BY(atanh, own, own, atanhq, -1, 1, -1, 1),
  {"pow", 0, numbra_own_scalar_pow, 0, numbra_own_scalar_powf, 0, powq, 0, powl, 0, 20, 0, 20}, ROW(cbrt, -20, 20, -20, 20),
  {"hypot", 0, numbra_own_scalar_hypot, 0, numbra_own_scalar_hypotf, 0, hypotq, 0, hypotl, -20, 20, -20, 20}, BY(erf, own, own, erfq, -6, 6, -4, 4), BY(erfc, own, own, erfcq, -6, 26.5, -4, 10), BY(tgamma, own, own, tgammaq, -170, 171.6, -33, 35),
  BY(lgamma, own, own, lgammaq, -50, 50, -50, 50),
};

struct worst {
  double ulp, x, y, bins[BINS];
};

static void note(struct worst *w, double ulp, double x, double y, double low, double high) {
  double at = (x - low) / (high - low) * BINS;
  if (at >= 0 && at < BINS && ulp > w->bins[(int)at]) w->bins[(int)at] = ulp;
  if (ulp > w->ulp) w->ulp = ulp, w->x = x, w->y = y;
}

// |got - want| in units of the spacing of floats of `digits` bits around `want`.
static double error(quad got, quad want, int digits, int least) {
  int exponent;
  frexpq(want, &exponent);
  exponent -= digits;
  if (exponent < least) exponent = least;
  return (double)ldexpq(fabsq(got - want), -exponent);
}

static double error_long(long double got, long double want) {
  int exponent;
  frexpl(want, &exponent);
  exponent -= 24;
  if (exponent < -149) exponent = -149;
  return (double)ldexpl(fabsl(got - want), -exponent);
}

static void print(const struct function *f, int size, long points, const struct worst *w, double low, double high) {
  printf("%s,%d,%ld,%.4f,%a,%a\n", f->name, size, points, w->ulp, w->x, w->y);
  for (int i = 0; i < BINS; i++)
    printf("%s,%d,bin%d,%.6g,%.6g,%.4f\n", f->name, size, i, low + (high - low) * i / BINS, low + (high - low) * (i + 1) / BINS, w->bins[i]);
}

// Not counted: results that round to infinity or are subnormal, and those of lgamma near its zeros at negative numbers,
// where its error is absolute.
static void doubles(const struct function *f, long points) {
  struct worst w = {0};
  long used = 0;
  while (used < points) {
    double x = used % 2 ? uniform(f->low, f->high) : as_double(bits());
    double y = used % 4 < 2 ? uniform(-20, 20) : as_double(bits());
    if (f->one && f->low >= 0) x = fabs(x);
    if (f->two == numbra_own_scalar_pow) x = fabs(x);
    quad want = f->one ? f->quad1(x) : f->quad2(x, y);
    double got = f->one ? f->one(x) : f->two(x, y);
    if (x != x || y != y || isnanq(want) || fabsq(want) > 0x1.fffffffffffffp1023Q || fabsq(want) < 0x1p-1021Q || f->quad1 == lgammaq && x < 0 && fabsq(want) < 1) {
      // Outside of the domain or range: another point, now and then of the other kind.
      if (used % 2 == 0 && bits() % 4 == 0) used++;
      continue;
    }
    note(&w, error(got, want, 53, -1074), x, y, f->low, f->high);
    used++;
  }
  print(f, 64, used, &w, f->low, f->high);
}

static void singles(const struct function *f, long points) {
  struct worst w = {0};
  long used = 0;
  while (used < points) {
    float x = used % 2 ? (float)uniform(f->lowf, f->highf) : as_float(bits());
    float y = used % 4 < 2 ? (float)uniform(-20, 20) : as_float(bits());
    if (f->lowf >= 0) x = fabsf(x);
    long double want = f->onef ? f->long1(x) : f->long2(x, y);
    float got = f->onef ? f->onef(x) : f->twof(x, y);
    if (x != x || y != y || isnan(want) || fabsl(want) > 0x1.fffffep127L || fabsl(want) < 0x1p-125L || f->long1 == lgammal && x < 0 && fabsl(want) < 1) {
      if (used % 2 == 0 && bits() % 4 == 0) used++;
      continue;
    }
    note(&w, error_long(got, want), x, y, f->lowf, f->highf);
    used++;
  }
  print(f, 32, used, &w, f->lowf, f->highf);
}

int main(int count, char **args) {
  if (count < 3) return 2;
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(functions[i].name, args[1])) continue;
    doubles(&functions[i], atol(args[2]));
    singles(&functions[i], atol(args[2]));
    return 0;
  }
  return 1;
}
