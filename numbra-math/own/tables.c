// Tables of functions. Those of which a number is chosen for each lane are of sixteen, which one or two registers of 512 bits hold.

#define HIDDEN __attribute__((visibility("hidden"), aligned(64)))

// Columns of the table of `powf` in Arm's Optimized Routines, for log2: 1/c, and 16 log2 c, c in the middle of the i-th of 16 parts of [0.7, 1.4).
HIDDEN const double numbra_log2f_inverse[16] = {
  0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0, 0x1.3c995b0b80385p+0,
  0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0, 0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
  0x1.0953f419900a7p+0, 0x1p+0, 0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
  0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1, 0x1.767dcf5534862p-1,
};
HIDDEN const double numbra_log2f_log[16] = {
  -0x1.efec65b963019p+2, -0x1.b0b6832d4fca4p+2, -0x1.7418b0a1fb77bp+2, -0x1.39de91a6dcf7bp+2,
  -0x1.01d9bf3f2b631p+2, -0x1.97c1d1b3b7af0p+1, -0x1.2f9e393af3c9fp+1, -0x1.960cbbf788d5cp+0,
  -0x1.a6f9db6475fcep-1, 0x0.0p+0, 0x1.338ca9f24f53dp+0, 0x1.476a9543891bap+1,
  0x1.e840b4ac4e4d2p+1, 0x1.40645f0c6651cp+2, 0x1.88e9c2c1b9ff8p+2, 0x1.ce0a44eb17bccp+2,
};

// For `powf`, whose log is in two parts: 1/c for c near the middle of the i-th of 16 parts of [0.703, 1.406), of 7 bits at most, so that z/c - 1 is exact; and
// log c in two parts, the first a multiple of 2^-16.
HIDDEN const float numbra_powf_inverse[16] = {
  0x1.6p+0f, 0x1.58p+0f, 0x1.48p+0f, 0x1.38p+0f,
  0x1.3p+0f, 0x1.28p+0f, 0x1.18p+0f, 0x1.1p+0f,
  0x1.08p+0f, 0x1p+0f, 0x1.ep-1f, 0x1.c8p-1f,
  0x1.bp-1f, 0x1.98p-1f, 0x1.88p-1f, 0x1.7p-1f,
};
HIDDEN const float numbra_powf_log[16] = {
  -0x1.4618p-2f, -0x1.2e9p-2f, -0x1.fb9p-3f, -0x1.9528p-3f,
  -0x1.5ffp-3f, -0x1.2958p-3f, -0x1.6f1p-4f, -0x1.f0ap-5f,
  -0x1.f84p-6f, 0x0p+0f, 0x1.086p-4f, 0x1.da7p-4f,
  0x1.5bf8p-3f, 0x1.d1p-3f, 0x1.1178p-2f, 0x1.522cp-2f,
};
HIDDEN const float numbra_powf_log_low[16] = {
  -0x1.78438cp-19f, 0x1.d451eep-18f, -0x1.86d5e4p-19f, 0x1.2b185ep-18f,
  -0x1.83853cp-18f, 0x1.683fp-18f, 0x1.6ba8d4p-19f, -0x1.86008cp-20f,
  0x1.64f188p-18f, 0x0p+0f, -0x1.9d2988p-18f, 0x1.3b1c22p-19f,
  -0x1.fca55ep-18f, 0x1.bf932ap-18f, 0x1.d044fcp-19f, -0x1.1f8c76p-18f,
};

