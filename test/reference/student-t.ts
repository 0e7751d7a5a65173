/**
 * The quantile of Student's t for a two-sided interval of `level`, such as 0.95, with any number of degrees of freedom
 * from 1 on. Newton's method on the probability of the interval, which is concave in t.
 */
export function studentT(level: number, degrees: number): number {
  const key = `${level} ${degrees}`;
  const known = quantiles.get(key);
  if (known !== undefined) return known;
  let t = 1;
  for (let round = 0; round < 200; round++) {
    const within = 1 - studentTProbability(t, degrees);
    const step = (level - within) / (2 * density(t, degrees));
    t += step;
    if (Math.abs(step) < 1e-13 * t) break;
  }
  quantiles.set(key, t);
  return t;
}

const quantiles = new Map<string, number>();

/** The two-sided p of a t statistic, P(|T| > |t|): the incomplete beta function I(ν/2, ½) at ν / (ν + t²). */
export function studentTProbability(t: number, degrees: number): number {
  if (t === 0) return 1;
  const [a, b] = [degrees / 2, 1 / 2];
  const [x, rest] = [degrees / (degrees + t ** 2), t ** 2 / (degrees + t ** 2)];
  // xᵃ (1 − x)ᵇ / B(a, b). A power of x, which is close to 1 for many degrees, would lose digits.
  const power = Math.exp(-a * Math.log1p(t ** 2 / degrees)) * Math.sqrt(rest);
  const scale = (power * gammaRatio(a)) / Math.sqrt(Math.PI);
  // x of many degrees is close to 1 and has lost digits, of which only a small p needs few.
  return t ** 2 > 10
    ? (scale / a) * continuedFraction(x, a, b)
    : 1 - (scale / b) * continuedFraction(rest, b, a);
}

/** 1 / (1 + d₁ / (1 + d₂ / (1 + …))) of the incomplete beta function, DLMF 8.17.22, from its end. */
function continuedFraction(x: number, a: number, b: number): number {
  const depth = 100 + Math.ceil(10 * Math.sqrt(a + b));
  let fraction = 1;
  for (let m = depth; m >= 0; m--) {
    const even = ((m + 1) * (b - m - 1) * x) / ((a + 2 * m + 1) * (a + 2 * m + 2));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    fraction = 1 + odd / (1 + even / fraction);
  }
  return 1 / fraction;
}

function density(t: number, degrees: number): number {
  const constant = gammaRatio(degrees / 2) / Math.sqrt(degrees * Math.PI);
  return constant * Math.exp((-(degrees + 1) / 2) * Math.log1p((t * t) / degrees));
}

/**
 * Γ(x + ½) / Γ(x): by its series for large x, and Γ(x + 1) = x Γ(x) for others. Γ itself is too large, and the
 * difference of its logarithms loses digits.
 */
function gammaRatio(x: number): number {
  if (x < 50) return (gammaRatio(x + 1) * x) / (x + 0.5);
  const series = 1 - 1 / (8 * x) + 1 / (128 * x ** 2) + 5 / (1024 * x ** 3) - 21 / (32768 * x ** 4);
  return Math.sqrt(x) * (series - 399 / (262144 * x ** 5) + 869 / (4194304 * x ** 6));
}
