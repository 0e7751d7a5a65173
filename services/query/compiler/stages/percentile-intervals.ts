import { as, step } from '../../../shared/sql/select.ts';
import type { Report } from '../../request/fields/report-fields.ts';
import { allFlags } from '../conditions.ts';
import { intervalColumns, intervalsColumns } from '../number-columns.ts';
import type { Asked, Stage } from '../stage.ts';
import { isOrdinary, noInterval, squaresAreShown } from './privacy-floor.ts';
import { quantileAt } from './percentile-rule.ts';
import { hasSample, meanOf, standardError } from './sample.ts';

/** Woodruff's intervals: from the interval of the share of values up to a percentile, the percentiles at its ends. */
export const percentileIntervals: Stage = {
  name: 'percentileIntervals',
  of(asked) {
    const { report } = asked;
    const levels = levelsOf(report);
    if (levels.length === 0 || !hasSample(asked)) return undefined;
    const median = levels.filter(({ percent }) => percent === 50 && report?.householdIntervals);
    const listed = levels.filter(({ percent }) => report?.intervalsOf.includes(percent));
    return {
      steps: () => [
        step('reached_shares', 'The share of the values up to a percentile, and its error.', {
          columns: ['*', ...levels.flatMap((level) => shareColumns(asked, level))],
        }),
        step('percentile_intervals', 'The percentiles at the ends of the interval of that share.', {
          columns: ['*', ...levels.flatMap((level) => intervalColumnsOf(asked, level))],
        }),
      ],
      points: {
        numbers: (lists) => [
          ...median.flatMap(({ interval }) => intervalColumns('medianCi95', interval, lists)),
          ...intervalsColumns(
            'percentilesCi95',
            listed.map(({ percent, interval }) => ({
              key: String(percent),
              column: `p${percent}Ci95`,
              sql: interval,
            })),
            lists,
          ),
        ],
        aboveFloor: (floor) =>
          Object.fromEntries(
            levels.map((level) => [level.interval, ordinaryBounds(asked, level, floor)]),
          ),
      },
    };
  },
};

/** Ascending. A comparison needs that of the median. */
function levelsOf(report: Partial<Report> = {}): readonly Level[] {
  const hasMedian = report.householdIntervals === true || report.compare !== undefined;
  const percents = new Set([...(hasMedian ? [50] : []), ...(report.intervalsOf ?? [])]);
  return [...percents].sort((a, b) => a - b).map(levelOf);
}

export function levelOfMedian({ report }: Asked): Level | undefined {
  return levelsOf(report).find(({ percent }) => percent === 50);
}

/** A percentile, as a fraction and with the names of its columns. */
interface Level {
  readonly percent: number;
  readonly fraction: number;
  readonly quantile: string;
  /** The share of values up to it. */
  readonly share: string;
  readonly error: string;
  /** Half-width of the interval of the share. NULL without variance: it would be 0 however few households there are. */
  readonly margin: string;
  /** Both ends of that interval. */
  readonly low: string;
  readonly high: string;
  readonly interval: string;
}

function levelOf(percent: number, i: number): Level {
  const name = (text: string) => `${text}_${i + 1}`;
  return {
    percent,
    fraction: percent / 100,
    quantile: name('quantile'),
    share: name('share'),
    error: name('error'),
    margin: name('margin'),
    low: name('low'),
    high: name('high'),
    interval: name('interval'),
  };
}

function shareColumns(asked: Asked, { fraction, quantile, share, error }: Level) {
  const isReached = reaches(quantile);
  return [
    as(quantileAt(asked, String(fraction)), quantile),
    as(meanOf(asked, isReached), share),
    as(standardError(asked, isReached, share), error),
  ];
}

/** SQL of whether a value `x` is up to a percentile. An interpolated one may differ from a value in the last digit. */
export function reaches(quantile: string): string {
  return `(x <= ${quantile} + 1e-9 * abs(${quantile}))`;
}

function intervalColumnsOf(asked: Asked, level: Level) {
  const { fraction, error, margin, low, high, interval } = level;
  const end = (sign: '-' | '+') => `clamp(${fraction} ${sign} ifNull(${margin}, 0), 0, 1)`;
  return [
    as(`if(${error} > 1e-9, t95 * ${error}, NULL)`, margin),
    as(end('-'), low),
    as(end('+'), high),
    as(
      `[\n    if(${margin} <= ${fraction}, ${quantileAt(asked, low)}, NULL),
    if(${margin} <= 1 - ${fraction}, ${quantileAt(asked, high)}, NULL)\n]`,
      interval,
    ),
  ];
}

/**
 * Bounds are percentiles. Of results, the interval also tells how many results each household has up to the percentile:
 * together with shares a caller may conclude those of one.
 */
function ordinaryBounds(asked: Asked, { low, high, interval }: Level, floor: number): string {
  if (asked.household === undefined) return noInterval;
  const bounds = [low, high].map((end, i) => {
    const isShown = allFlags(
      isOrdinary(asked, `100 * ${end}`, floor),
      squaresAreShown(asked, floor),
    );
    return `if(${isShown}, ${interval}[${i + 1}], NULL)`;
  });
  return `[${bounds.join(',\n        ')}]`;
}
