"""Pictures without a plotting library: PNG files of images, SVG files of lines, bars and time lines."""

import math
import struct
import zlib
from xml.sax.saxutils import escape

import numpy as np

COLOURS = ("#1b6ca8", "#d1495b", "#3a7d44", "#8d6a9f", "#edae49")
WIDTH, HEIGHT = 640, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 52, 44


def colour(values, low=None, high=None):
    """RGB of numbers, from dark blue over red to light yellow."""
    values = np.asarray(values, np.float64)
    low = values.min() if low is None else low
    high = values.max() if high is None else high
    t = np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)
    stops = np.linspace(0.0, 1.0, 5)
    table = np.array([(8, 8, 40), (80, 18, 123), (200, 50, 80), (252, 150, 60), (252, 250, 190)], np.float64)
    return np.stack([np.interp(t, stops, table[:, k]) for k in range(3)], axis=-1).astype(np.uint8)


def save_png(path, image):
    """Writes an image: uint8, of rows of grey values, or of rows of red, green and blue."""
    image = np.ascontiguousarray(image, np.uint8)
    height, width = image.shape[:2]
    kind = {2: 0, 3: 2}[image.ndim]
    rows = np.zeros((height, 1 + image[0].size), np.uint8)  # each row begins with its filter: 0, none
    rows[:, 1:] = image.reshape(height, -1)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def _ticks(low, high):
    """Some round numbers between two."""
    step = 10.0 ** math.floor(math.log10((high - low) / 3))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (step * k) <= 6)
    first = math.ceil(low / step) * step
    return [first + k * step for k in range(int((high - first) / step + 1e-9) + 1)]


class _Chart:
    """Axes, and the elements drawn so far; `x` and `y` turn values into places."""

    def __init__(self, title, xlabel, ylabel, xs, ys):
        self.x0, self.x1 = float(min(xs)), float(max(xs))
        self.y0, self.y1 = float(min(ys)), float(max(ys))
        self.x1 += self.x1 == self.x0
        self.y1 += self.y1 == self.y0
        self.parts = [
            f'<text x="{LEFT}" y="20" font-weight="bold">{escape(title)}</text>',
            f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(xlabel)}</text>',
            f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
            f"{escape(ylabel)}</text>",
        ]
        for value in _ticks(self.x0, self.x1):
            at = self.x(value)
            self.parts.append(f'<path d="M{at:.1f} {HEIGHT - BOTTOM}V{TOP}" stroke="#ddd"/>')
            text = f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:.6g}</text>'
            self.parts.append(text)

    def x(self, value):
        return LEFT + (value - self.x0) / (self.x1 - self.x0) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - (value - self.y0) / (self.y1 - self.y0) * (HEIGHT - TOP - BOTTOM)

    def grid(self):
        for value in _ticks(self.y0, self.y1):
            at = self.y(value)
            self.parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
            self.parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{value:.6g}</text>')

    def legend(self, names):
        for k, name in enumerate(names):
            at, y = LEFT + 120 * k, 40  # between the title and the axes
            self.parts.append(f'<path d="M{at} {y - 4}h18" stroke="{COLOURS[k]}" stroke-width="3"/>')
            self.parts.append(f'<text x="{at + 24}" y="{y}">{escape(name)}</text>')

    def save(self, path):
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
            ' font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
        )
        path.write_text(head + "\n".join(self.parts) + "\n</svg>\n")


def save_lines(path, title, xlabel, ylabel, x, lines):
    """Writes a chart of lines: `lines` has the values of each by its name."""
    values = [value for line in lines.values() for value in line]
    chart = _Chart(title, xlabel, ylabel, x, values)
    chart.grid()
    for k, line in enumerate(lines.values()):
        points = " ".join(f"{chart.x(a):.1f},{chart.y(b):.1f}" for a, b in zip(x, line, strict=True))
        chart.parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[k]}" stroke-width="1.5"/>')
    chart.legend(lines)
    chart.save(path)


def save_bars(path, title, xlabel, ylabel, edges, heights):
    """Writes a chart of bars, each between two of the edges."""
    chart = _Chart(title, xlabel, ylabel, edges, [0, *heights])
    chart.grid()
    for left, right, height in zip(edges[:-1], edges[1:], heights, strict=True):
        x, y = chart.x(left), chart.y(height)
        size = f'width="{chart.x(right) - x:.2f}" height="{chart.y(0) - y:.1f}"'
        chart.parts.append(f'<rect x="{x:.2f}" y="{y:.1f}" {size} fill="{COLOURS[0]}" stroke="white"/>')
    chart.save(path)


def save_spans(path, title, xlabel, rows, kinds):
    """Writes a time line: for each row spans of (kind, begin, end), coloured by kind."""
    ends = [end for spans in rows.values() for _, _, end in spans]
    chart = _Chart(title, xlabel, "", [0, *ends], [0, len(rows)])
    for k, (name, spans) in enumerate(rows.items()):
        top, bottom = chart.y(len(rows) - k - 0.15), chart.y(len(rows) - k - 0.85)
        chart.parts.append(f'<text x="{LEFT - 6}" y="{(top + bottom) / 2 + 4:.1f}" text-anchor="end">{name}</text>')
        for kind, begin, end in spans:
            x, width = chart.x(begin), max(chart.x(end) - chart.x(begin), 0.5)
            fill = COLOURS[kinds.index(kind)]
            size = f'width="{width:.2f}" height="{bottom - top:.1f}"'
            chart.parts.append(f'<rect x="{x:.2f}" y="{top:.1f}" {size} fill="{fill}"/>')
    chart.legend(kinds)
    chart.save(path)
