/**
 * SQL of the quantiles of Student's t for two-sided intervals, as named expressions `t90`, `t95` and `t99`. `degrees`
 * is SQL of the degrees of freedom, from 1 on; they need not be whole. The error is below 1e-10:
 * docs/decisions/student-t.md says where the coefficients come from. `prefix`: of their names. `percents`: of the intervals.
 */
export function studentT(
  degrees: string,
  prefix = '',
  percents: readonly Percent[] = [90, 95, 99],
): readonly NamedSql[] {
  const powers = `${prefix}t_powers`;
  return [
    {
      name: powers,
      sql: `arrayMap(k -> pow(3 / (2 * (${degrees}) + 1), k), range(${coefficients[90].length}))`,
    },
    ...percents.map((percent) => ({
      name: `${prefix}t${percent}`,
      sql: `exp(arrayDotProduct(${powers}, [\n    ${rowsOf(coefficients[percent]).join(',\n    ')}]))`,
    })),
  ];
}

/**
 * SQL of the two-sided p of a t statistic, as named expressions, the last of which is `p_value`. `t` and `degrees` are SQL;
 * degrees from 1 on need not be whole. The error is below 1e-11: docs/decisions/student-t.md says how it is computed.
 */
export function studentTProbability(t: string, degrees: string): readonly NamedSql[] {
  return [
    {
      name: 'p_bound',
      sql: `least(asinh(abs(${t}) / sqrt(${degrees})), acosh(exp(25.5 / (${degrees}))))`,
    },
    {
      name: 'p_integral',
      sql: `p_bound / ${panels} * arraySum(
        panel -> arraySum(
            (node, weight) -> weight * exp(-(${degrees})
                * log1p(2 * pow(sinh(p_bound / ${2 * panels} * (panel + node)), 2))),
            [
    ${rowsOf(gaussLegendre.map(([node]) => node)).join(',\n    ')}],
            [
    ${rowsOf(gaussLegendre.map(([, weight]) => weight)).join(',\n    ')}]),
        range(${panels}))`,
    },
    {
      name: 'p_gamma_ratio',
      sql: `arrayProduct(arrayMap(
            k -> ((${degrees}) / 2 + k) / ((${degrees}) / 2 + k + 0.5),
            range(${gammaSteps})))
        * sqrt((${degrees}) / 2 + ${gammaSteps})
        * arraySum((coefficient, k) -> coefficient / pow((${degrees}) / 2 + ${gammaSteps}, k),
            [${gammaCoefficients.join(', ')}], range(${gammaCoefficients.length}))`,
    },
    { name: 'p_value', sql: 'clamp(1 - 2 / sqrt(pi()) * p_gamma_ratio * p_integral, 0, 1)' },
  ];
}

const panels = 8;

/** The nodes and weights of the interval from 0 to 1. */
const gaussLegendre = [
  [0.005299532504175031, 0.01357622970587709],
  [0.0277124884633837, 0.03112676196932373],
  [0.06718439880608412, 0.0475792558412463],
  [0.1222977958224985, 0.06231448562776704],
  [0.1910618777986781, 0.07479799440828835],
  [0.2709916111713863, 0.08457825969750132],
  [0.3591982246103705, 0.09130170752246182],
  [0.4524937450811813, 0.09472530522753432],
  [0.5475062549188188, 0.09472530522753432],
  [0.6408017753896295, 0.09130170752246182],
  [0.7290083888286136, 0.08457825969750132],
  [0.8089381222013219, 0.07479799440828835],
  [0.8777022041775016, 0.06231448562776704],
  [0.9328156011939159, 0.0475792558412463],
  [0.9722875115366163, 0.03112676196932373],
  [0.994700467495825, 0.01357622970587709],
] as const;

/** Γ(x + ½) / Γ(x) = √x · Σ c x⁻ᵏ for a large x, which these steps of the recurrence lead to. */
const gammaSteps = 20;
const gammaCoefficients = [1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304];

type Percent = keyof typeof coefficients;

interface NamedSql {
  readonly name: string;
  readonly sql: string;
}

/** Of the powers of v = 3 / (2 · degrees + 1) in ln t, from v⁰ on. v is 1 for one degree of freedom, and 0 for infinitely many. */
const coefficients = {
  90: [
    0.4976513996817, 0.6175905757022, 0.398897621571, 0.2159079268974, 0.0849260608956,
    0.0222124399976, 0.0118207992577, 0.0065240858443, -0.0240473588568, -0.0622680530005,
    0.3319841143059, -0.7425634477372, 1.0903466254529, -1.1408441059132, 0.8661354572713,
    -0.4699962106278, 0.1734595597022, -0.0390572509393, 0.0040497951963,
  ],
  95: [
    0.6729260978389, 0.8069098034658, 0.583452339744, 0.3443680374792, 0.1341152477661,
    0.012690523411, -0.0088743076576, 0.0017343869703, -0.0147206847441, -0.132754494548,
    0.5728487582746, -1.1760638405872, 1.6439923938403, -1.658080102276, 1.2001875302914,
    -0.6088829263837, 0.2066715538326, -0.0424445720813, 0.0040146914243,
  ],
  99: [
    0.9461715418953, 1.2724827675554, 1.1389417241282, 0.7619139813064, 0.2270976905719,
    -0.1786579656041, -0.2175859026764, 0.1805286866367, -0.3794888332264, 2.0361000874585,
    -5.6456685672907, 12.7677341871376, -22.8254313400336, 29.1823370974198, -25.7363813923508,
    15.3580868970262, -5.9575326148317, 1.3630709054441, -0.1402137213064,
  ],
} as const;

/** Five numbers per line. */
function rowsOf(numbers: readonly number[]): readonly string[] {
  return numbers.flatMap((_, i) => (i % 5 === 0 ? [numbers.slice(i, i + 5).join(', ')] : []));
}
