# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms of 1024 complex numbers as 32 x 32 matrices: transform the columns, multiply by the
twiddle factors, transpose, and transform the columns again. A column of 32 numbers is itself transformed as
4 rows of 8 numbers, in the same way. Complex tiles are pairs: real and imaginary parts."""

import cuda.tile as ct


@ct.function
def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


@ct.function
def minus(a, b):
    return a[0] - b[0], a[1] - b[1]


@ct.function
def times(a, b):
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


@ct.function
def of_four(a, b, c, d):
    """The 4-point transform."""
    even, odd = plus(a, c), plus(b, d)
    less, lower = minus(a, c), minus(b, d)
    return (plus(even, odd), (less[0] + lower[1], less[1] - lower[0]),
            minus(even, odd), (less[0] - lower[1], less[1] + lower[0]))


@ct.function
def of_eight(a, b, c, d, e, f, g, h):
    """The 8-point transform, from the 4-point transforms of the even and the odd elements and the eighth
    roots of unity."""
    p, q, r, s = of_four(a, c, e, g)
    t, u, v, w = of_four(b, d, f, h)
    half = 0.7071067811865476
    u = ((u[0] + u[1]) * half, (u[1] - u[0]) * half)
    v = (v[1], -v[0])
    w = ((w[1] - w[0]) * half, (w[0] + w[1]) * -half)
    return (plus(p, t), plus(q, u), plus(r, v), plus(s, w),
            minus(p, t), minus(q, u), minus(r, v), minus(s, w))


@ct.function
def stacked(tiles, axis):
    """Concatenates four complex tiles."""
    def part(i):
        return ct.cat((ct.cat((tiles[0][i], tiles[1][i]), axis),
                       ct.cat((tiles[2][i], tiles[3][i]), axis)), axis)
    return part(0), part(1)


@ct.function
def of_columns(x, roots):
    """Transforms the columns of `x`, [part, 4, 8, column]; returns eight complex tiles with four rows
    each. `roots` is [part, 4, 8, 1]."""
    def quarter(i):
        return (ct.extract(x, (0, i, 0, 0), (1, 1, 8, 32)).reshape((1, 8, 1, 32)),
                ct.extract(x, (1, i, 0, 0), (1, 1, 8, 32)).reshape((1, 8, 1, 32)))

    def root(i):
        return (ct.extract(roots, (0, i, 0, 0), (1, 1, 8, 1)).reshape((1, 8, 1, 1)),
                ct.extract(roots, (1, i, 0, 0), (1, 1, 8, 1)).reshape((1, 8, 1, 1)))
    a, b, c, d = of_four(quarter(0), quarter(1), quarter(2), quarter(3))
    rows = stacked((a, times(b, root(1)), times(c, root(2)), times(d, root(3))), 2)

    def row(i):
        return (ct.extract(rows[0], (0, i, 0, 0), (1, 1, 4, 32)),
                ct.extract(rows[1], (0, i, 0, 0), (1, 1, 4, 32)))
    return of_eight(row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))


@ct.function
def matrix(a, b, c, d, e, f, g, h):
    """Combines eight complex tiles with four rows each to [part, 8, 4, column]."""
    upper, lower = stacked((a, b, c, d), 1), stacked((e, f, g, h), 1)
    return ct.cat((ct.cat((upper[0], lower[0]), 1), ct.cat((upper[1], lower[1]), 1)), 0)


@ct.kernel
def fft(x, roots, turns, out):
    """`x` and `out` are [transform, number and part]. `roots` is [part, 4, 8] and contains powers of the
    32nd root of unity; `turns` is [part, 8, 4, 32] and contains powers of the 1024th root."""
    z = ct.bid(0)
    values = ct.permute(ct.load(x, (z, 0), (1, 2048)).reshape((1024, 2)), (1, 0))
    small = ct.load(roots, (0,), (64,)).reshape((2, 4, 8, 1))

    def turn(i):
        return (ct.load(turns, (0, i, 0, 0), (1, 1, 4, 32)),
                ct.load(turns, (1, i, 0, 0), (1, 1, 4, 32)))
    a, b, c, d, e, f, g, h = of_columns(values.reshape((2, 4, 8, 32)), small)
    columns = matrix(times(a, turn(0)), times(b, turn(1)), times(c, turn(2)), times(d, turn(3)),
                     times(e, turn(4)), times(f, turn(5)), times(g, turn(6)), times(h, turn(7)))
    rows = ct.permute(columns.reshape((2, 32, 32)), (0, 2, 1))
    a, b, c, d, e, f, g, h = of_columns(rows.reshape((2, 4, 8, 32)), small)
    result = ct.permute(matrix(a, b, c, d, e, f, g, h).reshape((2, 1024)), (1, 0))
    ct.store(out, (z, 0), result.reshape((1, 2048)))
