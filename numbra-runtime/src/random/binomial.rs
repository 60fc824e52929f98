//! Binomial numbers: by inversion for small means, else by BTPE (Kachitvichyanukul and Schmeiser 1988) as NumPy draws them.

use super::bits::Bits;
use crate::numpy_version::numpy_is_at_least;

/// A number of successes; 0 of no trials or without a chance.
pub(super) fn binomial(bits: &mut impl Bits, trials: i64, p: f64) -> i64 {
    draw(bits, trials, p, false)
}

/// As [`binomial`], from a `Generator`, which tests with the error terms that NumPy corrected in 2.5. The legacy stream keeps
/// the older ones.
pub(super) fn binomial_of_generator(bits: &mut impl Bits, trials: i64, p: f64) -> i64 {
    draw(bits, trials, p, numpy_is_at_least((2, 5)))
}

fn draw(bits: &mut impl Bits, trials: i64, p: f64, corrected: bool) -> i64 {
    // NumPy refuses these before it draws; without trials or with impossible chances there is nothing to draw.
    if trials <= 0 || p <= 0.0 || p.is_nan() {
        return 0;
    }
    if p > 1.0 {
        return trials;
    }
    let small = |p: f64| p * trials as f64 <= 30.0;
    if p <= 0.5 {
        if small(p) {
            inversion(bits, trials, p)
        } else {
            Btpe::new(trials, p, corrected).draw(bits)
        }
    } else {
        let q = 1.0 - p;
        trials
            - if small(q) {
                inversion(bits, trials, q)
            } else {
                Btpe::new(trials, q, corrected).draw(bits)
            }
    }
}

fn inversion(bits: &mut impl Bits, trials: i64, p: f64) -> i64 {
    let n = trials as f64;
    let q = 1.0 - p;
    let none = (n * q.ln()).exp();
    let mean = n * p;
    let bound = n.min(mean + 10.0 * (mean * q + 1.0).sqrt()) as i64;
    let (mut x, mut chance, mut u) = (0_i64, none, bits.f64());
    while u > chance {
        x += 1;
        if x > bound {
            (x, chance, u) = (0, none, bits.f64());
        } else {
            u -= chance;
            chance = ((trials - x + 1) as f64 * p * chance) / (x as f64 * q);
        }
    }
    x
}

/// Triangle, parallelogram and exponential tails over the scaled density for `n` trials of chance `r`.
struct Btpe {
    n: i64,
    r: f64,
    q: f64,
    /// The mode.
    m: i64,
    xm: f64,
    xl: f64,
    xr: f64,
    c: f64,
    left: f64,
    right: f64,
    p: [f64; 4],
    corrected: bool,
}

impl Btpe {
    fn new(n: i64, r: f64, corrected: bool) -> Btpe {
        let trials = n as f64;
        let q = 1.0 - r;
        let mean = trials * r + r;
        let m = mean.floor();
        let p1 = (2.195 * (trials * r * q).sqrt() - 4.6 * q).floor() + 0.5;
        let xm = m + 0.5;
        let (xl, xr) = (xm - p1, xm + p1);
        let c = 0.134 + 20.5 / (15.3 + m);
        let slope = |a: f64| a * (1.0 + a / 2.0);
        let left = slope((mean - xl) / (mean - xl * r));
        let right = slope((xr - mean) / (xr * q));
        let p2 = p1 * (1.0 + 2.0 * c);
        let p3 = p2 + c / left;
        let p4 = p3 + c / right;
        Btpe {
            n,
            r,
            q,
            m: m as i64,
            xm,
            xl,
            xr,
            c,
            left,
            right,
            p: [p1, p2, p3, p4],
            corrected,
        }
    }

    fn draw(&self, bits: &mut impl Bits) -> i64 {
        let [p1, p2, p3, p4] = self.p;
        loop {
            let u = bits.f64() * p4;
            let mut v = bits.f64();
            if u <= p1 {
                return (self.xm - p1 * v + u).floor() as i64;
            }
            let y = if u <= p2 {
                let x = self.xl + (u - p1) / self.c;
                v = v * self.c + 1.0 - (self.m as f64 - x + 0.5).abs() / p1;
                if v > 1.0 {
                    continue;
                }
                x.floor() as i64
            } else if u <= p3 {
                let y = (self.xl + v.ln() / self.left).floor() as i64;
                if y < 0 || v == 0.0 {
                    continue;
                }
                v = v * (u - p2) * self.left;
                y
            } else {
                let y = (self.xr - v.ln() / self.right).floor() as i64;
                if y > self.n || v == 0.0 {
                    continue;
                }
                v = v * (u - p3) * self.right;
                y
            };
            if self.accepts(y, v) {
                return y;
            }
        }
    }

    fn accepts(&self, y: i64, v: f64) -> bool {
        let (n, m) = (self.n, self.m);
        let variance = n as f64 * self.r * self.q;
        let k = (y - m).abs();
        if k <= 20 || k as f64 >= variance / 2.0 - 1.0 {
            return v <= self.ratio(y);
        }
        let k = k as f64;
        let rho =
            (k / variance) * ((k * (k / 3.0 + 0.625) + 0.166_666_666_666_666_66) / variance + 0.5);
        let t = -k * k / (2.0 * variance);
        let log = v.ln();
        if log < t - rho {
            return true;
        }
        if log > t + rho {
            return false;
        }
        let x1 = (y + 1) as f64;
        let f1 = (m + 1) as f64;
        let z = (n + 1 - m) as f64;
        let w = (n - y + 1) as f64;
        let (first, sign) = if self.corrected {
            (13_860.0, -1.0)
        } else {
            (13_680.0, 1.0)
        };
        let error = |x: f64| {
            let s = x * x;
            (first - (462.0 - (132.0 - (99.0 - 140.0 / s) / s) / s) / s) / x / 166_320.0
        };
        let limit = self.xm * (f1 / x1).ln()
            + (n as f64 - m as f64 + 0.5) * (z / w).ln()
            + (y - m) as f64 * (w * self.r / (x1 * self.q)).ln()
            + error(f1)
            + error(z)
            + sign * error(x1)
            + sign * error(w);
        log <= limit
    }

    /// The density at `y` by that at the mode.
    fn ratio(&self, y: i64) -> f64 {
        let s = self.r / self.q;
        let a = s * (self.n + 1) as f64;
        let mut f = 1.0;
        for i in self.m + 1..=y {
            f *= a / i as f64 - s;
        }
        for i in y + 1..=self.m {
            f /= a / i as f64 - s;
        }
        f
    }
}
