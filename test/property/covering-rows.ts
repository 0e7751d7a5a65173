import type { Random } from './random.ts';

/** The levels of each factor, such as `format: ['json', 'csv']`. */
export type Factors = Readonly<Record<string, readonly string[]>>;

/** A level per factor. */
export type Row = Readonly<Record<string, string>>;

/** Rows in which every two levels of different factors that are allowed together occur together at least once. */
export function coveringRows(
  factors: Factors,
  isAllowed: (row: Row) => boolean,
  random: Random,
): readonly Row[] {
  const rows: Row[] = [];
  const missing = new Set(allPairs(factors).filter((pair) => isAllowed(rowOfPair(pair))));
  for (let [pair] = missing; pair !== undefined; [pair] = missing) {
    const row = completed(rowOfPair(pair), factors, isAllowed, missing, random);
    for (const covered of pairsOf(row)) missing.delete(covered);
    rows.push(row);
  }
  return rows;
}

export function firstLevels(factors: Factors): Row {
  return Object.fromEntries(Object.entries(factors).map(([name, [first]]) => [name, first!]));
}

/** `format=csv & floor=none` for every two levels of different factors. */
export function allPairs(factors: Factors): readonly string[] {
  const names = Object.keys(factors);
  return names.flatMap((a, i) =>
    names
      .slice(i + 1)
      .flatMap((b) =>
        factors[a]!.flatMap((one) =>
          factors[b]!.flatMap((other) => pairsOf({ [a]: one, [b]: other })),
        ),
      ),
  );
}

export function pairsOf(row: Row): readonly string[] {
  const levels = Object.entries(row)
    .map(([factor, level]) => `${factor}=${level}`)
    .sort();
  return levels.flatMap((a, i) => levels.slice(i + 1).map((b) => `${a} & ${b}`));
}

export function rowOfPair(pair: string): Row {
  const levels = pair.split(' & ').map((level) => level.split('=') as [string, string]);
  return Object.fromEntries(levels);
}

/** Gives each other factor, in random order, the level that covers most of the missing pairs. */
function completed(
  start: Row,
  factors: Factors,
  isAllowed: (row: Row) => boolean,
  missing: ReadonlySet<string>,
  random: Random,
): Row {
  const others = Object.keys(factors).filter((name) => start[name] === undefined);
  const order = others.map((name) => [random.fraction(), name] as const).sort(([a], [b]) => a - b);
  return order.reduce<Row>((row, [, name]) => {
    const candidates = factors[name]!.map((level) => ({ ...row, [name]: level }))
      .filter(isAllowed)
      .map((one) => [pairsOf(one).filter((pair) => missing.has(pair)).length, one] as const);
    if (candidates.length === 0) throw new Error(`no ${name} is allowed: ${JSON.stringify(row)}`);
    return candidates.reduce((best, one) => (one[0] > best[0] ? one : best))[1];
  }, start);
}
