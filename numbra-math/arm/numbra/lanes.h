// Vectors of LANES doubles, and of the bits in them, for one instruction set; LANES 1 is a plain double.
// `mask` holds a truth value for each lane. Every fused operation is written as `FMA`: the compiler contracts none.

#include <immintrin.h>
#include <stdint.h>

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#if LANES == 1

typedef double vd;
typedef uint64_t vu;
typedef int mask;
typedef float vf;

static inline vu U(vd x) { return asuint64(x); }
static inline vd D(vu x) { return asdouble(x); }
static inline vd FMA(vd a, vd b, vd c) { return __builtin_fma(a, b, c); }
#define LESS(a, b) ((a) < (b))
#define LESS_EQUAL(a, b) ((a) <= (b))
static inline int any(mask m) { return m; }
static inline int every(mask m) { return m; }
static inline vd choose(mask m, vd a, vd b) { return m ? a : b; }
// tab[i] and tab[i + 1]
static inline void pair(const double *tab, vu i, vd *a, vd *b) { *a = tab[i], *b = tab[i + 1]; }
// tab[i], tab[i + 2] and tab[i + 3]
static inline void row(const double *tab, vu i, vd *a, vd *b, vd *c) { *a = tab[i], *b = tab[i + 2], *c = tab[i + 3]; }
static inline vd single(const double *tab, vu i) { return tab[i]; }

#else

typedef double vd __attribute__((vector_size(8 * LANES)));
typedef uint64_t vu __attribute__((vector_size(8 * LANES)));
typedef float vf __attribute__((vector_size(8 * LANES))); // twice as many

static inline vu U(vd x) { return (vu)x; }
static inline vd D(vu x) { return (vd)x; }

