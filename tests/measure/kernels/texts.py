"""Bytes and strings."""

import base64 as base64_module

import numpy as np

from . import case, njit

WORDS = "the quick brown fox jumps over a lazy dog and then it sleeps under the old tree near our house "
TEXT = WORDS * 40
LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def octets(r, n):
    return r.integers(0, 256, n).astype("u1")


@case(lambda r: (octets(r, 20000).tobytes(),))
@njit
def count_bytes(data):
    counts = np.zeros(256, np.int64)
    for b in data:
        counts[b] += 1
    return counts


@case(lambda r: (octets(r, 20000),))
@njit
def count_octets(data):
    counts = np.zeros(256, np.int64)
    for i in range(data.size):
        counts[data[i]] += 1
    return counts


@case(lambda r: ((TEXT * 20).encode(), 101))
@njit
def count_one_byte(data, what):
    n = 0
    for i in range(len(data)):
        if data[i] == what:
            n += 1
    return n


@case(lambda r: ((TEXT * 5).encode(),))
@njit
def count_words(data):
    n = 0
    inside = False
    for b in data:
        if b == 32 or b == 10:
            inside = False
        elif not inside:
            inside = True
            n += 1
    return n


@case(lambda r: (octets(r, 6000),))
@njit
def crc32_bits(data):
    crc = np.uint32(0xFFFFFFFF)
    for b in data:
        crc ^= b
        for _ in range(8):
            if crc & np.uint32(1):
                crc = (crc >> np.uint32(1)) ^ np.uint32(0xEDB88320)
            else:
                crc = crc >> np.uint32(1)
    return crc ^ np.uint32(0xFFFFFFFF)


@case(lambda r: (octets(r, 20000),))
@njit
def adler32(data):
    a = 1
    b = 0
    for x in data:
        a = (a + x) % 65521
        b = (b + a) % 65521
    return (b << 16) | a


@case(lambda r: (octets(r, 20000),))
@njit
def fnv1a(data):
    h = np.uint64(14695981039346656037)
    for b in data:
        h = (h ^ np.uint64(b)) * np.uint64(1099511628211)
    return h


@case(
    lambda r: (
        octets(r, 9000),
        np.frombuffer(LETTERS, "u1"),
    )
)
@njit
def base64_encode(data, table):
    n = data.size // 3
    out = np.empty(4 * n, np.uint8)
    for i in range(n):
        x = (data[3 * i] << 16) | (data[3 * i + 1] << 8) | data[3 * i + 2]
        out[4 * i] = table[(x >> 18) & 63]
        out[4 * i + 1] = table[(x >> 12) & 63]
        out[4 * i + 2] = table[(x >> 6) & 63]
        out[4 * i + 3] = table[x & 63]
    return out


@case(lambda r: (np.frombuffer(base64_module.b64encode(octets(r, 9000).tobytes()), "u1"),))
@njit
def base64_decode(data):
    n = data.size // 4
    out = np.empty(3 * n, np.uint8)
    for i in range(n):
        x = 0
        for k in range(4):
            c = data[4 * i + k]
            if c >= 97:
                v = c - 71
            elif c >= 65:
                v = c - 65
            elif c >= 48:
                v = c + 4
            elif c == 43:
                v = 62
            else:
                v = 63
            x = (x << 6) | v
        out[3 * i] = (x >> 16) & 255
        out[3 * i + 1] = (x >> 8) & 255
        out[3 * i + 2] = x & 255
    return out


@case(lambda r: (TEXT[:500].encode(), TEXT[20:600].encode()))
@njit
def levenshtein_bytes(a, b):
    n = len(b)
    before = np.arange(n + 1)
    row = np.empty(n + 1, np.int64)
    for i in range(len(a)):
        row[0] = i + 1
        for j in range(n):
            cost = 0 if a[i] == b[j] else 1
            row[j + 1] = min(row[j] + 1, before[j + 1] + 1, before[j] + cost)
        before, row = row, before
    return before[n]


@case(lambda r: (TEXT[:60], TEXT[20:80]))
@njit
def levenshtein_text(a, b):
    n = len(b)
    before = list(range(n + 1))
    for i in range(len(a)):
        row = [i + 1]
        for j in range(n):
            cost = 0 if a[i] == b[j] else 1
            row.append(min(row[j] + 1, before[j + 1] + 1, before[j] + cost))
        before = row
    return before[n]


@case(lambda r: ((TEXT * 10).encode(), np.zeros(10 * len(TEXT), "u1")))
@njit
def upper_bytes(data, out):
    for i in range(len(data)):
        c = data[i]
        if 97 <= c and c <= 122:
            c -= 32
        out[i] = c


@case(lambda r: (octets(r, 20000), octets(r, 16), np.zeros(20000, "u1")))
@njit
def xor_cipher(data, key, out):
    n = key.size
    for i in range(data.size):
        out[i] = data[i] ^ key[i % n]


@case(lambda r: (np.repeat(octets(r, 5000), r.integers(1, 8, 5000)),))
@njit
def run_lengths(data):
    out = np.empty(2 * data.size, np.uint8)
    k = 0
    i = 0
    while i < data.size:
        j = i
        while j < data.size and data[j] == data[i] and j - i < 255:
            j += 1
        out[k] = data[i]
        out[k + 1] = j - i
        k += 2
        i = j
    return out[:k]


@case(lambda r: ((TEXT * 4).encode(), b"under the old"))
@njit
def find_bytes(data, what):
    n, m = len(data), len(what)
    count = 0
    for i in range(n - m + 1):
        j = 0
        while j < m and data[i + j] == what[j]:
            j += 1
        if j == m:
            count += 1
    return count


@case(lambda r: (np.frombuffer((TEXT * 2).encode(), "u1"), np.frombuffer(b"over a lazy", "u1")))
@njit
def knuth_morris_pratt(data, what):
    m = what.size
    fail = np.zeros(m, np.int64)
    k = 0
    for i in range(1, m):
        while k > 0 and what[k] != what[i]:
            k = fail[k - 1]
        if what[k] == what[i]:
            k += 1
        fail[i] = k
    count = 0
    k = 0
    for i in range(data.size):
        while k > 0 and what[k] != data[i]:
            k = fail[k - 1]
        if what[k] == data[i]:
            k += 1
        if k == m:
            count += 1
            k = fail[k - 1]
    return count


@case(lambda r: (" ".join(str(x) for x in r.integers(0, 100000, 6000)).encode(),))
@njit
def parse_integers(data):
    total = 0
    x = 0
    for b in data:
        if b >= 48 and b <= 57:
            x = x * 10 + (b - 48)
        else:
            total += x
            x = 0
    return total + x


@case(lambda r: (TEXT[:1500],))
@njit
def vowels(text):
    n = 0
    for i in range(len(text)):
        c = text[i]
        if c in "aeiou":
            n += 1
    return n


@case(lambda r: ("abcdefghgfedcba" * 40,))
@njit
def palindrome_text(text):
    n = len(text)
    for i in range(n // 2):
        if text[i] != text[n - 1 - i]:
            return False
    return True
