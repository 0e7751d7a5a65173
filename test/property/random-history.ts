import type { Period } from '../reference/panel.ts';
import type { Random } from './random.ts';
import { panelFromUtcMs, panelToUtcMs } from './random-times.ts';

/** The organisation's packages by ISP. */
export const packagesByIsp = {
  Northwave: ['Fibre 500', 'Basic 10'],
  brightline: ['Fibre 500'],
  Ålesund: ['Kobber "12"'],
  'Away, Ltd': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A household's validity periods: package, time zone and custom fields change, with gaps. */
export function randomHistory(random: Random, timezone: string | null): readonly Period[] {
  const changesUtcS = Array.from({ length: random.between(0, 4) }, () => randomSecond(random)).sort(
    (a, b) => a - b,
  );
  const bounds = [null, ...new Set(changesUtcS), null];
  const periods = bounds.slice(1).map((untilUtcS, i) => ({
    fromUtcS: bounds[i] ?? null,
    untilUtcS,
    ...randomPackage(random),
    timezone: random.chance(0.15) ? random.pick(['Asia/Kathmandu', 'UTC', null]) : timezone,
    custom: randomCustom(random),
  }));
  return periods.filter(() => !random.chance(0.15));
}

/** Two packages of one ISP, with other numbers for reports, from local midnight of a day without clock changes on. */
export function tiedHistory(timezone: string | null, isUpgrade: boolean): readonly Period[] {
  const changeUtcS = Date.UTC(2026, 9, 12) / 1000;
  const period = (packageName: string, weight: number) => ({
    isp: 'Northwave',
    packageName,
    timezone,
    custom: { advertised: 50 * weight, weight },
  });
  const [before, after] = isUpgrade ? ['Basic 10', 'Fibre 500'] : ['Fibre 500', 'Basic 10'];
  return [
    { fromUtcS: null, untilUtcS: changeUtcS, ...period(before, 1) },
    { fromUtcS: changeUtcS, untilUtcS: null, ...period(after, 2) },
  ];
}

function randomSecond(random: Random): number {
  const second = random.between(panelFromUtcMs / 1000, panelToUtcMs / 1000);
  return random.chance(0.5) ? second - (second % 3600) : second;
}

function randomPackage(random: Random): Pick<Period, 'isp' | 'packageName'> {
  if (random.chance(0.1)) return { isp: null, packageName: null };
  const isp = random.pick(['Northwave', 'brightline', 'Ålesund', 'Away, Ltd'] as const);
  const packages: readonly string[] = packagesByIsp[isp];
  const hasPackage = packages.length > 0 && random.chance(0.85);
  return {
    isp,
    packageName: hasPackage ? packages[random.between(0, packages.length - 1)]! : null,
  };
}

/** `isp` shadows a standard field, `size` has only numbers, `floor` has numbers and equal-looking texts. Reports divide by
 * `advertised` and weight by `weight`; `excluded_metrics` excludes households from metrics. */
export const customValues = {
  tier: ['gold', 'silver', 'Ünïcode', 'with, comma "and" quotes', '10', '9'],
  size: [1, 2, 10, 2.5, -3],
  floor: [7, '7', 'attic', 10],
  isp: ['pilot', 'control'],
  'two words': ['yes', 'no'],
  advertised: [10, 50.5, 100, '30', 0, 'unlimited'],
  weight: [0.5, 1, 2, 0, 'none'],
  excluded_metrics: ['none', 'httpget', 'httpget_sustained,udpLatency', 'dnsFail,panelDownload'],
} as const satisfies Readonly<Record<string, readonly [string | number, ...(string | number)[]]>>;

function randomCustom(random: Random): Period['custom'] {
  return Object.fromEntries(
    Object.entries(customValues)
      .filter(() => random.chance(0.7))
      .map(([key, values]) => [key, random.pick<string | number>(values)]),
  );
}
