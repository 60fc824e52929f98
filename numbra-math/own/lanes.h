// Vectors of LANES doubles, and of the bits in them, for one instruction set; LANES 1 is a plain double.
// `mask` holds a truth value for each lane. Every fused operation is written as `FMA`: the compiler contracts none.

#include <immintrin.h>
#include <stdint.h>

#define PASTE(isa, name) numbra_own_##isa##_##name
#define EXPAND(isa, name) PASTE(isa, name)
#define NAME(name) EXPAND(NUMBRA_ISA, name)
#define PUBLIC __attribute__((visibility("hidden")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#if LANES == 1

typedef double vd;
typedef uint64_t vu;
typedef uint32_t vi;
typedef int mask;
typedef float vf;

static inline vu U(vd x) { return asuint64(x); }
static inline vd D(vu x) { return asdouble(x); }
static inline vd all(double x) { return x; }
static inline vu every_bits(uint64_t x) { return x; }
static inline vi every_bits32(uint32_t x) { return x; }
static inline vd FMA(vd a, vd b, vd c) { return __builtin_fma(a, b, c); }
#define LESS(a, b) ((a) < (b))
#define LESS_EQUAL(a, b) ((a) <= (b))
static inline int any(mask m) { return m; }
static inline int every(mask m) { return m; }
static inline vd choose(mask m, vd a, vd b) { return m ? a : b; }
static inline mask odd(vu x) { return x & 1; }
// Of a table of pairs, the one at `i`, of which the lowest `bits` bits count.
static inline void pair(const double *tab, vu i, int bits, vd *a, vd *b) {
  i %= 1 << bits;
  *a = tab[2 * i], *b = tab[2 * i + 1];
}
// Of a table of fours, the first, third and fourth number.
static inline void row(const double *tab, vu i, int bits, vd *a, vd *b, vd *c) {
  i %= 1 << bits;
  *a = tab[4 * i], *b = tab[4 * i + 2], *c = tab[4 * i + 3];
}

static inline vd one_of(const double *tab, vu i) { return tab[i]; }
static inline vf one_of_16f(const float *tab, vi i) { return tab[i % 16]; }

static inline vi UF(vf x) { return asuint(x); }
static inline vf F(vi x) { return asfloat(x); }
static inline vf allf(float x) { return x; }
static inline vf FMAF(vf a, vf b, vf c) { return __builtin_fmaf(a, b, c); }
static inline vi shift_signed(vi x, int bits) { return (int32_t)x >> bits; }
static inline vf numberf(vi x) { return (int32_t)x; }
typedef int oddness;
static inline oddness odd_integer(vf shifted) { return asuint(shifted) & 1; }
static inline vf choosef(oddness odd, vf a, vf b) { return odd ? a : b; }
#define PICK(shifted, even, odd) (odd_integer(shifted) ? (odd) : (even))
// The smaller one, NaN if x is.
static inline vf at_mostf(float limit, vf x) { return limit < x ? limit : x; }
static inline vd at_most(double limit, vd x) { return limit < x ? limit : x; }
static inline vf at_leastf(float limit, vf x) { return limit > x ? limit : x; }
static inline vd at_least(double limit, vd x) { return limit > x ? limit : x; }
static inline vd root(vd x) { return __builtin_sqrt(x); }
static inline vf narrow(vd low, vd high) { return (float)low; }
// Without what follows the point.
static inline vd whole(vd x) { return __builtin_trunc(x); }
static inline vf wholef(vf x) { return __builtin_truncf(x); }
// a where x is below 0, else b.
static inline vf choose_negativef(vf x, vf a, vf b) { return x < 0 ? a : b; }
// A scalar is its own half: what is computed for both is computed once.
static inline vd low_half(vf x) { return x; }
static inline vd high_half(vf x) { return x; }

#else

typedef double vd __attribute__((vector_size(8 * LANES)));
typedef uint64_t vu __attribute__((vector_size(8 * LANES)));
typedef float vf __attribute__((vector_size(8 * LANES))); // twice as many
typedef uint32_t vi __attribute__((vector_size(8 * LANES)));

