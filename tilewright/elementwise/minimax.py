# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compute the minimax polynomials for exp, log, sine and other functions.

Each table is the minimax approximation of a smooth function g on an interval, found by the
Remez exchange algorithm: the error, weighted by its effect on the final result, alternates
between equal extremes. Coefficients are rounded one after the other, lowest power first; the
remaining ones are fitted again after each, to compensate for the rounding.

    python3 tilewright/elementwise/minimax.py | clang-format-22 > tilewright/elementwise/MathTables.h

writes the tables, each with the error that was reached. It takes some minutes and needs mpmath.
"""

from mpmath import atan, atanh, cos, cosh, exp, log, lu_solve, matrix, mp, mpf, nstr, pi
from mpmath import polyval, sin, sinh, sqrt, tanh

mp.prec = 240
ln2 = log(2)
GRID = 999  # number of sample points for the extremes of the error


def at_zero(closed, series, radius=mpf(2) ** -12):
    """closed(x), or the first terms of its series where closed(x) suffers from cancellation."""
    return lambda x: closed(x) if abs(x) > radius else sum(
        c * x**k for k, c in enumerate(series))


def minimax(samples, degree):
    """The polynomial p of this degree that minimises the maximum of |w (y - p(x))| over the
    samples (x, y, w)."""
    n = degree + 1
    # Samples with a vanishing weight do not matter.
    least = max(w for _, _, w in samples) * mpf("1e-7")
    samples = [s for s in samples if s[2] > least]
    points = [samples[k * (len(samples) - 1) // n] for k in range(n + 1)]
    best = None
    for _ in range(30):
        rows, right = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, (x, y, w) in enumerate(points):
            for j in range(n):
                rows[i, j] = x**j
            rows[i, n] = (-1) ** i / w
            right[i] = y
        solution = lu_solve(rows, right)
        p = [solution[j] for j in range(n)]
        errors = [(s, s[2] * (s[1] - evaluate(p, s[0]))) for s in samples]
        worst = max(abs(e) for _, e in errors)
        if best is None or worst < best[1]:
            best = p, worst
        if worst < abs(solution[n]) * mpf("1.01"):
            break
        points = exchange(errors, n + 1)
    return best[0]


def evaluate(p, x):
    return polyval(p[::-1], x)


def exchange(errors, count):
    """The extremes of the error, one for each run of samples with equal signs."""
    extremes = []
    for v, e in errors:
        if extremes and (e > 0) == (extremes[-1][1] > 0):
            if abs(e) > abs(extremes[-1][1]):
                extremes[-1] = v, e
        else:
            extremes.append((v, e))
    while len(extremes) > count:
        size = [abs(e) for _, e in extremes]
        if len(extremes) == count + 1:
            extremes.pop(0 if size[0] < size[-1] else -1)
        else:  # remove two neighbours, so that signs still alternate
            k = min(range(len(size) - 1), key=lambda k: max(size[k], size[k + 1]))
            del extremes[k:k + 2]
    if len(extremes) < count:
        raise ValueError("the error does not alternate often enough")
    return [v for v, _ in extremes]


def rounded(value, bits):
    """The nearest number with this many significant bits."""
    with_bits = mp.prec
    mp.prec = bits
    value = +value
    mp.prec = with_bits
    return value


def fit(g, weight, low, high, degree, bits):
    """Rounded coefficients, lowest power first, and their maximum error."""
    middle, half = (mpf(low) + mpf(high)) / 2, (mpf(high) - mpf(low)) / 2
    xs = [middle + half * cos(pi * (GRID - k) / GRID) for k in range(GRID + 1)]
    truth = [(x, g(x), abs(weight(x))) for x in xs if x]
    fixed, rest = [], truth
    for left in range(degree, -1, -1):
        c = rounded(minimax(rest, left)[0], bits)
        fixed.append(c)
        rest = [(x, (y - c) / x, w * abs(x)) for x, y, w in rest]
    return fixed, max(w * abs(y - evaluate(fixed, x)) for x, y, w in truth)


def hexadecimal(value):
    """A C++ literal. f64 holds each value exactly."""
    digits, power = float(value).hex().split("p")
    return digits.rstrip("0").rstrip(".") + "p" + power


def table(name, meaning, g, weight, low, high, degree, bits):
    coefficients, error = fit(g, weight, low, high, degree, bits)
    power = nstr(log(error, 2), 4)
    print(f"\n/// {meaning}; error 2^{power}.")
    print(f"inline constexpr double {name}[] = {{")
    for k in range(0, len(coefficients), 3):
        print("    " + ", ".join(hexadecimal(c) for c in coefficients[k:k + 3]) + ",")
    print("};")


def parts(name, meaning, value, bits):
    """A constant as a sum of numbers with the given numbers of bits."""
    print(f"\n/// {meaning}")
    print(f"inline constexpr double {name}[] = {{")
    for b in bits:
        part = rounded(value, b)
        print(f"    {hexadecimal(part)},")
        value -= part
    print("};")


def words(name, meaning, value, count):
    """The bits of a number below 1 as 64-bit words, from the left."""
    print(f"\n/// {meaning}")
    print(f"inline constexpr uint64_t {name}[] = {{")
    whole = int(value * mpf(2) ** (64 * count))
    each = [whole >> (64 * k) & (2**64 - 1) for k in reversed(range(count))]
    for k in range(0, count, 4):
        print("    " + ", ".join(f"0x{w:016x}" for w in each[k:k + 4]) + ",")
    print("};")


# The functions without their exact terms. An argument named z is a square.
factorial = lambda k: mp.factorial(k)
exp_rest = at_zero(lambda r: (exp(r) - 1 - r) / r**2, [1 / factorial(k + 2) for k in range(20)])
exp2_rest = at_zero(lambda r: (exp(r * ln2) - 1) / r,
                    [ln2 ** (k + 1) / factorial(k + 1) for k in range(20)])
log_rest = at_zero(lambda f: (log(1 + f) - f) / f**2, [(-1) ** (k + 1) / mpf(k + 2) for k in range(20)])
log_third = at_zero(lambda f: (log_rest(f) + mpf(1) / 2) / f, [(-1) ** k / mpf(k + 3) for k in range(20)])
log2_ratio = lambda f: (1 + f * log_rest(f)) / ln2
# log((1+s)/(1-s)) = 2s + s z g(z) with z = s^2.
ratio_log = at_zero(lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z, [mpf(2) / (2 * k + 3) for k in range(20)])
log_power = lambda z: (ratio_log(z) / 2 - mpf(1) / 3) / z if z > mpf(2) ** -40 else mpf(1) / 5
sine = at_zero(lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z,
               [(-1) ** (k + 1) / factorial(2 * k + 3) for k in range(20)])
cosine = at_zero(lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2,
                 [(-1) ** k / factorial(2 * k + 4) for k in range(20)])
tanh_rest = at_zero(lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z,
                    [mpf(-1) / 3, mpf(2) / 15, mpf(-17) / 315, mpf(62) / 2835, mpf(-1382) / 155925])
sinh_rest = at_zero(lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, [1 / factorial(2 * k + 3) for k in range(20)])
cosh_rest = at_zero(lambda z: (cosh(sqrt(z)) - 1) / z, [1 / factorial(2 * k + 2) for k in range(20)])
arctangent = at_zero(lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z,
                     [(-1) ** (k + 1) / mpf(2 * k + 3) for k in range(20)])


def main():
    print("""// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which polynomials stand for exp, log, sine and the others? Written by
