/**
 * The quantile of Student's t for a two-sided interval of `level`, such as 0.95, with any number of degrees of freedom
 * from 1 on. Newton's method on the integral of the density, which starts below the quantile and stays there, because
 * the integral is concave.
 */
export function studentT(level: number, degrees: number): number {
  const key = `${level} ${degrees}`;
  const known = quantiles.get(key);
  if (known !== undefined) return known;
  const constant = densityConstant(degrees);
  let t = 1;
  for (let round = 0; round < 200; round++) {
    const step =
      (level - probabilityWithin(t, degrees, constant)) / (2 * density(t, degrees, constant));
    t += step;
    if (Math.abs(step) < 1e-13 * t) break;
  }
  quantiles.set(key, t);
  return t;
}

const quantiles = new Map<string, number>();

function density(t: number, degrees: number, constant: number): number {
  return constant * Math.exp((-(degrees + 1) / 2) * Math.log1p((t * t) / degrees));
}

/** P(|T| <= t). With x = √degrees · sinh s the integrand is a power of cosh s. */
function probabilityWithin(t: number, degrees: number, constant: number): number {
  const power = (s: number) => Math.exp(-degrees * Math.log1p(2 * Math.sinh(s / 2) ** 2));
  const end = Math.asinh(t / Math.sqrt(degrees));
  return 2 * constant * Math.sqrt(degrees) * integral(power, end);
}

/** From 0 to `end`, by Romberg's method: trapezoids of halved width, extrapolated to width 0. */
function integral(of: (x: number) => number, end: number): number {
  let row = [((of(0) + of(end)) * end) / 2];
  for (let halvings = 1; halvings <= 9; halvings++) {
    const width = end / 2 ** halvings;
    let sum = 0;
    for (let i = 1; i < 2 ** halvings; i += 2) sum += of(i * width);
    const next = [row[0]! / 2 + sum * width];
    row.forEach((coarse, k) => next.push(next[k]! + (next[k]! - coarse) / (4 ** (k + 1) - 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** Γ((n + 1) / 2) / (Γ(n / 2) √(nπ)). Γ itself is too large, and the difference of its logarithms loses digits. */
function densityConstant(degrees: number): number {
  return gammaRatio(degrees / 2) / Math.sqrt(degrees * Math.PI);
}

/** Γ(x + ½) / Γ(x): by its series for large x, and Γ(x + 1) = x Γ(x) for others. */
function gammaRatio(x: number): number {
  if (x < 50) return (gammaRatio(x + 1) * x) / (x + 0.5);
  const series = 1 - 1 / (8 * x) + 1 / (128 * x ** 2) + 5 / (1024 * x ** 3) - 21 / (32768 * x ** 4);
  return Math.sqrt(x) * (series - 399 / (262144 * x ** 5) + 869 / (4194304 * x ** 6));
}