static inline vu U(vd x) { return (vu)x; }
static inline vd D(vu x) { return (vd)x; }
static inline vd all(double x) { return x - (vd){0}; }
#if LANES == 8
// A constant in every lane, from memory, as an operand where instructions take one. From registers these functions, which are
// called for each vector anew, would have to load it first; and integers GCC would move from general registers, which costs more.
#define IN_MEMORY(type, x) ({ static type bits = x; asm("" : "+m"(bits)); bits; })
#define every_bits(x) (IN_MEMORY(uint64_t, x) - (vu){0})
#define every_bits32(x) (IN_MEMORY(uint32_t, x) - (vi){0})
#else
static inline vu every_bits(uint64_t x) {
  vd y = all(asdouble(x));
  asm("" : "+x"(y));
  return U(y);
}
#endif
static inline vi UF(vf x) { return (vi)x; }
static inline vf F(vi x) { return (vf)x; }
static inline vf allf(float x) { return x - (vf){0}; }
#if LANES != 8
static inline vi every_bits32(uint32_t x) {
  vf y = allf(asfloat(x));
  asm("" : "+x"(y));
  return UF(y);
}
#endif
static inline vi shift_signed(vi x, int bits) { return (vi)((int32_t __attribute__((vector_size(8 * LANES))))x >> bits); }