// minimax.py, which says how they are found; errors are relative to the result.
// Tables named Single are for arithmetic in f32, Double for f64; Short ones are for f64
// where the result is an f32.

#ifndef TILEWRIGHT_ELEMENTWISE_MATHTABLES_H
#define TILEWRIGHT_ELEMENTWISE_MATHTABLES_H

#include <cstdint>

namespace tilewright::elementwise::tables {""")
    half_ln2 = ln2 / 2 * mpf("1.001")
    exp_weight = lambda r: r**2 / exp(r)
    meaning = "(e^r - 1 - r) / r^2 for |r| <= ln 2 / 2"
    table("expSingle", meaning, exp_rest, exp_weight, -half_ln2, half_ln2, 5, 24)
    table("expShort", meaning, exp_rest, exp_weight, -half_ln2, half_ln2, 5, 53)
    table("expDouble", meaning, exp_rest, exp_weight, -half_ln2, half_ln2, 10, 53)
    parts("ln2Single", "ln 2; |n| < 2^9 times the first is exact in f32.", ln2, [15, 24])
    parts("ln2Double", "ln 2; |n| < 2^12 times the first is exact in f64.", ln2, [41, 53])

    exp2_weight = lambda r: r / exp(r * ln2)
    meaning = "(2^r - 1) / r for |r| <= 1/2"
    table("exp2Single", meaning, exp2_rest, exp2_weight, -0.5, 0.5, 5, 24)
    table("exp2Short", meaning, exp2_rest, exp2_weight, -0.5, 0.5, 5, 53)
    table("exp2Double", meaning, exp2_rest, exp2_weight, -0.5, 0.5, 11, 53)

    low, high = mpf(-1) / 3, mpf(1) / 3
    log_weight = lambda f: f / (1 + f * log_rest(f))  # f^2 / log(1+f)
    table("logSingle", "(log(1+f) - f + f^2/2) / f^3 for 1+f in [2/3, 4/3]",
          log_third, lambda f: f * log_weight(f), low, high, 7, 24)
    table("log2Short", "log2(1+f) / f, likewise", log2_ratio,
          lambda f: 1 / log2_ratio(f), low, high, 12, 53)
    top = mpf("0.2002") ** 2  # for f = -1/3
    table("logRatioDouble", "(log((1+s)/(1-s)) - 2s) / s^3 in z = s^2, 1+f = (1+s)/(1-s) likewise",
          ratio_log, lambda z: z / 2, 0, top, 7, 53)

    parts("log2eSingle", "1 / ln 2; 12 bits times the first are exact in f32.", 1 / ln2, [12, 24])
    parts("log2eDouble", "1 / ln 2; 27 bits times the first are exact in f64.", 1 / ln2, [26, 53])

    small = (half_ln2) ** 2
    table("sinhShort", "(sinh r / r - 1) / z in z = r^2 for |r| <= ln 2 / 2", sinh_rest,
          lambda z: z * sqrt(z) / sinh(sqrt(z)) if z else z, 0, small, 2, 53)
    table("coshShort", "(cosh r - 1) / z in z = r^2 for |r| <= ln 2 / 2", cosh_rest,
          lambda z: z / cosh(sqrt(z)), 0, small, 2, 53)

    table("sinhDouble", "(sinh r / r - 1) / z, likewise", sinh_rest,
          lambda z: z * sqrt(z) / sinh(sqrt(z)) if z else z, 0, small, 5, 53)
    table("coshDouble", "(cosh r - 1) / z, likewise", cosh_rest,
          lambda z: z / cosh(sqrt(z)), 0, small, 5, 53)

    table("sinhSingle", "(sinh r / r - 1) / z in z = r^2 for |r| <= 1", sinh_rest,
          lambda z: z * sqrt(z) / sinh(sqrt(z)) if z else z, 0, 1, 3, 24)
    table("tanhSingle", "(tanh r / r - 1) / z in z = r^2 for |r| <= 5/8", tanh_rest,
          lambda z: z * sqrt(z) / tanh(sqrt(z)) if z else z, 0, mpf(25) / 64, 5, 24)

    eighth = (pi / 4 * mpf("1.001")) ** 2
    quarter = (pi / 2 * mpf("1.001")) ** 2
    sine_weight = lambda z: z * sqrt(z) / sin(sqrt(z)) if z else z
    table("sineShort", "(sin r / r - 1) / z in z = r^2 for |r| <= pi/2",
          sine, sine_weight, 0, quarter, 3, 53)
    table("sineEighthShort", "likewise for |r| <= pi/4", sine, sine_weight, 0, eighth, 2, 53)
    table("cosineEighthShort", "(cos r - 1 + z/2) / z^2 in z = r^2 for |r| <= pi/4",
          cosine, lambda z: z**2 / cos(sqrt(z)), 0, eighth, 2, 53)
    table("sineEighthDouble", "(sin r / r - 1) / z, likewise", sine, sine_weight, 0, eighth, 5, 53)
    table("cosineEighthDouble", "(cos r - 1 + z/2) / z^2, likewise",
          cosine, lambda z: z**2 / cos(sqrt(z)), 0, eighth, 5, 53)
    parts("halfPiDouble", "pi/2; |n| < 2^20 times all but the last are exact in f64.", pi / 2,
          [33, 33, 33, 53])
    table("sineEighthSingle", "(sin r / r - 1) / z, likewise", sine, sine_weight, 0, eighth, 3, 24)
    table("cosineEighthSingle", "(cos r - 1 + z/2) / z^2, likewise",
          cosine, lambda z: z**2 / cos(sqrt(z)), 0, eighth, 3, 24)
    parts("halfPiSingle", "pi/2; x - n times the first is exact in f32 for |x| <= 2^20.", pi / 2,
          [24, 24, 24])
    mp.prec = 1500
    words("twoOverPi", "2/pi below 64 bits of zero.", 2 / pi / mpf(2) ** 64, 20)
    mp.prec = 240
    parts("piDouble", "pi; |n| < 2^21 times the first is exact in f64.", pi, [32, 53])

    table("arctangentShort", "(atan q / q - 1) / z in z = q^2 for |q| <= 1",
          arctangent, lambda z: z * sqrt(z) / atan(sqrt(z)) if z else z, 0, 1, 9, 53)
    table("arctangentSingle", "(atan q / q - 1) / z in z = q^2 for |q| <= 1",
          arctangent, lambda z: z * sqrt(z) / atan(sqrt(z)) if z else z, 0, 1, 9, 24)
    table("arctangentDouble", "(atan q / q - 1) / z in z = q^2 for |q| <= tan(pi/8)",
          arctangent, lambda z: z * sqrt(z) / atan(sqrt(z)) if z else z, 0,
          ((sqrt(mpf(2)) - 1) * mpf("1.001")) ** 2, 10, 53)
    parts("eighthTurnDouble", "pi/4; up to 4 times the first is exact in f64.", pi / 4, [50, 53])

    table("logPowerDouble", "((log((1+s)/(1-s)) / 2s - 1) / z - 1/3) / z in z = s^2, as above",
          log_power, lambda z: z**2, 0, top, 7, 53)
    table("logPowerSingle", "likewise", log_power, lambda z: z**2, 0, top, 3, 24)
    parts("thirdSingle", "1/3.", mpf(1) / 3, [24, 24])
    parts("twoLog2eSingle", "2 / ln 2.", 2 / ln2, [24, 24])
    parts("thirdDouble", "1/3.", mpf(1) / 3, [53, 53])
    parts("twoLog2eDouble", "2 / ln 2.", 2 / ln2, [53, 53])


if __name__ == "__main__":
    main()
    print("""
} // namespace tilewright::elementwise::tables

#endif // TILEWRIGHT_ELEMENTWISE_MATHTABLES_H""")
