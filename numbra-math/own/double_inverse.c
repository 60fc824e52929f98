// asin, acos, atan and atan2 in double precision.

#include "math_config.h"

#include "lanes.h"

extern const double numbra_atan[8 * 128], numbra_asin[13];

#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

// --- asin, acos. Beyond 1/2 by s = sqrt((1 - |x|) / 2): acos |x| = 2 asin s.

// 2 s, and what it lacks by the root's inverse, of which five bits are enough.
static inline vd chord_of(vd size, vd *low) {
  vd square = FMA(all(-2.0), size, all(2.0)), chord = root(square);
  *low = FMA(-chord, chord, square) * D(every_bits(0x5fd6eb50c7b537a9) - (U(square) >> 1));
  return chord;
}

// s^2
static inline vd half_of(vd size) { return FMA(all(-0.5), size, all(0.5)); }

// asin(v) / v - 1 for z = v^2.
static inline vd asin_part(vd z) {
  vd z2 = z * z, z4 = z2 * z2;
  const double *c = numbra_asin;
  vd high = FMA(z4, all(c[12]), poly4(c + 8, z, z2));
  return z * FMA(z4 * z4, high, FMA(z4, poly4(c + 4, z, z2), poly4(c, z, z2)));
}

// axis + axis_low + v (1 + part) + v_low, where axis is 0 or as large as v.
static inline vd from_axis(vd axis, vd axis_low, vd v, vd v_low, vd part) {
  vd sum = axis + v;
  return sum + (axis - sum + v + FMA(v, part, v_low + axis_low));
}

// From 0 or from pi.
static inline vd acos_far(vd x, vd size, vd part) {
  vd low, chord = chord_of(size, &low), sign = signed_as(all(0), x);
  vd axis = HALF_PI - signed_as(all(HALF_PI), x), axis_low = HALF_PI_LOW - signed_as(all(HALF_PI_LOW), x);
  return from_axis(axis, axis_low, turned(chord, sign), turned(low, sign), part);
}

// --- atan, atan2

// For 0 <= q <= 1, the row of the table for the multiple of the step nearest to q, and how far q is from it.
static inline const vd *arc_row(vd q, vd *room, vd *h) {
  vd k = FMA(q, all(0x1.fd2e438aa3e69p+6), all(0x1.8p52));
  *h = FMA(k - 0x1.8p52, all(-0x1.016addbd8p-7), q);
  return eight(numbra_atan, U(k), 7, room);
}

// What the row adds to its first number, which is a multiple of 2^-51, as are parts of pi: sums of those are exact.
static inline vd arc_rest(const vd *c, vd h, vd low) {
  vd h2 = h * h;
  vd high = FMA(h2, c[7], FMA(h, c[6], c[5]));
  low = FMA(h2 * h2, high, FMA(h2, FMA(h, c[4], c[3]), low));
  return FMA(h, c[2], low);
}

// num / den, and what rounding took from it.
static inline vd ratio(vd num, vd den, vd *low) {
  vd q = num / den;
  *low = FMA(-q, den, num) * (1.0 / den);
  return q;
}

// Of sides as `atan2_sides` gives: for scalars, too, without branches, since signs and the larger side are often random.
static inline vd atan2_of(vd y, vd x, vd num, vd den) {
  vd low, h, room[8], q = ratio(num, den, &low);
  const vd *c = arc_row(q, room, &h);
  // The axis from which the angle is counted, 0, pi/2 or pi, and to which side.
  vd across = magnitude(x), up = magnitude(y);
  vd axis = HALF_PI - choose_less(across, up, all(0), signed_as(all(HALF_PI), x));
  vd axis_low = HALF_PI_LOW - choose_less(across, up, all(0), signed_as(all(HALF_PI_LOW), x));
  vd side = turned(choose_less(across, up, all(-0.0), all(0)), signed_as(all(0), x));
  low = FMA(c[2], low, c[1]) + turned(axis_low, side);
  return signed_as(axis + turned(c[0], side) + turned(arc_rest(c, h, low), side), y);
}

