//! MT19937, the Mersenne Twister, with the second number of a pair of normal ones.

use super::bits::Bits;
use super::streams::entropy;
use numbra_abi::RandomWords;

/// Words of a state.
pub(super) const N: usize = 624;
/// Distance of the word that is mixed in.
const M: usize = 397;
/// Coefficients of the twist.
const MATRIX: u32 = 0x9908_b0df;

/// A generator.
///
/// Compiled code reads the first four fields, as [`RandomWords`] says.
#[derive(Clone)]
#[repr(C)]
pub(super) struct Twister {
    /// Words used since the last twist.
    index: u64,
    /// The words as they are drawn: tempered all at once, which vectors do.
    tempered: [u32; N],
    /// A normal number was computed with the last one.
    has_normal: u64,
    normal: f64,
    words: [u32; N],
    /// Nobody has given a seed yet: the system gives one when a word is wanted. All words count as used until then.
    seeded: bool,
}

const _: () = assert!(
    std::mem::offset_of!(Twister, index) == RandomWords::USED as usize
        && std::mem::offset_of!(Twister, tempered) == RandomWords::WORDS as usize
        && std::mem::offset_of!(Twister, has_normal) == RandomWords::HAS_NORMAL as usize
        && std::mem::offset_of!(Twister, normal) == RandomWords::NORMAL as usize
        && N == RandomWords::COUNT as usize
);

impl Twister {
    pub(super) const UNSEEDED: Twister = Twister {
        index: N as u64,
        tempered: [0; N],
        has_normal: 0,
        normal: 0.0,
        words: [0; N],
        seeded: false,
    };

    /// A state that `state` gave.
    pub(super) fn of_state(index: usize, words: [u32; N]) -> Twister {
        let mut twister = Twister {
            words,
            index: index.min(N) as u64,
            seeded: true,
            ..Twister::UNSEEDED
        };
        twister.temper();
        twister
    }

    /// Words used since the last twist, and the words.
    pub(super) fn state(&mut self) -> (usize, [u32; N]) {
        self.ready();
        (self.index as usize, self.words)
    }

    /// Takes a seed from the system if there is none yet.
    fn ready(&mut self) {
        if !self.seeded {
            self.seed_by(&entropy());
        }
    }

    /// Seeds with one word: `init_genrand` of Matsumoto and Nishimura.
    pub(super) fn seed(&mut self, seed: u32) {
        let mut word = seed;
        for (i, place) in self.words.iter_mut().enumerate() {
            *place = word;
            word = 1_812_433_253_u32
                .wrapping_mul(word ^ word >> 30)
                .wrapping_add(i as u32 + 1);
        }
        self.index = N as u64;
        self.seeded = true;
        self.has_normal = 0;
    }

    /// Seeds with a key: `init_by_array` of Matsumoto and Nishimura.
    pub(super) fn seed_by(&mut self, key: &[u32]) {
        self.seed(19_650_218);
        if key.is_empty() {
            return;
        }
        let mut i = 1;
        for step in 0..N.max(key.len()) {
            let j = step % key.len();
            let before = self.words[i - 1];
            self.words[i] = (self.words[i] ^ (before ^ before >> 30).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i = self.next_place(i);
        }
        for _ in 1..N {
            let before = self.words[i - 1];
            self.words[i] = (self.words[i] ^ (before ^ before >> 30).wrapping_mul(1_566_083_941))
                .wrapping_sub(i as u32);
            i = self.next_place(i);
        }
        self.words[0] = 0x8000_0000;
    }

    fn next_place(&mut self, i: usize) -> usize {
        if i + 1 < N {
            return i + 1;
        }
        self.words[0] = self.words[N - 1];
        1
    }

    /// Makes the next state; the words used so far count as before.
    pub(super) fn twist(&mut self) {
        self.ready();
        self.mix();
        self.temper();
    }

    /// Makes the next state, none of whose words is used.
    #[cold]
    #[inline(never)]
    pub(super) fn refill(&mut self) {
        self.twist();
        self.index = 0;
    }

    fn mix(&mut self) {
        let mix = |high: u32, low: u32| {
            let y = high & 0x8000_0000 | low & 0x7fff_ffff;
            y >> 1 ^ (y & 1).wrapping_neg() & MATRIX
        };
        let words = &mut self.words;
        for i in 0..N - M {
            words[i] = words[i + M] ^ mix(words[i], words[i + 1]);
        }
        for i in N - M..N - 1 {
            words[i] = words[i + M - N] ^ mix(words[i], words[i + 1]);
        }
        words[N - 1] = words[M - 1] ^ mix(words[N - 1], words[0]);
    }

    fn temper(&mut self) {
        for (out, &word) in self.tempered.iter_mut().zip(&self.words) {
            let mut y = word;
            y ^= y >> 11;
            y ^= y << 7 & 0x9d2c_5680;
            y ^= y << 15 & 0xefc6_0000;
            *out = y ^ y >> 18;
        }
    }

    /// Two standard normal numbers by the polar method, one of them kept: as NumPy's legacy generator.
    #[inline]
    pub(super) fn gauss(&mut self) -> f64 {
        if self.has_normal != 0 {
            self.has_normal = 0;
            return self.normal;
        }
        loop {
            let x = 2.0 * self.f64() - 1.0;
            let y = 2.0 * self.f64() - 1.0;
            let r = x * x + y * y;
            if r < 1.0 && r != 0.0 {
                let f = (-2.0 * r.ln() / r).sqrt();
                (self.has_normal, self.normal) = (1, f * x);
                return f * y;
            }
        }
    }
}

impl Bits for Twister {
    #[inline]
    fn u32(&mut self) -> u32 {
        if self.index >= N as u64 {
            self.refill();
        }
        let word = self.tempered[self.index as usize];
        self.index += 1;
        word
    }

    #[inline]
    fn u64(&mut self) -> u64 {
        let high = u64::from(self.u32());
        high << 32 | u64::from(self.u32())
    }

    #[inline]
    fn f64(&mut self) -> f64 {
        let high = f64::from(self.u32() >> 5);
        let low = f64::from(self.u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_ten_thousandth_word_of_the_standard_seed() {
        let mut twister = Twister::UNSEEDED;
        twister.seed(5489);
        assert_eq!(twister.u32(), 3_499_211_612);
        for _ in 1..9_999 {
            twister.u32();
        }
        // The value that the C++ standard requires of `mt19937`.
        assert_eq!(twister.u32(), 4_123_659_995);
    }

    #[test]
    fn first_words_of_the_reference_key() {
        let mut twister = Twister::UNSEEDED;
        twister.seed_by(&[0x123, 0x234, 0x345, 0x456]);
        // Of the authors' mt19937ar.out.
        assert_eq!(twister.u32(), 1_067_595_299);
        assert_eq!(twister.u32(), 955_945_823);
    }
}