#if LANES == 2
typedef vu mask;
static inline vd FMA(vd a, vd b, vd c) { return _mm_fmadd_pd(a, b, c); }
#define LESS(a, b) ((vu)_mm_cmp_pd(a, b, _CMP_LT_OQ))
#define LESS_EQUAL(a, b) ((vu)_mm_cmp_pd(a, b, _CMP_LE_OQ))
static inline int any(mask m) { return _mm_movemask_pd((vd)m); }
static inline int every(mask m) { return _mm_movemask_pd((vd)m) == 3; }
static inline vd choose(mask m, vd a, vd b) { return _mm_blendv_pd(b, a, (vd)m); }
// As `choose` takes it: the leading bit counts.
static inline mask odd(vu x) { return x << 63; }
static inline void pair(const double *tab, vu i, int bits, vd *a, vd *b) {
  vu at = 2 * (i & every_bits((1 << bits) - 1));
  vd p = _mm_loadu_pd(tab + at[0]), q = _mm_loadu_pd(tab + at[1]);
  *a = _mm_unpacklo_pd(p, q), *b = _mm_unpackhi_pd(p, q);
}
static inline void row(const double *tab, vu i, int bits, vd *a, vd *b, vd *c) {
  vu at = 4 * (i & every_bits((1 << bits) - 1));
  vd p = _mm_loadu_pd(tab + 2 + at[0]), q = _mm_loadu_pd(tab + 2 + at[1]);
  *a = (vd){tab[at[0]], tab[at[1]]};
  *b = _mm_unpacklo_pd(p, q), *c = _mm_unpackhi_pd(p, q);
}
static inline vd one_of(const double *tab, vu i) { return (vd){tab[i[0]], tab[i[1]]}; }
static inline vf one_of_16f(const float *tab, vi i) {
  i &= every_bits32(15);
  return (vf){tab[i[0]], tab[i[1]], tab[i[2]], tab[i[3]]};
}
static inline vf FMAF(vf a, vf b, vf c) { return _mm_fmadd_ps(a, b, c); }
static inline vd at_least(double limit, vd x) { return _mm_max_pd(all(limit), x); }
static inline vf at_leastf(float limit, vf x) { return _mm_max_ps(allf(limit), x); }
static inline vd root(vd x) { return _mm_sqrt_pd(x); }
static inline vd at_most(double limit, vd x) { return _mm_min_pd(all(limit), x); }
static inline vf at_mostf(float limit, vf x) { return _mm_min_ps(allf(limit), x); }
// True where `shifted`, a number and 1.5 2^23, is odd.
typedef vf oddness;
static inline oddness odd_integer(vf shifted) { return F(UF(shifted) << 31); }
static inline vf choosef(oddness odd, vf a, vf b) { return _mm_blendv_ps(b, a, odd); }
#define PICK(shifted, even, odd) choosef(odd_integer(shifted), allf(odd), allf(even))
static inline vf numberf(vi x) { return _mm_cvtepi32_ps((__m128i)x); }
static inline vd low_half(vf x) { return _mm_cvtps_pd(x); }
static inline vd high_half(vf x) { return _mm_cvtps_pd(_mm_movehl_ps(x, x)); }
static inline vf narrow(vd low, vd high) { return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)); }
static inline vd whole(vd x) { return _mm_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
static inline vf wholef(vf x) { return _mm_round_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
static inline vf choose_negativef(vf x, vf a, vf b) { return _mm_blendv_ps(b, a, _mm_cmp_ps(x, allf(0), _CMP_LT_OQ)); }
#elif LANES == 4
typedef vu mask;
static inline vd FMA(vd a, vd b, vd c) { return _mm256_fmadd_pd(a, b, c); }
#define LESS(a, b) ((vu)_mm256_cmp_pd(a, b, _CMP_LT_OQ))
#define LESS_EQUAL(a, b) ((vu)_mm256_cmp_pd(a, b, _CMP_LE_OQ))
static inline int any(mask m) { return _mm256_movemask_pd((vd)m); }
static inline int every(mask m) { return _mm256_movemask_pd((vd)m) == 15; }
static inline vd choose(mask m, vd a, vd b) { return _mm256_blendv_pd(b, a, (vd)m); }
// As `choose` takes it: the leading bit counts.
static inline mask odd(vu x) { return x << 63; }
// Loads of pairs and a shuffle: half the time of two gathers.
static inline void pair(const double *tab, vu i, int bits, vd *a, vd *b) {
  vu at = 2 * (i & every_bits((1 << bits) - 1));
  vd p = _mm256_loadu2_m128d(tab + at[2], tab + at[0]), q = _mm256_loadu2_m128d(tab + at[3], tab + at[1]);
  *a = _mm256_unpacklo_pd(p, q), *b = _mm256_unpackhi_pd(p, q);
}
static inline void row(const double *tab, vu i, int bits, vd *a, vd *b, vd *c) {
  vu at = 4 * (i & every_bits((1 << bits) - 1));
  tab += 2;
  vd p = _mm256_loadu2_m128d(tab + at[2], tab + at[0]), q = _mm256_loadu2_m128d(tab + at[3], tab + at[1]);
  *a = (vd){tab[at[0] - 2], tab[at[1] - 2], tab[at[2] - 2], tab[at[3] - 2]};
  *b = _mm256_unpacklo_pd(p, q), *c = _mm256_unpackhi_pd(p, q);
}
static inline vd one_of(const double *tab, vu i) { return (vd){tab[i[0]], tab[i[1]], tab[i[2]], tab[i[3]]}; }
// From two registers.
static inline vf one_of_16f(const float *tab, vi i) {
  vf low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(tab), (__m256i)i), high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(tab + 8), (__m256i)i);
  return _mm256_blendv_ps(low, high, F(i << 28));
}
static inline vf FMAF(vf a, vf b, vf c) { return _mm256_fmadd_ps(a, b, c); }
static inline vd at_least(double limit, vd x) { return _mm256_max_pd(all(limit), x); }
static inline vf at_leastf(float limit, vf x) { return _mm256_max_ps(allf(limit), x); }
static inline vd root(vd x) { return _mm256_sqrt_pd(x); }
static inline vd at_most(double limit, vd x) { return _mm256_min_pd(all(limit), x); }
static inline vf at_mostf(float limit, vf x) { return _mm256_min_ps(allf(limit), x); }
// True where `shifted`, a number and 1.5 2^23, is odd.
typedef vf oddness;
static inline oddness odd_integer(vf shifted) { return F(UF(shifted) << 31); }
static inline vf choosef(oddness odd, vf a, vf b) { return _mm256_blendv_ps(b, a, odd); }
#define PICK(shifted, even, odd) choosef(odd_integer(shifted), allf(odd), allf(even))
static inline vf numberf(vi x) { return _mm256_cvtepi32_ps((__m256i)x); }
static inline vd low_half(vf x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
static inline vd high_half(vf x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
static inline vf narrow(vd low, vd high) { return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)); }
static inline vd whole(vd x) { return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
static inline vf wholef(vf x) { return _mm256_round_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
static inline vf choose_negativef(vf x, vf a, vf b) { return _mm256_blendv_ps(b, a, _mm256_cmp_ps(x, allf(0), _CMP_LT_OQ)); }
#else
typedef __mmask8 mask;
static inline vd FMA(vd a, vd b, vd c) { return _mm512_fmadd_pd(a, b, c); }
#define LESS(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define LESS_EQUAL(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)
static inline int any(mask m) { return m; }
static inline int every(mask m) { return m == 0xff; }
static inline vd choose(mask m, vd a, vd b) { return _mm512_mask_blend_pd(m, b, a); }
static inline mask odd(vu x) { return _mm512_movepi64_mask((__m512i)(x << 63)); }
// Positions, twice as large, as bytes of one register, which cost less to take apart than a vector does.
static inline uint64_t twice(vu i, int bits) {
  uint64_t bytes = _mm_cvtsi128_si64(_mm512_cvtepi64_epi8((__m512i)i));
  return bytes << 1 & ((2 << bits) - 2) * 0x0101010101010101;
}
#define BYTE(x, n) ((x) >> 8 * (n) & 0xff)
static inline void pair(const double *tab, vu i, int bits, vd *a, vd *b) {
  uint64_t e = twice(i, bits);
#define PAIRS(m, n) _mm256_loadu2_m128d(tab + BYTE(e, n), tab + BYTE(e, m))
  __m512d even = _mm512_insertf64x4(_mm512_castpd256_pd512(PAIRS(0, 2)), PAIRS(4, 6), 1);
  __m512d odd = _mm512_insertf64x4(_mm512_castpd256_pd512(PAIRS(1, 3)), PAIRS(5, 7), 1);
#undef PAIRS
  *a = _mm512_unpacklo_pd(even, odd), *b = _mm512_unpackhi_pd(even, odd);
}
static inline void row(const double *tab, vu i, int bits, vd *a, vd *b, vd *c) {
  uint64_t e = twice(i, bits);
#define ROW(n) _mm256_loadu_pd(tab + 2 * BYTE(e, n))
#define ROWS(m, n) _mm512_insertf64x4(_mm512_castpd256_pd512(ROW(m)), ROW(n), 1)
  __m512d p = ROWS(0, 4), q = ROWS(1, 5), r = ROWS(2, 6), s = ROWS(3, 7);
#undef ROWS
#undef ROW
  __m512d pq = _mm512_unpacklo_pd(p, q), rs = _mm512_unpacklo_pd(r, s);
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), third = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  *a = _mm512_permutex2var_pd(pq, first, rs);
  *b = _mm512_permutex2var_pd(pq, third, rs);
  *c = _mm512_permutex2var_pd(_mm512_unpackhi_pd(p, q), third, _mm512_unpackhi_pd(r, s));
}
// In tables that one or two registers hold.
static inline vf one_of_16f(const float *tab, vi i) { return _mm512_permutexvar_ps((__m512i)i, _mm512_loadu_ps(tab)); }
static inline vd one_of_16(const double *tab, vu i) {
  return _mm512_permutex2var_pd(_mm512_loadu_pd(tab), (__m512i)i, _mm512_loadu_pd(tab + 8));
}
static inline vf FMAF(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
static inline vd at_least(double limit, vd x) { return _mm512_max_pd(all(limit), x); }
static inline vf at_leastf(float limit, vf x) { return _mm512_max_ps(allf(limit), x); }
static inline vd root(vd x) { return _mm512_sqrt_pd(x); }
static inline vd at_most(double limit, vd x) { return _mm512_min_pd(all(limit), x); }
static inline vf at_mostf(float limit, vf x) { return _mm512_min_ps(allf(limit), x); }
typedef __mmask16 oddness;
static inline oddness odd_integer(vf shifted) { return _mm512_movepi32_mask((__m512i)(UF(shifted) << 31)); }
static inline vf choosef(oddness odd, vf a, vf b) { return _mm512_mask_blend_ps(odd, b, a); }
// One of two constants: a load less than with a blend, and loads are what these functions have most of.
#define PICK(shifted, even, odd) \
  _mm512_permutexvar_ps((__m512i)UF(shifted), (vf){even, odd, even, odd, even, odd, even, odd, even, odd, even, odd, even, odd, even, odd})
static inline vf numberf(vi x) { return _mm512_cvtepi32_ps((__m512i)x); }
static inline vd low_half(vf x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
static inline vd high_half(vf x) {
  return _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), 1)));
}
static inline vd whole(vd x) { return _mm512_roundscale_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
static inline vf wholef(vf x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
static inline vf choose_negativef(vf x, vf a, vf b) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(x, allf(0), _CMP_LT_OQ), b, a);
}
static inline vf narrow(vd low, vd high) {
  __m512d l = _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)));
  return _mm512_castpd_ps(_mm512_insertf64x4(l, _mm256_castps_pd(_mm512_cvtpd_ps(high)), 1));
}
#endif

