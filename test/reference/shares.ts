import { rounded } from './rounded.ts';
import type { ValueOfAgent } from './statistics.ts';
import { distinct, sum } from './weights.ts';

/** The fields of a request with thresholds. */
export interface ShareFields {
  readonly shares?: Thresholds;
  readonly sharesAtMost?: Thresholds;
}

type Thresholds =
  | readonly number[]
  | { readonly thresholds: readonly number[]; readonly of: 'results' | 'households' };

export const isCounted = {
  shares: (value: number, threshold: number) => rounded(value) >= rounded(threshold),
  sharesAtMost: (value: number, threshold: number) => rounded(value) <= rounded(threshold),
};

type FieldName = keyof typeof isCounted;

export const shareFields = Object.keys(isCounted) as readonly FieldName[];

/** The shares of a point. The weights of `items` add up to 1. */
export function sharesOf(items: readonly ValueOfAgent[], request: ShareFields) {
  return Object.fromEntries(
    shareFields
      .filter((name) => request[name] !== undefined)
      .map((name) => [
        name,
        Object.fromEntries(
          thresholdsOf(request[name]).map((threshold) => {
            const counted = items.filter(({ value }) => isCounted[name](value, threshold));
            return [String(threshold), sum(counted.map(({ weight }) => weight))];
          }),
        ),
      ]),
  );
}

/** Agents with a value on each side of a threshold. */
export interface Sides {
  readonly name: FieldName;
  readonly threshold: number;
  readonly above: number;
  readonly below: number;
  /** The agents of each side without a mask. */
  readonly unmasked: readonly number[];
}

/** Of all thresholds, ascending: fewer and fewer agents are above. */
export function sidesOf(
  items: readonly ValueOfAgent[],
  request: ShareFields,
  masked: ReadonlySet<string> = new Set(),
): readonly Sides[] {
  const agents = (of: readonly ValueOfAgent[]) => distinct(of.map(({ agentId }) => agentId));
  return shareFields
    .flatMap((name) => thresholdsOf(request[name]).map((threshold) => ({ name, threshold })))
    .map(({ name, threshold }) => {
      const counted = items.filter(({ value }) => isCounted[name](value, threshold));
      const others = items.filter(({ value }) => !isCounted[name](value, threshold));
      const [above, below] = name === 'shares' ? [counted, others] : [others, counted];
      const unmasked = [counted, others].map((side) =>
        agents(side.filter(({ agentId }) => !masked.has(agentId))),
      );
      return { name, threshold, above: agents(above), below: agents(below), unmasked };
    })
    .sort((a, b) => a.threshold - b.threshold || (a.name === 'shares' ? -1 : 1));
}

/** The shares that a privacy floor hides: of households, also those with few of them since the last one that is shown. */
export function hiddenShares(
  sides: readonly Sides[],
  { agents, minimum, isOfHouseholds }: FloorOfPoint,
): readonly Sides[] {
  let lastAbove = agents;
  return sides.filter(({ above, below, unmasked }) => {
    // A caller may also know who is masked.
    const groups = isOfHouseholds ? [lastAbove - above, ...unmasked] : [];
    const isHidden =
      above < minimum || below < minimum || groups.some((size) => size > 0 && size < minimum);
    if (!isHidden) lastAbove = above;
    return isHidden;
  });
}

interface FloorOfPoint {
  readonly agents: number;
  readonly minimum: number;
  readonly isOfHouseholds: boolean;
}

export function thresholdsOf(shares: Thresholds | undefined): readonly number[] {
  if (shares === undefined) return [];
  return 'thresholds' in shares ? shares.thresholds : shares;
}
