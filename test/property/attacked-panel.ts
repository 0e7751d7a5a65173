import { testNames, type Agent, type Panel, type Period, type Row } from '../reference/panel.ts';
import { Random } from './random.ts';

/** Mbit/s. Every caller knows these bounds. */
export const speedRange = [10, 1000] as const;

/** Households by the custom field `area`. */
const areas = [3, 5, 6, 7, 8, 10, 14, 24];

const days = 56;
const firstDayMs = Date.UTC(2026, 9, 1);

/**
 * Households that a caller can single out. The first of each area has other values than the others in most fields, the
 * last one has no `plan` and no `share`, and one before it changes its ISP.
 */
export function attackedPanel(seed: number): Panel {
  const random = new Random(seed);
  const agents = areas.flatMap((size, area) =>
    Array.from({ length: size }, (_, place) => agentOf(random, area, place, size)),
  );
  const none = Object.fromEntries(testNames.map((test) => [test, []]));
  const httpget = agents.flatMap((agent) => rowsOf(random, agent));
  const panel = agents.flatMap((agent) => publishedRowsOf(random, agent));
  return { agents, rows: { ...none, httpget, panel } as unknown as Panel['rows'] };
}

function agentOf(random: Random, area: number, place: number, size: number): Agent {
  const number = 100 * area + place;
  const isFirst = place === 0;
  const custom = {
    area: `area ${area}`,
    tier: `tier ${place % 2}`,
    tiny: isFirst ? 1e-6 : 1,
    huge: isFirst ? 1e6 : 1,
    double: isFirst ? 2 : 1,
    several: isFirst ? 0.2 : 1,
    equal: 3,
    unique: 1 + place * 0.137,
    pair: place < 2 ? size / 2 - 0.9 : 1,
    skewed: 10 ** (2 * random.fraction() - 1),
    ...(place === size - 1 ? {} : { plan: random.pick([50, 100, 500]), share: 1 }),
  };
  const period = (fromUtcS: number | null, untilUtcS: number | null, isp: string): Period => ({
    fromUtcS,
    untilUtcS,
    isp,
    packageName: 'Fibre 500',
    timezone: 'UTC',
    custom,
  });
  const changeS = firstDayMs / 1000 + random.between(2, 50) * 86_400;
  return {
    agentId: `box-${number}`,
    unitId: number,
    kind: 'whitebox',
    base: 'wb8',
    country: null,
    history:
      place === size - 2
        ? [period(null, changeS, 'Northwave'), period(changeS, null, 'brightline')]
        : [period(null, null, 'Northwave')],
  };
}

function rowsOf(random: Random, agent: Agent): readonly Row[] {
  const [low, high] = speedRange;
  return Array.from({ length: days }).flatMap((_, day) =>
    Array.from({ length: random.chance(0.1) ? 0 : random.between(1, 3) }, () => ({
      agent,
      dtimeUtcMs: firstDayMs + (day * 86_400 + random.between(0, 86_399)) * 1000,
      columns: {
        target: 'n1-london.example.net',
        target_group: 'onnet',
        threads: 3,
        bytes_sec: Math.round(((low + (high - low) * random.fraction()) * 1e6) / 8),
        // A failed download has no speed.
        successes: random.chance(0.97) ? 1 : 0,
      },
    })),
  );
}

/** The speed of each day. Of some households most are masked: they are above a bound, or above all others. */
function publishedRowsOf(random: Random, agent: Agent): readonly Row[] {
  const [low, high] = speedRange;
  const isFast = random.chance(0.25);
  return Array.from({ length: days }).flatMap((_, day) => {
    const [mbps, isMissing, hasBound] = [
      low + (high - low) * random.fraction(),
      random.chance(0.1),
      random.chance(0.5),
    ];
    const isMasked = isFast && random.chance(0.9);
    const columns = {
      period_end: new Date(firstDayMs + day * 86_400_000).toISOString().slice(0, 10),
      download_mean: isMasked && !hasBound ? null : Math.round((mbps * 1e6) / 8),
      masked: isMasked ? 'download_mean:above' : '',
    };
    const dtimeUtcMs = firstDayMs + (day * 24 + 12) * 3_600_000;
    return isMissing ? [] : [{ agent, dtimeUtcMs, columns }];
  });
}