#if LANES == 2
typedef vu mask;
static inline vd FMA(vd a, vd b, vd c) { return _mm_fmadd_pd(a, b, c); }
#define LESS(a, b) ((vu)_mm_cmp_pd(a, b, _CMP_LT_OQ))
#define LESS_EQUAL(a, b) ((vu)_mm_cmp_pd(a, b, _CMP_LE_OQ))
static inline int any(mask m) { return _mm_movemask_pd((vd)m); }
static inline int every(mask m) { return _mm_movemask_pd((vd)m) == 3; }
static inline vd choose(mask m, vd a, vd b) { return _mm_blendv_pd(b, a, (vd)m); }
static inline void pair(const double *tab, vu i, vd *a, vd *b) {
  vd p = _mm_loadu_pd(tab + i[0]), q = _mm_loadu_pd(tab + i[1]);
  *a = _mm_unpacklo_pd(p, q), *b = _mm_unpackhi_pd(p, q);
}
static inline void row(const double *tab, vu i, vd *a, vd *b, vd *c) {
  *a = (vd){tab[i[0]], tab[i[1]]};
  pair(tab + 2, i, b, c);
}
static inline vd single(const double *tab, vu i) { return (vd){tab[i[0]], tab[i[1]]}; }
static inline vd low_half(vf x) { return _mm_cvtps_pd(x); }
static inline vd high_half(vf x) { return _mm_cvtps_pd(_mm_movehl_ps(x, x)); }
static inline vf narrow(vd low, vd high) { return _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)); }
#elif LANES == 4
typedef vu mask;
static inline vd FMA(vd a, vd b, vd c) { return _mm256_fmadd_pd(a, b, c); }
#define LESS(a, b) ((vu)_mm256_cmp_pd(a, b, _CMP_LT_OQ))
#define LESS_EQUAL(a, b) ((vu)_mm256_cmp_pd(a, b, _CMP_LE_OQ))
static inline int any(mask m) { return _mm256_movemask_pd((vd)m); }
static inline int every(mask m) { return _mm256_movemask_pd((vd)m) == 15; }
static inline vd choose(mask m, vd a, vd b) { return _mm256_blendv_pd(b, a, (vd)m); }
// Loads of pairs and a shuffle: half the time of two gathers.
static inline void pair(const double *tab, vu i, vd *a, vd *b) {
  vd p = _mm256_loadu2_m128d(tab + i[2], tab + i[0]), q = _mm256_loadu2_m128d(tab + i[3], tab + i[1]);
  *a = _mm256_unpacklo_pd(p, q), *b = _mm256_unpackhi_pd(p, q);
}
static inline void row(const double *tab, vu i, vd *a, vd *b, vd *c) {
  pair(tab + 2, i, b, c);
  *a = (vd){tab[i[0]], tab[i[1]], tab[i[2]], tab[i[3]]};
}
static inline vd single(const double *tab, vu i) { return (vd){tab[i[0]], tab[i[1]], tab[i[2]], tab[i[3]]}; }
static inline vd low_half(vf x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
static inline vd high_half(vf x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
static inline vf narrow(vd low, vd high) { return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)); }
#else
typedef __mmask8 mask;
static inline vd FMA(vd a, vd b, vd c) { return _mm512_fmadd_pd(a, b, c); }
#define LESS(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define LESS_EQUAL(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)
static inline int any(mask m) { return m; }
static inline int every(mask m) { return m == 0xff; }
static inline vd choose(mask m, vd a, vd b) { return _mm512_mask_blend_pd(m, b, a); }
// As with 4 lanes, with positions read back from memory: cheaper than gathers, and than taking a vector apart.
static inline void pair(const double *tab, vu i, vd *a, vd *b) {
  union {
    vu lanes;
    uint64_t each[8];
  } at = {i};
  const uint64_t *e = at.each;
  __m256d p = _mm256_loadu2_m128d(tab + e[2], tab + e[0]), q = _mm256_loadu2_m128d(tab + e[3], tab + e[1]);
  __m256d r = _mm256_loadu2_m128d(tab + e[6], tab + e[4]), s = _mm256_loadu2_m128d(tab + e[7], tab + e[5]);
  __m512d even = _mm512_insertf64x4(_mm512_castpd256_pd512(p), r, 1);
  __m512d odd = _mm512_insertf64x4(_mm512_castpd256_pd512(q), s, 1);
  *a = _mm512_unpacklo_pd(even, odd), *b = _mm512_unpackhi_pd(even, odd);
}
static inline void row(const double *tab, vu i, vd *a, vd *b, vd *c) {
  union {
    vu lanes;
    uint64_t each[8];
  } at = {i};
  const uint64_t *e = at.each;
#define ROWS(m, n) _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(tab + e[m])), _mm256_loadu_pd(tab + e[n]), 1)
  __m512d p = ROWS(0, 4), q = ROWS(1, 5), r = ROWS(2, 6), s = ROWS(3, 7);
#undef ROWS
  __m512d pq = _mm512_unpacklo_pd(p, q), rs = _mm512_unpacklo_pd(r, s);
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), third = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  *a = _mm512_permutex2var_pd(pq, first, rs);
  *b = _mm512_permutex2var_pd(pq, third, rs);
  *c = _mm512_permutex2var_pd(_mm512_unpackhi_pd(p, q), third, _mm512_unpackhi_pd(r, s));
}
// In a table that four registers hold.
static inline vd single32(const double *tab, vu i) {
  __m512i at = (__m512i)i;
  vd low = _mm512_permutex2var_pd(_mm512_loadu_pd(tab), at, _mm512_loadu_pd(tab + 8));
  vd high = _mm512_permutex2var_pd(_mm512_loadu_pd(tab + 16), at, _mm512_loadu_pd(tab + 24));
  return _mm512_mask_blend_pd(_mm512_test_epi64_mask(at, _mm512_set1_epi64(16)), low, high);
}
static inline void pair32(const double *tab, vu i, vd *a, vd *b) { *a = single32(tab, i), *b = single32(tab, i + 1); }
static inline vd low_half(vf x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
static inline vd high_half(vf x) {
  return _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), 1)));
}
static inline vf narrow(vd low, vd high) {
  __m512d l = _mm512_castps_pd(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)));
  return _mm512_castpd_ps(_mm512_insertf64x4(l, _mm256_castps_pd(_mm512_cvtpd_ps(high)), 1));
}
#endif

#endif

#if LANES != 8
#define single32 single
#define pair32 pair
#endif

static inline vd all(double x) { return x - (vd){0}; }
static inline vd magnitude(vd x) { return D(U(x) & INT64_MAX); }
