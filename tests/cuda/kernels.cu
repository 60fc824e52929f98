// The kernels of bench.py in CUDA C++, for the same data and launch shapes. Built into a shared library by nvcc -O3; each entry
// runs its kernel `rounds` times and returns the least time of one, in microseconds.
#include <algorithm>
#include <chrono>
#include <vector>

__global__ void empty() {}
__global__ void three(float *a, long na, float *b, long nb, float *c, long nc) {}

__global__ void vector_add(const float *a, const float *b, float *c, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

__global__ void grid_stride_add(const float *a, const float *b, float *c, long n) {
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += blockDim.x * (long)gridDim.x) c[i] = a[i] + b[i];
}

__global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[16][16], sb[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    long row = blockIdx.y * 16L + ty, col = blockIdx.x * 16L + tx;
    float sum = 0;
    for (int k = 0; k < n / 16; k++) {
        sa[ty][tx] = a[row * n + k * 16 + tx];
        sb[ty][tx] = b[(k * 16L + ty) * n + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += sa[ty][j] * sb[j][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void mandelbrot(unsigned char *image, int width, int height, double x0, double x1, double y0, double y1, int most) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    double cr = x0 + x * ((x1 - x0) / width), ci = y0 + y * ((y1 - y0) / height), zr = 0, zi = 0;
    int i = 0;
    for (; i < most; i++) {
        double r = zr * zr - zi * zi + cr;
        zi = zr * zi + zi * zr + ci;
        zr = r;
        if (zr * zr + zi * zi >= 4) break;
    }
    image[y * (long)width + x] = i < most ? i : 255;
}

__device__ float cnd(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float r = 0.39894228040143267794f * expf(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - r : r;
}

__global__ void black_scholes(float *call, float *put, const float *s, const float *x, const float *t, float r, float v, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float root = sqrtf(t[i]);
    float d1 = (logf(s[i] / x[i]) + (r + 0.5f * v * v) * t[i]) / (v * root), d2 = d1 - v * root;
    float c1 = cnd(d1), c2 = cnd(d2), e = expf(-r * t[i]);
    call[i] = s[i] * c1 - x[i] * e * c2;
    put[i] = x[i] * e * (1.0f - c2) - s[i] * (1.0f - c1);
}

__global__ void histogram(const unsigned char *data, int *bins, long n) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += blockDim.x * (long)gridDim.x) atomicAdd(&own[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void stencil(const float *a, float *b, int rows, int cols) {
    long x = blockIdx.x * (long)blockDim.x + threadIdx.x, y = blockIdx.y * (long)blockDim.y + threadIdx.y;
    if (0 < x && x < cols - 1 && 0 < y && y < rows - 1)
        b[y * cols + x] = 0.2f * (a[y * cols + x] + a[(y - 1) * cols + x] + a[(y + 1) * cols + x] + a[y * cols + x - 1] + a[y * cols + x + 1]);
}

static const int IN_A_ROW = 10;

template <class Launch> static double least(int rounds, Launch launch) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float best = 1e30f;
    launch();
    for (int i = 0; i < rounds; i++) {
        float ms;
        cudaEventRecord(begin);
        for (int k = 0; k < IN_A_ROW; k++) launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        best = std::min(best, ms);
    }
    return 1e3 * best / IN_A_ROW;
}

template <class Launch> static double median(int rounds, Launch launch) {
    std::vector<double> all;
    for (int i = 0; i < rounds; i++) {
        auto begin = std::chrono::steady_clock::now();
        launch();
        all.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
        if (i % 256 == 0) cudaDeviceSynchronize();
    }
    std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    return all[all.size() / 2];
}

extern "C" {
double c_launch_empty(int rounds) { return median(rounds, [] { empty<<<1, 1>>>(); }); }
double c_launch_three(int rounds, float *a, long n) { return median(rounds, [=] { three<<<1, 1>>>(a, n, a, n, a, n); }); }
double c_vector_add(int rounds, float *a, float *b, float *c, long n) {
    return least(rounds, [=] { vector_add<<<(n + 255) / 256, 256>>>(a, b, c, n); });
}
double c_grid_stride_add(int rounds, float *a, float *b, float *c, long n) {
    return least(rounds, [=] { grid_stride_add<<<1056, 256>>>(a, b, c, n); });
}
double c_matmul(int rounds, float *a, float *b, float *c, int n) {
    return least(rounds, [=] { matmul<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); });
}
double c_mandelbrot(int rounds, unsigned char *image, int width, int height) {
    return least(rounds, [=] {
        mandelbrot<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(image, width, height, -2.0, 1.0, -1.0, 1.0, 200);
    });
}
double c_black_scholes(int rounds, float *call, float *put, float *s, float *x, float *t, long n) {
    return least(rounds, [=] { black_scholes<<<(n + 255) / 256, 256>>>(call, put, s, x, t, 0.02f, 0.3f, n); });
}
double c_histogram(int rounds, unsigned char *data, int *bins, long n) {
    return least(rounds, [=] { histogram<<<1056, 256>>>(data, bins, n); });
}
double c_stencil(int rounds, float *a, float *b, int rows, int cols) {
    return least(rounds, [=] { stencil<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(a, b, rows, cols); });
}
}
