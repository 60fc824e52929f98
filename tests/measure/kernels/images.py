"""Image processing."""

import math

import numpy as np

from . import case, njit


def grey(r, *shape):
    return r.integers(0, 256, shape).astype("u1")


@case(lambda r: (r.random((2, 3, 18, 18), "f4"), r.random((4, 3, 3, 3), "f4"), np.zeros((2, 4, 16, 16), "f4")))
@njit
def conv2d(x, w, out):
    n_, ci_, h, wd = x.shape
    co_, _, kh_, kw_ = w.shape
    for n in range(n_):
        for co in range(co_):
            for oh in range(h - kh_ + 1):
                for ow in range(wd - kw_ + 1):
                    acc = np.float32(0.0)
                    for ci in range(ci_):
                        for kh in range(kh_):
                            for kw in range(kw_):
                                acc += x[n, ci, oh + kh, ow + kw] * w[co, ci, kh, kw]
                    out[n, co, oh, ow] = acc


@case(lambda r: (r.random((60, 60)), r.random((5, 5)), np.zeros((56, 56))))
@njit
def conv2d_plane(x, w, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            s = 0.0
            for k in range(w.shape[0]):
                for m in range(w.shape[1]):
                    s += x[i + k, j + m] * w[k, m]
            out[i, j] = s


@case(lambda r: (r.random((32, 24, 24), "f4"), np.zeros((32, 12, 12), "f4")))
@njit
def max_pool(x, out):
    c, h, w = out.shape
    for k in range(c):
        for i in range(h):
            for j in range(w):
                best = x[k, 2 * i, 2 * j]
                for di in range(2):
                    for dj in range(2):
                        best = max(best, x[k, 2 * i + di, 2 * j + dj])
                out[k, i, j] = best


@case(lambda r: (grey(r, 100, 100), np.zeros((100, 100), "u1")))
@njit
def sobel(image, out):
    h, w = image.shape
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            gx = 0
            gy = 0
            for k in range(-1, 2):
                c = 2 if k == 0 else 1
                gx += c * (np.int64(image[y + k, x + 1]) - np.int64(image[y + k, x - 1]))
                gy += c * (np.int64(image[y + 1, x + k]) - np.int64(image[y - 1, x + k]))
            out[y, x] = min(255, int(math.sqrt(gx * gx + gy * gy)))


@case(lambda r: (r.random((70, 70)),))
@njit
def sobel_float(image):
    h, w = image.shape
    out = np.zeros((h, w))
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            gx = (
                image[y - 1, x + 1]
                + 2 * image[y, x + 1]
                + image[y + 1, x + 1]
                - image[y - 1, x - 1]
                - 2 * image[y, x - 1]
                - image[y + 1, x - 1]
            )
            gy = (
                image[y + 1, x - 1]
                + 2 * image[y + 1, x]
                + image[y + 1, x + 1]
                - image[y - 1, x - 1]
                - 2 * image[y - 1, x]
                - image[y - 1, x + 1]
            )
            out[y, x] = math.hypot(gx, gy)
    return out


@case(lambda r: (grey(r, 30, 30),))
@njit
def median_filter(image):
    h, w = image.shape
    out = np.zeros_like(image)
    window = np.empty(9, np.uint8)
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            k = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    window[k] = image[y + dy, x + dx]
                    k += 1
            for i in range(1, 9):
                v = window[i]
                j = i - 1
                while j >= 0 and window[j] > v:
                    window[j + 1] = window[j]
                    j -= 1
                window[j + 1] = v
            out[y, x] = window[4]
    return out


@case(lambda r: (r.random((20, 20)), 2, 1.5, 0.2))
@njit
def bilateral(image, radius, space, value):
    h, w = image.shape
    out = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            total = 0.0
            weight = 0.0
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    yy = y + dy
                    xx = x + dx
                    if 0 <= yy < h and 0 <= xx < w:
                        d = image[yy, xx] - image[y, x]
                        k = math.exp(-(dx * dx + dy * dy) / (2 * space * space) - d * d / (2 * value * value))
                        total += k * image[yy, xx]
                        weight += k
            out[y, x] = total / weight
    return out


@case(lambda r: (grey(r, 90, 90), 0.5))
@njit
def rotate(image, angle):
    h, w = image.shape
    out = np.zeros_like(image)
    c, s = math.cos(angle), math.sin(angle)
    cy, cx = h / 2, w / 2
    for y in range(h):
        for x in range(w):
            sx = int(c * (x - cx) + s * (y - cy) + cx)
            sy = int(-s * (x - cx) + c * (y - cy) + cy)
            if sx >= 0 and sx < w and sy >= 0 and sy < h:
                out[y, x] = image[sy, sx]
    return out


@case(lambda r: (grey(r, 120, 120, 3), np.zeros((120, 120), "u1")))
@njit
def to_grey(image, out):
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            v = 0.299 * image[y, x, 0] + 0.587 * image[y, x, 1] + 0.114 * image[y, x, 2]
            out[y, x] = np.uint8(v)


@case(lambda r: (grey(r, 120, 120),))
@njit
def equalise(image):
    h, w = image.shape
    counts = np.zeros(256, np.int64)
    for y in range(h):
        for x in range(w):
            counts[image[y, x]] += 1
    total = 0
    table = np.zeros(256, np.uint8)
    for i in range(256):
        total += counts[i]
        table[i] = np.uint8(255 * total // (h * w))
    out = np.empty_like(image)
    for y in range(h):
        for x in range(w):
            out[y, x] = table[image[y, x]]
    return out


@case(lambda r: (grey(r, 150, 150), np.zeros((151, 151), "i8")))
@njit
def integral_image(image, out):
    h, w = image.shape
    for y in range(h):
        row = 0
        for x in range(w):
            row += image[y, x]
            out[y + 1, x + 1] = out[y, x + 1] + row


@case(lambda r: (grey(r, 120, 120), 1))
@njit
def dilate(image, radius):
    h, w = image.shape
    out = np.zeros_like(image)
    for y in range(h):
        for x in range(w):
            best = image[y, x]
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    yy = min(max(y + dy, 0), h - 1)
                    xx = min(max(x + dx, 0), w - 1)
                    if image[yy, xx] > best:
                        best = image[yy, xx]
            out[y, x] = best
    return out


@case(lambda r: (grey(r, 60, 60), np.zeros((100, 110), "u1")))
@njit
def resize_nearest(image, out):
    h, w = image.shape
    oh, ow = out.shape
    for y in range(oh):
        for x in range(ow):
            out[y, x] = image[y * h // oh, x * w // ow]


@case(lambda r: (r.random((50, 50)), np.zeros((70, 80))))
@njit
def resize_bilinear(image, out):
    h, w = image.shape
    oh, ow = out.shape
    for y in range(oh):
        fy = y * (h - 1) / (oh - 1)
        y0 = int(fy)
        y1 = min(y0 + 1, h - 1)
        ty = fy - y0
        for x in range(ow):
            fx = x * (w - 1) / (ow - 1)
            x0 = int(fx)
            x1 = min(x0 + 1, w - 1)
            tx = fx - x0
            top = image[y0, x0] * (1 - tx) + image[y0, x1] * tx
            bottom = image[y1, x0] * (1 - tx) + image[y1, x1] * tx
            out[y, x] = top * (1 - ty) + bottom * ty


@case(lambda r: (grey(r, 240, 240), 128))
@njit
def threshold(image, limit):
    out = np.empty_like(image)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            out[y, x] = 255 if image[y, x] > limit else 0
    return out


@case(lambda r: (r.random((60, 60)), 3))
@njit
def box_blur(image, radius):
    h, w = image.shape
    out = np.zeros((h, w))
    for y in range(h):
        total = 0.0
        for x in range(-radius, w):
            if x + radius < w:
                total += image[y, x + radius]
            if x - radius - 1 >= 0:
                total -= image[y, x - radius - 1]
            if x >= 0:
                out[y, x] = total / (2 * radius + 1)
    return out


@case(lambda r: ((r.random((200, 200)) < 0.5).astype("i8"),))
@njit
def label_components(image):
    h, w = image.shape
    labels = np.zeros((h, w), np.int64)
    stack = np.empty((h * w, 2), np.int64)
    count = 0
    for y in range(h):
        for x in range(w):
            if image[y, x] == 1 and labels[y, x] == 0:
                count += 1
                labels[y, x] = count
                stack[0, 0], stack[0, 1] = y, x
                top = 1
                while top > 0:
                    top -= 1
                    cy, cx = stack[top, 0], stack[top, 1]
                    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        ny, nx = cy + dy, cx + dx
                        if 0 <= ny < h and 0 <= nx < w and image[ny, nx] == 1 and labels[ny, nx] == 0:
                            labels[ny, nx] = count
                            stack[top, 0], stack[top, 1] = ny, nx
                            top += 1
    return count


@case(lambda r: (r.random((40, 40)) * 255,))
@njit
def dither(image):
    h, w = image.shape
    for y in range(h):
        for x in range(w):
            old = image[y, x]
            new = 255.0 if old > 127 else 0.0
            image[y, x] = new
            error = old - new
            if x + 1 < w:
                image[y, x + 1] += error * 7 / 16
            if y + 1 < h:
                if x > 0:
                    image[y + 1, x - 1] += error * 3 / 16
                image[y + 1, x] += error * 5 / 16
                if x + 1 < w:
                    image[y + 1, x + 1] += error / 16


@case(lambda r: (r.random((64, 64, 3), "f4"), np.zeros((64, 64, 3), "f4")))
@njit
def rgb_to_hsv(image, out):
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            r, g, b = image[y, x, 0], image[y, x, 1], image[y, x, 2]
            high = max(r, g, b)
            low = min(r, g, b)
            d = high - low
            if d == 0:
                hue = np.float32(0)
            elif high == r:
                hue = (g - b) / d
            elif high == g:
                hue = (b - r) / d + np.float32(2)
            else:
                hue = (r - g) / d + np.float32(4)
            out[y, x, 0] = hue / np.float32(6)
            out[y, x, 1] = d / high if high > 0 else np.float32(0)
            out[y, x, 2] = high
