/**
 * SQL of the quantiles of Student's t for two-sided intervals, as named expressions `t90`, `t95` and `t99`. `degrees`
 * is SQL of the degrees of freedom, from 1 on; they need not be whole. The error is below 1e-10:
 * docs/decisions/student-t.md says where the coefficients come from.
 */
export function studentT(degrees: string): readonly NamedSql[] {
  return [
    {
      name: 't_powers',
      sql: `arrayMap(k -> pow(3 / (2 * (${degrees}) + 1), k), range(${coefficients[90].length}))`,
    },
    ...Object.entries(coefficients).map(([percent, ofPowers]) => ({
      name: `t${percent}`,
      sql: `exp(arrayDotProduct(t_powers, [\n    ${rowsOf(ofPowers).join(',\n    ')}]))`,
    })),
  ];
}

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