#endif

#if LANES != 8
// Of a table of as many numbers as the name says, one.
static inline vd one_of_16(const double *tab, vu i) { return one_of(tab, i & every_bits(15)); }
#endif

// Of a table of eights, those at `i`, of which the lowest `bits` bits count. Rows of lanes are turned to columns, in `room`.
static inline const vd *eight(const double *tab, vu i, int bits, vd *room) {
#if LANES == 1
  return tab + 8 * (i % (1 << bits));
#else
#if LANES == 8
  uint64_t e = twice(i, bits);
#define ROWS(m, n) _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(t + 4 * BYTE(e, m))), _mm256_load_pd(t + 4 * BYTE(e, n)), 1)
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  for (int j = 0; j < 8; j += 4) {
    const double *t = tab + j;
    __m512d p = ROWS(0, 4), q = ROWS(1, 5), r = ROWS(2, 6), s = ROWS(3, 7);
    __m512d pq = _mm512_unpacklo_pd(p, q), rs = _mm512_unpacklo_pd(r, s);
    room[j] = _mm512_permutex2var_pd(pq, low, rs), room[j + 2] = _mm512_permutex2var_pd(pq, high, rs);
    pq = _mm512_unpackhi_pd(p, q), rs = _mm512_unpackhi_pd(r, s);
    room[j + 1] = _mm512_permutex2var_pd(pq, low, rs), room[j + 3] = _mm512_permutex2var_pd(pq, high, rs);
  }
#undef ROWS
#else
  vu at = 8 * (i & every_bits((1 << bits) - 1));
  for (int j = 0; j < 8; j += 2) {
#if LANES == 2
    vd p = _mm_load_pd(tab + j + at[0]), q = _mm_load_pd(tab + j + at[1]);
    room[j] = _mm_unpacklo_pd(p, q), room[j + 1] = _mm_unpackhi_pd(p, q);
#else
    const double *t = tab + j;
    vd p = _mm256_loadu2_m128d(t + at[2], t + at[0]), q = _mm256_loadu2_m128d(t + at[3], t + at[1]);
    room[j] = _mm256_unpacklo_pd(p, q), room[j + 1] = _mm256_unpackhi_pd(p, q);
#endif
  }
#endif
  return room;
#endif
}

