"""Decompositions of 3×3 matrices: singular values, polar decomposition, eigenvalues.

Jacobi rotations in pure Python give the same bits on every processor, and are as fast as LAPACK for one
small matrix. The last digits of LAPACK depend on the instructions that OpenBLAS selects.
"""

from __future__ import annotations

import math

from unibody.model.pose import UNIT_MATRIX, Matrix3, Vector3, cross, dot

# Sweeps over all pairs of columns; six are enough for any 3×3 matrix of doubles.
_SWEEPS = 30
_EPSILON = 2.0**-52
_PAIRS = ((0, 1), (0, 2), (1, 2))


def product(a: Matrix3, b: Matrix3) -> Matrix3:
    """a · b.

    >>> product(((1.0, 2.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), UNIT_MATRIX)
    ((1.0, 2.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """
    (b00, b01, b02), (b10, b11, b12), (b20, b21, b22) = b
    x, y, z = (
        (p * b00 + q * b10 + r * b20, p * b01 + q * b11 + r * b21, p * b02 + q * b12 + r * b22)
        for p, q, r in a
    )
    return (x, y, z)


def times(m: Matrix3, v: Vector3) -> Vector3:
    """m · v."""
    x, y, z = v
    a, b, c = m
    return (
        a[0] * x + a[1] * y + a[2] * z,
        b[0] * x + b[1] * y + b[2] * z,
        c[0] * x + c[1] * y + c[2] * z,
    )


def transposed(m: Matrix3) -> Matrix3:
    """mᵀ."""
    a, b, c = zip(*m, strict=True)
    return (a, b, c)


def diagonal(v: Vector3) -> Matrix3:
    """Return diag(v)."""
    x, y, z = v
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))


def singular_values(m: Matrix3) -> tuple[Matrix3, Vector3, Matrix3]:
    """Rotations U and V and factors s with m = U · diag(s) · Vᵀ.

    All factors are negative if det(m) < 0. They are not sorted: V is close to the identity, so that the
    factors of a diagonal matrix keep its order.

    >>> singular_values(((2.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 4.0)))[1]
    (2.0, 3.0, 4.0)
    """
    scale = _power(m)
    # Columns of m · V, which become orthogonal, and of V.
    columns = [[row[k] / scale for row in m] for k in range(3)]
    turn = [list(row) for row in UNIT_MATRIX]
    for _ in range(_SWEEPS):
        done = True
        for p, q in _PAIRS:
            a, b = columns[p], columns[q]
            aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2]
            bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2]
            ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            if abs(ab) <= _EPSILON * math.sqrt(aa) * math.sqrt(bb):
                continue
            done = False
            c, s = _rotation(aa, bb, ab)
            for vectors in (columns, turn):
                x0, x1, x2 = vectors[p]
                y0, y1, y2 = vectors[q]
                vectors[p] = [c * x0 - s * y0, c * x1 - s * y1, c * x2 - s * y2]
                vectors[q] = [s * x0 + c * y0, s * x1 + c * y1, s * x2 + c * y2]
        if done:
            break
    factors = [math.hypot(*column) for column in columns]
    u = _directions(columns, factors)
    sign = 1.0 if dot(cross(u[0], u[1]), u[2]) > 0.0 else -1.0
    x, y, z = ((sign * i, sign * j, sign * k) for i, j, k in u)
    v = transposed(tuple(map(tuple, turn)))  # type: ignore[arg-type]
    return transposed((x, y, z)), tuple(sign * scale * factor for factor in factors), v  # type: ignore[return-value]


def polar(m: Matrix3) -> tuple[Matrix3, Matrix3]:
    """A rotation R and a symmetric stretch S with m = R · S.

    >>> polar(((0.0, -2.0, 0.0), (3.0, 0.0, 0.0), (0.0, 0.0, 1.0)))[1]
    ((3.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 1.0))
    """
    u, factors, v = singular_values(m)
    return product(u, transposed(v)), symmetric(v, factors)


def symmetric(axes: Matrix3, factors: Vector3) -> Matrix3:
    """axes · diag(factors) · axesᵀ, symmetric to the last bit; the axes are columns."""
    a, b, c = factors
    (p, q, r) = axes
    x, y, z = ((a * i, b * j, c * k) for i, j, k in axes)
    xy, xz, yz = dot(x, q), dot(x, r), dot(y, r)
    return ((dot(x, p), xy, xz), (xy, dot(y, q), yz), (xz, yz, dot(z, r)))


def eigenvalues(m: Matrix3) -> tuple[Vector3, Matrix3]:
    """Eigenvalues of a symmetric matrix (not sorted), and a rotation with the eigenvectors as columns.

    >>> eigenvalues(((2.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, 4.0)))[0]
    (2.0, 3.0, 4.0)
    """
    scale = _power(m)
    work = [[value / scale for value in row] for row in m]
    turn = [list(row) for row in UNIT_MATRIX]
    for _ in range(_SWEEPS):
        done = True
        for p, q in _PAIRS:
            off = work[p][q]
            if abs(off) <= _EPSILON * math.sqrt(abs(work[p][p])) * math.sqrt(abs(work[q][q])) * 0.5:
                continue
            done = False
            c, s = _rotation(work[p][p], work[q][q], off)
            for row in (*work, *turn):
                row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
            x, y = work[p], work[q]
            work[p] = [c * i - s * k for i, k in zip(x, y, strict=True)]
            work[q] = [s * i + c * k for i, k in zip(x, y, strict=True)]
            work[p][q] = work[q][p] = 0.0
        if done:
            break
    a, b, c = (scale * work[k][k] for k in range(3))
    return (a, b, c), tuple(map(tuple, turn))  # type: ignore[return-value]


def _rotation(aa: float, bb: float, ab: float) -> tuple[float, float]:
    """Cosine and sine of the smaller rotation that diagonalizes [[aa, ab], [ab, bb]]."""
    half = (bb - aa) / (2.0 * ab)
    if not math.isfinite(half):
        return 1.0, 0.0
    tangent = math.copysign(1.0, half) / (abs(half) + math.sqrt(1.0 + half * half))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    return cosine, cosine * tangent


def _power(m: Matrix3) -> float:
    """A power of two close to the largest entry, so that division by it is exact."""
    largest = max(abs(value) for row in m for value in row)
    return math.ldexp(1.0, min(max(math.frexp(largest)[1], -1000), 1000)) if largest else 1.0


def _directions(columns: list[list[float]], lengths: list[float]) -> list[Vector3]:
    """Normalize orthogonal columns; zero columns are replaced to complete a rotation."""
    largest = max(lengths)
    found: dict[int, Vector3] = {}
    for k, (column, length) in enumerate(zip(columns, lengths, strict=True)):
        if length > 4.0 * _EPSILON * largest:
            found[k] = (column[0] / length, column[1] / length, column[2] / length)
    if not found:
        return list(UNIT_MATRIX)
    if len(found) == 1:
        ((known, first),) = found.items()
        k = min(range(3), key=lambda i: abs(first[i]))
        side = cross(UNIT_MATRIX[k], first)
        length = math.hypot(*side)
        found[(known + 1) % 3] = (side[0] / length, side[1] / length, side[2] / length)
    if len(found) == 2:
        (missing,) = {0, 1, 2} - set(found)
        found[missing] = cross(found[(missing + 1) % 3], found[(missing + 2) % 3])
    return [found[k] for k in range(3)]