// 2^(i/16), less i in bits 19 to 22, so that the sum of those of n << 19 is 2^(n/16); and what it lacks, as a part of it.
HIDDEN const float numbra_exp2f_root[16] = {
  0x1p+0f, 0x1.fb5586p-1f, 0x1.f72b84p-1f, 0x1.f387a6p-1f,
  0x1.f06fep-1f, 0x1.edea64p-1f, 0x1.ebfdaep-1f, 0x1.eab07ep-1f,
  0x1.ea09e6p-1f, 0x1.ea1148p-1f, 0x1.eace54p-1f, 0x1.ec4918p-1f,
  0x1.ee89fap-1f, 0x1.f199bep-1f, 0x1.f5818ep-1f, 0x1.fa4afap-1f,
};
HIDDEN const float numbra_exp2f_root_low[16] = {
  0x0p+0f, 0x1.8d96d4p-25f, -0x1.9c0c22p-27f, 0x1.964904p-25f,
  0x1.125002p-25f, 0x1.370be4p-25f, -0x1.0a355p-25f, -0x1.00d8acp-27f,
  0x1.26055cp-26f, -0x1.05cb44p-25f, 0x1.67a1cap-28f, 0x1.a3b5e4p-28f,
  -0x1.f9c304p-27f, -0x1.6961b4p-28f, -0x1.a5217cp-28f, 0x1.61428ep-28f,
};

// (erf(x) - x) / x for |x| <= 1, by powers of x^2 - 1/2; and erfc(t) e^(t^2) (t + 2) for 0 <= t <= 27.4, by those of
// (t - 2) / (t + 2), and then what the first two coefficients lack. For single precision by powers of x^2, and for t <= 10.2.
HIDDEN const double numbra_erf_near[13] = {
  -0x1.1ae14dc34815ap-5, -0x1.1fd16292151fdp-2, 0x1.454368017b042p-4, -0x1.2b902b7b2f28ep-6,
  0x1.c82aa249df460p-9, -0x1.263991b802ee6p-11, 0x1.486638bc9befep-14, -0x1.429e93e668f24p-17,
  0x1.1ad5edf90dd80p-20, -0x1.bf8d2c72b9b8cp-24, 0x1.428e938efe043p-27, -0x1.acbabce2865e7p-31,
  0x1.05ffd737fb32ep-34,
};
HIDDEN const double numbra_erfc[28] = {
  0x1.058671b52c776p+0, -0x1.5fd386754effap-1, 0x1.1e2deea6b117ap-2, -0x1.2a88e6107cf13p-5,
  -0x1.606e41552acbep-6, 0x1.a89eaff7eb10ep-8, 0x1.9517bb70f87acp-9, -0x1.b6fbf94c65c27p-11,
  -0x1.5ba43850b4c68p-11, 0x1.2053dcfa7d679p-15, 0x1.2efa273d539a7p-13, 0x1.1e77c30812cc7p-15,
  -0x1.6c0061351caf4p-16, -0x1.0e84506441946p-16, -0x1.2e642ee79da0cp-20, 0x1.ea419ebd9f3c0p-19,
  0x1.0d570ef4142f7p-19, -0x1.f0611e55c9120p-27, -0x1.39ac852c72f1cp-21, -0x1.4791c80d27aecp-22,
  0x1.2bba5f44a5cb8p-26, 0x1.a272d4a44fdfcp-24, 0x1.487a77dd8942fp-25, -0x1.db2e86019fc53p-28,
  -0x1.335078785ceb8p-27, -0x1.056be93531ebap-29, -0x1.4db71ec1781cep-56, 0x1.b54c4c8ac90dep-55,
};
HIDDEN const double numbra_erff_near[8] = {
  0x1.06eba82022eadp-3, -0x1.81274665754c3p-2, 0x1.ce2f08fec14fdp-4, -0x1.b829c897922e5p-6,
  0x1.562a60ddba6e6p-8, -0x1.bccf664d7f763p-11, 0x1.d887505de3ba6p-14, -0x1.445f47d33d87bp-17,
};
HIDDEN const double numbra_erfcf[13] = {
  0x1.058671b59a1aep+0, -0x1.5fd38689f7ccfp-1, 0x1.1e2dedbd83879p-2, -0x1.2a88b33064c5ap-5,
  -0x1.606ce5abd92b3p-6, 0x1.a88e0552c6c21p-8, 0x1.94b3be81a0739p-9, -0x1.b501c672cc178p-11,
  -0x1.54f00cb6743eep-11, 0x1.031d6b3844d4ep-15, 0x1.f234318c8374fp-14, 0x1.ab4524b999d12p-16,
  -0x1.3e7a12db7f599p-19,
};