// The upper 12 bits, a signed number, as a double.
static inline vd exponent(vu x) {
#if LANES == 1
  return (double)((int64_t)x >> 52);
#elif LANES == 8
  return _mm512_cvtepi64_pd(_mm512_srai_epi64((__m512i)x, 52));
#else
  // Made positive, below the leading bit of 2^52.
  return D(((x + every_bits(0x800ull << 52)) >> 52) | every_bits(0x4330000000000000)) - (0x1p52 + 0x800);
#endif
}
#if LANES == 1
// Not through integer registers, which take scalars some nanoseconds to come back from.
static inline vd magnitude(vd x) { return __builtin_fabs(x); }
static inline vd turned(vd x, vd sign) {
  asm("vxorpd %1, %0, %0" : "+x"(x) : "x"(sign));
  return x;
}
static inline vd signed_as(vd size, vd x) { return __builtin_copysign(size, x); }
static inline vd choose_less(vd a, vd b, vd x, vd y) {
  vd less;
  asm("vcmpltsd %2, %1, %0" : "=x"(less) : "x"(a), "x"(b));
  asm("vblendvpd %1, %2, %0, %0" : "+x"(y) : "x"(less), "x"(x));
  return y;
}
#else
static inline vd magnitude(vd x) { return D(U(x) & every_bits(INT64_MAX)); }
// x, or -x where the sign is -0.
static inline vd turned(vd x, vd sign) { return D(U(x) ^ U(sign)); }
// A number without a sign, with that of x.
static inline vd signed_as(vd size, vd x) { return D(U(size) | (U(x) & every_bits(1ull << 63))); }
// x where a < b, else y, without a branch for scalars, too.
static inline vd choose_less(vd a, vd b, vd x, vd y) { return choose(LESS(a, b), x, y); }
#endif
// A polynomial of four coefficients, by few steps rather than few operations.
static inline vd poly4(const double *c, vd x, vd x2) {
  return FMA(x2, FMA(x, all(c[3]), all(c[2])), FMA(x, all(c[1]), all(c[0])));
}
static inline vf sizef(vf x) { return F(UF(x) & every_bits32(INT32_MAX)); }
// Positive, normal and finite.
static inline mask ordinary(vd x) {
#if LANES == 8
  return ~_mm512_fpclass_pd_mask(x, 0xff);
#else
  return LESS_EQUAL(all(0x1p-1022), x) & LESS(x, all(INFINITY));
#endif
}
// low <= x < high, both of them positive, and given by their bits.
#if LANES == 8
#define BETWEEN(low, x, high) _mm512_cmplt_epu64_mask((__m512i)(U(x) - every_bits(low)), (__m512i)every_bits((high) - (low)))
#else
#define BETWEEN(low, x, high) (LESS_EQUAL(all(asdouble(low)), x) & LESS(x, all(asdouble(high))))
#endif
#if LANES > 1
// Where a lane is special, the scalar function computes them all: its bits are the same.
#define EACH static __attribute__((noinline, cold, unused))
EACH vd each(vd x, double (*f)(double)) {
  vd y;
  for (int i = 0; i < LANES; i++) y[i] = f(x[i]);
  return y;
}
EACH vd each_pair(vd x, vd y, double (*f)(double, double)) {
  vd z;
  for (int i = 0; i < LANES; i++) z[i] = f(x[i], y[i]);
  return z;
}
EACH vf eachf(vf x, float (*f)(float)) {
  vf y;
  for (int i = 0; i < 2 * LANES; i++) y[i] = f(x[i]);
  return y;
}
EACH vf each_pairf(vf x, vf y, float (*f)(float, float)) {
  vf z;
  for (int i = 0; i < 2 * LANES; i++) z[i] = f(x[i], y[i]);
  return z;
}
#undef EACH

