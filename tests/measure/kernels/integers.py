"""Numbers: primes, divisors, random generators, bits."""

import math

import numpy as np

from . import case, njit


@case(lambda r: (1500,))
@njit
def collatz(n):
    longest = 0
    for start in range(1, n):
        x = start
        steps = 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        longest = max(longest, steps)
    return longest


@njit
def collatz_steps(x):
    while x != 1:
        yield x
        if x % 2 == 0:
            x //= 2
        else:
            x = 3 * x + 1


@case(lambda r: (1000,))
@njit
def collatz_generator(n):
    longest = 0
    for start in range(1, n):
        steps = 0
        for _ in collatz_steps(start):
            steps += 1
        if steps > longest:
            longest = steps
    return longest


@case(lambda r: (20000,))
@njit
def sieve_bool(n):
    prime = np.ones(n + 1, np.bool_)
    prime[0] = prime[1] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    return prime.sum()


@case(lambda r: (30000,))
@njit
def sieve_odd(n):
    half = n // 2
    composite = np.zeros(half, np.uint8)
    count = 1
    for i in range(1, half):
        if composite[i] == 0:
            count += 1
            p = 2 * i + 1
            k = p * p // 2
            while k < half:
                composite[k] = 1
                k += p
    return count


@case(lambda r: (20000,))
@njit
def sieve_slices(n):
    prime = np.ones(n, np.bool_)
    prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            prime[i * i :: i] = False
    return np.nonzero(prime)[0].size


@case(lambda r: (20000,))
@njit
def sieve_linear(n):
    low = np.zeros(n + 1, np.int64)
    primes = []
    for i in range(2, n + 1):
        if low[i] == 0:
            low[i] = i
            primes.append(i)
        for p in primes:
            if p > low[i] or i * p > n:
                break
            low[i * p] = p
    return len(primes)


@case(lambda r: (20000,))
@njit
def totients(n):
    phi = np.arange(n + 1)
    for i in range(2, n + 1):
        if phi[i] == i:
            for j in range(i, n + 1, i):
                phi[j] -= phi[j] // i
    return phi.sum()


@njit
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@case(lambda r: (60,))
@njit
def coprime_pairs(n):
    count = 0
    for a in range(1, n):
        for b in range(1, n):
            if gcd(a, b) == 1:
                count += 1
    return count


@case(lambda r: (r.integers(1, 1 << 40, 4000), r.integers(1, 1 << 40, 4000)))
@njit
def binary_gcd(a, b):
    total = 0
    for i in range(a.size):
        u, v = a[i], b[i]
        shift = 0
        while (u | v) & 1 == 0:
            u >>= 1
            v >>= 1
            shift += 1
        while u & 1 == 0:
            u >>= 1
        while v != 0:
            while v & 1 == 0:
                v >>= 1
            if u > v:
                u, v = v, u
            v -= u
        total += u << shift
    return total


@njit
def power_mod(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


@case(lambda r: (1000, 1000003))
@njit
def fermat_sum(n, p):
    total = 0
    for i in range(1, n):
        total += power_mod(i, p - 2, p)
    return total


@njit
def is_probable_prime(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11):
        if n % p == 0:
            return n == p
    d = n - 1
    s = 0
    while d % 2 == 0:
        d //= 2
        s += 1
    for a in (2, 3, 5):
        x = power_mod(a, d, n)
        if x == 1 or x == n - 1:
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@case(lambda r: (1000000, 1000400))
@njit
def miller_rabin(low, high):
    count = 0
    for n in range(low, high):
        if is_probable_prime(n):
            count += 1
    return count


@case(lambda r: (2500,))
@njit
def trial_division(n):
    count = 0
    for i in range(2, n):
        prime = True
        for j in range(2, int(math.sqrt(i)) + 1):
            if i % j == 0:
                prime = False
                break
        if prime:
            count += 1
    return count


@case(lambda r: (r.integers(0, 1 << 62, 30000),))
@njit
def popcount_loop(a):
    total = 0
    for x in a:
        while x:
            x &= x - 1
            total += 1
    return total


@case(lambda r: (r.integers(0, 1 << 62, 80000),))
@njit
def popcount_masks(a):
    total = 0
    for i in range(a.size):
        x = np.uint64(a[i])
        x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
        x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
        x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        total += (x * np.uint64(0x0101010101010101)) >> np.uint64(56)
    return total


@case(lambda r: (12345, 30000))
@njit
def linear_congruence(seed, n):
    x = seed
    total = 0
    for _ in range(n):
        x = (1103515245 * x + 12345) % 2147483648
        total += x >> 16
    return total


@case(lambda r: (500,))
@njit
def perfect_numbers(n):
    count = 0
    for i in range(2, n):
        s = 0
        for d in range(1, i):
            if i % d == 0:
                s += d
        if s == i:
            count += 1
    return count


@case(lambda r: (3000,))
@njit
def perfect_by_roots(n):
    total = 0
    for i in range(2, n):
        s = 1
        d = 2
        while d * d <= i:
            if i % d == 0:
                s += d
                if d * d != i:
                    s += i // d
            d += 1
        if s == i:
            total += i
    return total


@case(lambda r: (6000,))
@njit
def digit_powers(n):
    total = 0
    for i in range(10, n):
        x = i
        s = 0
        while x > 0:
            d = x % 10
            s += d**4
            x //= 10
        if s == i:
            total += i
    return total


@case(lambda r: (40000,))
@njit
def palindromes(n):
    count = 0
    for i in range(n):
        x = i
        back = 0
        while x > 0:
            back = back * 10 + x % 10
            x //= 10
        if back == i:
            count += 1
    return count


@njit
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@case(lambda r: (2, 60))
@njit
def ackermann_of(m, n):
    return ackermann(m, n)


@case(lambda r: (200,))
@njit
def pascal(n):
    t = np.zeros((n, n), np.int64)
    for i in range(n):
        t[i, 0] = 1
        for j in range(1, i + 1):
            t[i, j] = (t[i - 1, j - 1] + t[i - 1, j]) % 1000007
    return t


@case(lambda r: (300,))
@njit
def pythagorean(n):
    count = 0
    for a in range(1, n):
        for b in range(a, n):
            c = int(math.sqrt(a * a + b * b))
            if c < n and c * c == a * a + b * b:
                count += 1
    return count


@case(lambda r: (np.uint64(88172645463325252), 100000))
@njit
def splitmix(seed, n):
    x = seed
    total = np.uint64(0)
    for _ in range(n):
        x += np.uint64(0x9E3779B97F4A7C15)
        z = x
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        total ^= z ^ (z >> np.uint64(31))
    return total
