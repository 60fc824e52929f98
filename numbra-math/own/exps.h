// What functions share that have an exponential in them.

// e^(x + tail) as 2^(k/N) (1 + tmp): the bits of 2^(k/N), k, and tmp.
static inline vd exp_parts(vd x, const vd *tail, vu *sbits, vu *ki) {
  vd kd = FMA(all(__exp_data.invln2N), x, all(__exp_data.shift));
  *ki = U(kd);
  kd -= __exp_data.shift;
  vd r = FMA(kd, all(__exp_data.negln2loN), FMA(kd, all(__exp_data.negln2hiN), x));
  if (tail) r += *tail;
  vd t, scale;
  pair((const double *)__exp_data.tab, *ki, EXP_TABLE_BITS, &t, &scale);
  *sbits = U(scale) + (*ki << (52 - EXP_TABLE_BITS));
  vd r2 = r * r;
  vd low = FMA(r, all(__exp_data.poly[1]), all(__exp_data.poly[0]));
  vd high = FMA(r, all(__exp_data.poly[3]), all(__exp_data.poly[2]));
  return FMA(r2 * r2, high, FMA(r2, low, t + r));
}