// Positive, normal and finite, in all lanes.
static inline int all_ordinaryf(vf x) {
#if LANES == 8
  return !_mm512_fpclass_ps_mask(x, 0xff);
#elif LANES == 4
  return _mm256_movemask_ps(_mm256_and_ps(_mm256_cmp_ps(allf(0x1p-126f), x, _CMP_LE_OQ), _mm256_cmp_ps(x, allf(INFINITY), _CMP_LT_OQ))) == 0xff;
#else
  return _mm_movemask_ps(_mm_and_ps(_mm_cmp_ps(allf(0x1p-126f), x, _CMP_LE_OQ), _mm_cmp_ps(x, allf(INFINITY), _CMP_LT_OQ))) == 0xf;
#endif
}

// |x| < limit, in all lanes.
static inline int all_belowf(vf x, float limit) {
#if LANES == 8
  return _mm512_cmp_ps_mask(sizef(x), allf(limit), _CMP_LT_OQ) == 0xffff;
#elif LANES == 4
  return _mm256_movemask_ps(_mm256_cmp_ps(sizef(x), allf(limit), _CMP_LT_OQ)) == 0xff;
#else
  return _mm_movemask_ps(_mm_cmp_ps(sizef(x), allf(limit), _CMP_LT_OQ)) == 0xf;
#endif
}

// low < x < infinity, in all lanes.
static inline int all_betweenf(float low, vf x) {
#if LANES == 8
  return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(allf(low), x, _CMP_LT_OQ), x, allf(INFINITY), _CMP_LT_OQ) == 0xffff;
#elif LANES == 4
  return _mm256_movemask_ps(_mm256_and_ps(_mm256_cmp_ps(allf(low), x, _CMP_LT_OQ), _mm256_cmp_ps(x, allf(INFINITY), _CMP_LT_OQ))) == 0xff;
#else
  return _mm_movemask_ps(_mm_and_ps(_mm_cmp_ps(allf(low), x, _CMP_LT_OQ), _mm_cmp_ps(x, allf(INFINITY), _CMP_LT_OQ))) == 0xf;
#endif
}

// a where |x| < limit, else b.
static inline vf choose_belowf(vf x, float limit, vf a, vf b) {
#if LANES == 8
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(sizef(x), allf(limit), _CMP_LT_OQ), b, a);
#elif LANES == 4
  return _mm256_blendv_ps(b, a, _mm256_cmp_ps(sizef(x), allf(limit), _CMP_LT_OQ));
#else
  return _mm_blendv_ps(b, a, _mm_cmp_ps(sizef(x), allf(limit), _CMP_LT_OQ));
#endif
}
#endif
