/** Counts are compared exactly. */
const counts =
  /\.(sampleCount|agentCount|unitCount|aggregatedNumber|leftOut\.\w+|coverage\.(received|agents|reporting)|households\.\w+)$/;

/** Sums of the same doubles in another order differ in the last digits, relative to the largest. */
const tolerance = 1e-9;
/** A household's value is rounded to nine decimals. One half of the last decimal may be rounded up or down. */
const roundingTolerance = 1.001e-9;
/** Student's t of two households, at most 63.7, magnifies it in a half-width of an interval. */
const halfWidthTolerance = 64 * roundingTolerance;
const halfWidths = /\.ci(Household)?(90|95|99)$/;
/** Of quotients, whatever the size of the results. Dividing by a small number magnifies the above. */
const quotientTolerance = 1e-6;
const quotients = /\.difference\.(percent|p|pAdjusted|df)$/;

/** Describes the first difference from the expected response; undefined if there is none. */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  path = 'data',
  scale = 0,
): string | undefined {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return differenceOfLists(expected, actual, path, scale);
  }
  if (isObject(expected) && isObject(actual)) {
    return differenceOfObjects(expected, actual, path, scale);
  }
  const isSame =
    typeof expected === 'number' && typeof actual === 'number'
      ? isSameNumber(expected, actual, path, scale)
      : expected === actual;
  return isSame
    ? undefined
    : `${path} should be ${JSON.stringify(expected)} but is ${JSON.stringify(actual)}`;
}

function differenceOfLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
  scale: number,
): string | undefined {
  for (let i = 0; i < Math.min(expected.length, actual.length); i++) {
    const difference = firstDifference(expected[i], actual[i], `${path}[${i}]`, scale);
    if (difference !== undefined) return difference;
  }
  if (expected.length === actual.length) return undefined;
  const [kind, extra] =
    expected.length > actual.length
      ? ['missing', expected[actual.length]]
      : ['too many', actual[expected.length]];
  return `${path} should have ${expected.length} elements but has ${actual.length}; first ${kind}: ${JSON.stringify(extra)}`;
}

function differenceOfObjects(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  path: string,
  scale: number,
): string | undefined {
  const names = [Object.keys(expected).sort(), Object.keys(actual).sort()] as const;
  if (names[0].join() !== names[1].join()) {
    return `${path} should have the fields ${names[0].join(', ')} but has ${names[1].join(', ')}`;
  }
  const inner = Math.max(scale, scaleOf(expected), scaleOf(expected.compared));
  for (const [name, value] of Object.entries(expected)) {
    const difference = firstDifference(value, actual[name], `${path}.${name}`, inner);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The scale of a point is its largest result. With a privacy floor only its percentiles are known. */
function scaleOf(point: unknown): number {
  if (!isObject(point)) return 0;
  const percentiles = isObject(point.percentiles) ? Object.values(point.percentiles) : [];
  return Math.max(...[point.min, point.max, ...percentiles].map((n) => Math.abs(Number(n ?? 0))));
}

function isSameNumber(expected: number, actual: number, path: string, scale: number): boolean {
  if (counts.test(path)) return expected === actual;
  if (quotients.test(path)) {
    return Math.abs(expected - actual) <= quotientTolerance * Math.max(1, Math.abs(expected));
  }
  const largest = Math.max(scale, Math.abs(expected));
  const rounding = halfWidths.test(path) ? halfWidthTolerance : roundingTolerance;
  return Math.abs(expected - actual) <= Math.max(tolerance * largest, rounding);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