// The smaller and the larger one of |x| and |y|: true where nothing of their ratio is lost.
static inline mask atan2_sides(vd y, vd x, vd *num, vd *den) {
  vd across = magnitude(x), up = magnitude(y);
  *num = choose_less(across, up, across, up), *den = choose_less(across, up, up, across);
  return LESS_EQUAL(all(0x1p-900), *den) & LESS(*den, all(INFINITY));
}

#if LANES == 1

// Here a branch costs less, even one that is often mispredicted, than a root or a quotient that is not needed.
PUBLIC double NAME(asin)(double x) {
  double size = magnitude(x), low;
  if (size <= 0.5) return FMA(x, asin_part(x * x), x);
  double part = asin_part(half_of(size)), chord = chord_of(size, &low);
  return signed_as(from_axis(HALF_PI, HALF_PI_LOW, -chord, -low, part), x);
}

PUBLIC double NAME(acos)(double x) {
  double size = magnitude(x);
  if (size <= 0.5) return from_axis(HALF_PI, HALF_PI_LOW, -x, 0.0, asin_part(x * x));
  return acos_far(x, size, asin_part(half_of(size)));
}

PUBLIC double NAME(atan)(double x) {
  double size = magnitude(x), y, h, low;
  if (size <= 1.0) {
    const double *c = arc_row(size, 0, &h);
    y = c[0] + arc_rest(c, h, c[1]);
  } else {
    double q = ratio(1.0, at_most(0x1p100, size), &low);
    const double *c = arc_row(q, 0, &h);
    y = (HALF_PI - c[0]) - arc_rest(c, h, FMA(c[2], low, c[1]) - HALF_PI_LOW);
  }
  return signed_as(y, x);
}

PUBLIC double NAME(atan2)(double y, double x) {
  double num, den;
  if (UNLIKELY(!atan2_sides(y, x, &num, &den))) {
    if (x != x || y != y) return x + y;
    if (den == INFINITY) num = num == INFINITY, den = 1.0;
    else if (den == 0) den = 1.0;
    else num *= 0x1p200, den *= 0x1p200;
  }
  return atan2_of(y, x, num, den);
}

#else

double numbra_own_scalar_atan2(double, double);

PUBLIC vd NAME(asin)(vd x) {
  vd size = magnitude(x), low, chord = chord_of(size, &low);
  mask near = LESS_EQUAL(size, all(0.5));
  vd part = asin_part(choose(near, x * x, half_of(size)));
  vd far = from_axis(all(HALF_PI), all(HALF_PI_LOW), -chord, -low, part);
  return choose(near, FMA(x, part, x), signed_as(far, x));
}

PUBLIC vd NAME(acos)(vd x) {
  vd size = magnitude(x);
  mask near = LESS_EQUAL(size, all(0.5));
  vd part = asin_part(choose(near, x * x, half_of(size)));
  return choose(near, from_axis(all(HALF_PI), all(HALF_PI_LOW), -x, all(0), part), acos_far(x, size, part));
}

PUBLIC vd NAME(atan)(vd x) {
  vd size = at_most(0x1p100, magnitude(x)), h, low, room[8];
  mask near = LESS_EQUAL(size, all(1.0));
  vd q = ratio(all(1.0), size, &low);
  const vd *c = arc_row(choose(near, size, q), room, &h);
  low = choose(near, c[1], FMA(c[2], low, c[1]) - HALF_PI_LOW);
  vd rest = arc_rest(c, h, low);
  return signed_as(choose(near, c[0], HALF_PI - c[0]) + choose(near, rest, -rest), x);
}

PUBLIC vd NAME(atan2)(vd y, vd x) {
  vd num, den;
  if (UNLIKELY(!every(atan2_sides(y, x, &num, &den)))) return each_pair(y, x, numbra_own_scalar_atan2);
  return atan2_of(y, x, num, den);
}

#endif
