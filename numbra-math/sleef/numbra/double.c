// SLEEF's functions on doubles, and those among them that lack something of C99 at the ends of their range, completed.

#include "sleefsimddp.c"

// |x| <= limit, in all lanes of a call as a rule; false for NaN.
#define INSIDE(x, limit) vle_vo_vd_vd(vabs_vd_vd(x), vcast_vd_d(limit))
#define ALL(mask) LIKELY(vtestallones_i_vo64(mask))
#define SELECT(mask, x, y) vsel_vd_vo_vd_vd(mask, x, y)
#define LOG_2 vcast_vd2_d_d(0.693147180559945286226764, 2.319046813846299558417771e-17)

// e^(|x| - log 2), which sinh and cosh are where e^|x| may overflow.
static INLINE CONST vdouble half_of_exp(vdouble x) {
  vdouble2 d = expk2(ddadd2_vd2_vd2_vd2(vcast_vd2_vd_vd(vabs_vd_vd(x), vcast_vd_d(0)), ddneg_vd2_vd2(LOG_2)));
  return SELECT(INSIDE(x, 0x1.633ce8fb9f87dp+9), vadd_vd_vd_vd(vd2getx_vd_vd2(d), vd2gety_vd_vd2(d)), vadd_vd_vd_vd(vabs_vd_vd(x), vcast_vd_d(SLEEF_INFINITY)));
}

EXPORT CONST vdouble NUMBRA_NAME(sinh)(vdouble x) {
  vdouble y = xsinh(x);
  vopmask inside = INSIDE(x, 709);
  if (!ALL(inside)) y = SELECT(inside, y, vmulsign_vd_vd_vd(half_of_exp(x), x));
  return y;
}

EXPORT CONST vdouble NUMBRA_NAME(cosh)(vdouble x) {
  vdouble y = xcosh(x);
  vopmask inside = INSIDE(x, 709);
  if (!ALL(inside)) y = SELECT(inside, y, half_of_exp(x));
  return y;
}

// log(2 |x|), which asinh and acosh are where the square of x may overflow.
static INLINE CONST vdouble log_of_double(vdouble x) {
  // Of |x| / 2^64: logk2 takes no numbers near the largest.
  vdouble small = vmul_vd_vd_vd(vabs_vd_vd(x), vcast_vd_d(0x1p-64));
  vdouble2 d = ddadd2_vd2_vd2_vd2(logk2(vcast_vd2_vd_vd(small, vcast_vd_d(0))), ddmul_vd2_vd2_vd(LOG_2, vcast_vd_d(65)));
  return SELECT(INSIDE(x, 1.7976931348623157e308), vadd_vd_vd_vd(vd2getx_vd_vd2(d), vd2gety_vd_vd2(d)), vabs_vd_vd(x));
}

EXPORT CONST vdouble NUMBRA_NAME(asinh)(vdouble x) {
  vdouble y = xasinh(x);
  vopmask inside = INSIDE(x, 1e150);
  if (!ALL(inside)) y = SELECT(inside, y, vmulsign_vd_vd_vd(log_of_double(x), x));
  return SELECT(INSIDE(x, 1e-300), x, y);
}

EXPORT CONST vdouble NUMBRA_NAME(acosh)(vdouble x) {
  vdouble y = xacosh(x);
  vopmask inside = vle_vo_vd_vd(x, vcast_vd_d(1e150));
  if (!ALL(inside)) y = SELECT(inside, y, log_of_double(x));
  return y;
}

// Where the argument is the result to the last bit, subnormal numbers included.
EXPORT CONST vdouble NUMBRA_NAME(log1p)(vdouble x) { return SELECT(INSIDE(x, 1e-300), x, xlog1p(x)); }
EXPORT CONST vdouble NUMBRA_NAME(tan)(vdouble x) { return SELECT(INSIDE(x, 1e-300), x, xtan_u1(x)); }
