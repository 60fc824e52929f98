// SLEEF computes fused multiplications and additions by this library where the processor has none.
// numbra builds the variants with FMA only, which mention the functions and never call them.
double tlfloat_fma(double, double, double);
float tlfloat_fmaf(float, float, float);
