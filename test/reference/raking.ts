import { createHash } from 'node:crypto';
import { sum } from './weights.ts';

/** Published shares by the value of a field. */
export type PublishedShares = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface RakedHousehold {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Weights without bounds: the shares of each field in turn, again and again. */
export function rakedWeights(
  households: readonly RakedHousehold[],
  published: PublishedShares,
): ReadonlyMap<string, number> {
  const weights = new Map(households.map(({ id }) => [id, 1]));
  const weightOf = ({ id }: RakedHousehold) => weights.get(id)!;
  for (let round = 0; round < 2_000; round++) {
    for (const [field, shares] of Object.entries(published)) {
      const present = Object.keys(shares).filter((value) =>
        households.some(({ values }) => values[field] === value),
      );
      const whole = sum(present.map((value) => shares[value]!));
      for (const value of present) {
        const own = households.filter(({ values }) => values[field] === value);
        const total = sum(own.map(weightOf));
        const wanted = (shares[value]! / whole) * households.length;
        for (const one of own) weights.set(one.id, (weightOf(one) * wanted) / total);
      }
    }
  }
  return weights;
}

/** The weights of each household in replicates that leave out a group, divided by its weight. */
export function replicateFactors(
  households: readonly RakedHousehold[],
  published: PublishedShares,
  count: number,
): ReadonlyMap<string, readonly number[]> {
  const all = rakedWeights(households, published);
  const replicates = Array.from({ length: count }, (_, group) =>
    rakedWeights(
      households.filter(({ id }) => groupOf(id, count) !== group),
      published,
    ),
  );
  return new Map(
    households.map(({ id }) => [id, replicates.map((own) => (own.get(id) ?? 0) / all.get(id)!)]),
  );
}

function groupOf(id: string, count: number): number {
  const digest = createHash('sha256').update(id).digest('hex');
  return parseInt(digest.slice(0, 8), 16) % count;
}
