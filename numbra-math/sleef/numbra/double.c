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
// Small results are computed 2^64 times as large, so that their low parts are no subnormal numbers.
static INLINE CONST vdouble small_gamma(vdouble x) {
  dd2 d = gammak(x);
  vdouble2 e = ddadd2_vd2_vd2_vd2(dd2geta_vd2_dd2(d), ddmul_vd2_vd2_vd(LOG_2, vcast_vd_d(64)));
  vdouble2 y = ddmul_vd2_vd2_vd2(expk2(e), dd2getb_vd2_dd2(d));
  return vmul_vd_vd_vd(vadd_vd_vd_vd(vd2getx_vd_vd2(y), vd2gety_vd_vd2(y)), vcast_vd_d(0x1p-64));
}

// An underflow keeps its sign: negative between -(2n+1) and -2n.
EXPORT CONST vdouble NUMBRA_NAME(tgamma)(vdouble x) {
  vdouble y = xtgamma_u1(x);
  vopmask large = vor_vo_vo_vo(vle_vo_vd_vd(vcast_vd_d(1e-280), vabs_vd_vd(y)), visnan_vo_vd(y));
  if (!ALL(large)) y = SELECT(large, y, small_gamma(x));
  vdouble half = vmul_vd_vd_vd(xfloor(x), vcast_vd_d(0.5));
  vopmask even = veq_vo_vd_vd(half, xfloor(half));
  vopmask underflow = vand_vo_vo_vo(veq_vo_vd_vd(y, vcast_vd_d(0)), vlt_vo_vd_vd(x, vcast_vd_d(0)));
  return SELECT(underflow, SELECT(even, vcast_vd_d(0), vcast_vd_d(-0.0)), y);
}

// x (log x - 1) for large x: what Stirling's series adds is less than a rounding error.
EXPORT CONST vdouble NUMBRA_NAME(lgamma)(vdouble x) {
  vdouble y = xlgamma_u1(x);
  vopmask inside = vle_vo_vd_vd(x, vcast_vd_d(1e300));
  if (!ALL(inside)) {
    vdouble2 d = ddmul_vd2_vd2_vd(ddadd2_vd2_vd2_vd(logk2(vcast_vd2_vd_vd(x, vcast_vd_d(0))), vcast_vd_d(-1)), x);
    vdouble z = vadd_vd_vd_vd(vd2getx_vd_vd2(d), vd2gety_vd_vd2(d));
    z = SELECT(vle_vo_vd_vd(x, vcast_vd_d(0x1.754d9278b51a7p+1014)), z, vadd_vd_vd_vd(x, vcast_vd_d(SLEEF_INFINITY)));
    y = SELECT(inside, y, z);
  }
  return y;
}
