// SLEEF's functions on floats, and those among them that lack something of C99 at the ends of their range, completed.

#include "sleefsimdsp.c"

// |x| <= limit, in all lanes of a call as a rule; false for NaN.
#define INSIDE(x, limit) vle_vo_vf_vf(vabs_vf_vf(x), vcast_vf_f(limit))
#define ALL(mask) LIKELY(vtestallones_i_vo32(mask))
#define SELECT(mask, x, y) vsel_vf_vo_vf_vf(mask, x, y)
#define LOG_2 vcast_vf2_f_f(0.69314718246459960938f, -1.904654323148236017e-09f)

// e^(|x| - log 2), which sinh and cosh are where e^|x| may overflow.
static INLINE CONST vfloat half_of_exp(vfloat x) {
  vfloat2 d = expk2f(dfadd2_vf2_vf2_vf2(vcast_vf2_vf_vf(vabs_vf_vf(x), vcast_vf_f(0)), dfneg_vf2_vf2(LOG_2)));
  return SELECT(INSIDE(x, 0x1.65a9f8p+6f), vadd_vf_vf_vf(vf2getx_vf_vf2(d), vf2gety_vf_vf2(d)), vadd_vf_vf_vf(vabs_vf_vf(x), vcast_vf_f(SLEEF_INFINITYf)));
}

EXPORT CONST vfloat NUMBRA_NAME(sinhf)(vfloat x) {
  vfloat y = xsinhf(x);
  vopmask inside = INSIDE(x, 88);
  if (!ALL(inside)) y = SELECT(inside, y, vmulsign_vf_vf_vf(half_of_exp(x), x));
  return y;
}

EXPORT CONST vfloat NUMBRA_NAME(coshf)(vfloat x) {
  vfloat y = xcoshf(x);
  vopmask inside = INSIDE(x, 88);
  if (!ALL(inside)) y = SELECT(inside, y, half_of_exp(x));
  return y;
}

// log(2 |x|), which asinh and acosh are where the square of x may overflow.
static INLINE CONST vfloat log_of_double(vfloat x) {
  // Of |x| / 2^64: logk2f takes no numbers near the largest.
  vfloat small = vmul_vf_vf_vf(vabs_vf_vf(x), vcast_vf_f(0x1p-64f));
  vfloat2 d = dfadd2_vf2_vf2_vf2(logk2f(vcast_vf2_vf_vf(small, vcast_vf_f(0))), dfmul_vf2_vf2_vf(LOG_2, vcast_vf_f(65)));
  return SELECT(INSIDE(x, 3.4028235e38f), vadd_vf_vf_vf(vf2getx_vf_vf2(d), vf2gety_vf_vf2(d)), vabs_vf_vf(x));
}

EXPORT CONST vfloat NUMBRA_NAME(asinhf)(vfloat x) {
  vfloat y = xasinhf(x);
  vopmask inside = INSIDE(x, 1e18f);
  if (!ALL(inside)) y = SELECT(inside, y, vmulsign_vf_vf_vf(log_of_double(x), x));
  return SELECT(INSIDE(x, 1e-30f), x, y);
}

EXPORT CONST vfloat NUMBRA_NAME(acoshf)(vfloat x) {
  vfloat y = xacoshf(x);
  vopmask inside = vle_vo_vf_vf(x, vcast_vf_f(1e18f));
  if (!ALL(inside)) y = SELECT(inside, y, log_of_double(x));
  return y;
}

// Where the argument is the result to the last bit, subnormal numbers included.
EXPORT CONST vfloat NUMBRA_NAME(log1pf)(vfloat x) { return SELECT(INSIDE(x, 1e-30f), x, xlog1pf(x)); }
