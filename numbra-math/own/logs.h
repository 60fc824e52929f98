// What the logarithms of several functions share: parts of a number, and log in two parts as Arm's `pow` has it.

// x = 2^k z with z near 1: z, k, and, in the lowest `bits` bits, the number of z's subinterval.
static inline vu log_parts(vu ix, vu off, int bits, vd *z, vd *kd) {
  vu tmp = ix - off;
  *z = D(ix - (tmp & every_bits(0xfffull << 52)));
  *kd = exponent(tmp);
  return tmp >> (52 - bits);
}

#define LOG_OFF 0x3fe6000000000000

// log(x), where it is not near 0, of bits as `normalised` gives.
static inline vd log_far(vu ix) {
  vd z, kd, invc, logc;
  vu i = log_parts(ix, every_bits(LOG_OFF), LOG_TABLE_BITS, &z, &kd);
  pair(&__log_data.tab[0].invc, i, LOG_TABLE_BITS, &invc, &logc);
  vd r = FMA(z, invc, all(-1.0));
  vd w = FMA(kd, all(__log_data.ln2hi), logc);
  vd hi = w + r;
  vd lo = FMA(kd, all(__log_data.ln2lo), w - hi + r);
  vd r2 = r * r;
  const double *a = __log_data.poly;
  vd p = FMA(r2, FMA(r, all(a[4]), all(a[3])), FMA(r, all(a[2]), all(a[1])));
  return FMA(r * r2, p, FMA(r2, all(a[0]), lo)) + hi;
}

// log(x) in two parts, of bits as `normalised` gives.
static inline vd pow_log(vu ix, vd *tail) {
  vd z, kd, invc, logc, logctail;
  vu i = log_parts(ix, every_bits(0x3fe6955500000000), POW_LOG_TABLE_BITS, &z, &kd);
  row(&__pow_log_data.tab[0].invc, i, POW_LOG_TABLE_BITS, &invc, &logc, &logctail);
  vd r = FMA(z, invc, all(-1.0));
  vd t1 = FMA(kd, all(__pow_log_data.ln2hi), logc);
  vd t2 = t1 + r;
  vd lo1 = FMA(kd, all(__pow_log_data.ln2lo), logctail);
  vd lo2 = t1 - t2 + r;
  const double *a = __pow_log_data.poly;
  vd ar = a[0] * r;
  vd ar2 = r * ar, ar3 = r * ar2;
  vd hi = t2 + ar2;
  vd lo3 = FMA(ar, r, -ar2);
  vd lo4 = t2 - hi + ar2;
  vd p = FMA(ar2, FMA(r, all(a[6]), all(a[5])), FMA(r, all(a[4]), all(a[3])));
  p = FMA(ar2, p, FMA(r, all(a[2]), all(a[1])));
  vd lo = FMA(ar3, p, lo1 + lo2 + lo3 + lo4);
  vd y = hi + lo;
  *tail = hi - y + lo;
  return y;
}
