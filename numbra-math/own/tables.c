// Tables of `powf`, each of which one or two registers of 512 bits hold.

#define HIDDEN __attribute__((visibility("hidden"), aligned(64)))

// Columns of the table of `powf` in Arm's Optimized Routines: 1/c, and 16 log2 c, c in the middle of the i-th of 16 parts of [0.7, 1.4).
HIDDEN const double numbra_powf_invc[16] = {
  0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0, 0x1.3c995b0b80385p+0,
  0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0, 0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
  0x1.0953f419900a7p+0, 0x1p+0, 0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
  0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1, 0x1.767dcf5534862p-1,
};
HIDDEN const double numbra_powf_logc[16] = {
  -0x1.efec65b963019p+2, -0x1.b0b6832d4fca4p+2, -0x1.7418b0a1fb77bp+2, -0x1.39de91a6dcf7bp+2,
  -0x1.01d9bf3f2b631p+2, -0x1.97c1d1b3b7af0p+1, -0x1.2f9e393af3c9fp+1, -0x1.960cbbf788d5cp+0,
  -0x1.a6f9db6475fcep-1, 0x0.0p+0, 0x1.338ca9f24f53dp+0, 0x1.476a9543891bap+1,
  0x1.e840b4ac4e4d2p+1, 0x1.40645f0c6651cp+2, 0x1.88e9c2c1b9ff8p+2, 0x1.ce0a44eb17bccp+2,
};

// 2^(i/16) in two parts.
HIDDEN const float numbra_powf_root[16] = {
  0x1.000000p+0f, 0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
  0x1.306fe0p+0f, 0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
  0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
  0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f,
};
HIDDEN const float numbra_powf_root_low[16] = {
  0x0.0p+0f, 0x1.9f3122p-25f, -0x1.c15742p-27f, 0x1.ceac48p-25f,
  0x1.4636e2p-25f, 0x1.824684p-25f, -0x1.593abcp-25f, -0x1.5bd5ecp-27f,
  0x1.9fcef4p-26f, -0x1.829fd0p-25f, 0x1.15506ep-27f, 0x1.51f848p-27f,
  -0x1.a94b14p-26f, -0x1.3d56b2p-27f, -0x1.822dbcp-27f, 0x1.52486cp-27f,
};
