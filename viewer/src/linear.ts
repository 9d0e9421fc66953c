// Small linear systems.

/**
 * Solve A x = b for a symmetric positive definite A (rows) by Cholesky; null if A is not.
 */
export function solveSymmetric(a: readonly (readonly number[])[], b: readonly number[]): number[] | null {
  const n = b.length;
  const low = a.map((row) => [...row]);
  const x = [...b];
  for (let i = 0; i < n; i++) {
    const row = low[i]!;
    for (let j = 0; j <= i; j++) {
      const other = low[j]!;
      let sum = row[j]!;
      for (let k = 0; k < j; k++) {
        sum -= row[k]! * other[k]!;
      }
      if (i > j) {
        row[j] = sum / other[j]!;
      } else if (sum > 0) {
        row[i] = Math.sqrt(sum);
      } else {
        return null;
      }
    }
    let sum = x[i]!;
    for (let k = 0; k < i; k++) {
      sum -= row[k]! * x[k]!;
    }
    x[i] = sum / row[i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < n; k++) {
      sum -= low[k]![i]! * x[k]!;
    }
    x[i] = sum / low[i]![i]!;
  }
  return x;
}
