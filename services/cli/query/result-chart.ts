import type { Look, Style } from '../terminal/style.ts';
import { displayWidth, printable } from '../terminal/display-width.ts';
import type { Row } from './result-rows.ts';
import { rowsBySeries, shortNumber } from './result-table.ts';

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const looks: readonly Look[] = ['blue', 'green', 'magenta', 'cyan', 'yellow', 'red'];

interface Series {
  readonly name: string;
  readonly values: ReadonlyMap<string, number>;
  /** The last value of a complete bucket: a day of five hours is not comparable with the others. */
  readonly latest?: number;
}

/**
 * One line of block characters per series, on a common scale from 0, or from the lowest value if it is negative. A
 * bucket without a value is a space. Buckets that do not fit into the width are averaged. After the line is the last value
 * of a complete bucket.
 */
export function resultChart(
  rows: readonly Row[],
  splits: readonly string[],
  width: number,
  style: Style,
): string {
  const series = seriesOf(rows, splits);
  const values = series.flatMap((one) => [...one.values.values()]);
  if (values.length === 0) return 'No values to draw.';
  const low = Math.min(0, ...values);
  const high = Math.max(...values);
  const buckets = bucketsOf(rows);
  const nameWidth = Math.max(...series.map(({ name }) => displayWidth(name)));
  const room = Math.max(8, width - nameWidth - latestWidth);
  const perCharacter = Math.ceil(buckets.length / room);
  const lines = series.map(({ name, values: own, latest }, i) => {
    const means = groupMeans(
      buckets.map((bucket) => own.get(bucket)),
      perCharacter,
    );
    const drawn =
      buckets.length > 1
        ? means.map((mean) => blockOf(mean, low, high)).join('')
        : barOf(means[0], low, high, room);
    const gap = ' '.repeat(nameWidth - displayWidth(name));
    const label = latest === undefined ? '-' : shortNumber(latest);
    return `${name}${gap}  ${style(drawn, looks[i % looks.length] ?? 'blue')}  ${label}`;
  });
  const partial = bucketsOf(rows.filter((row) => row.partial === true));
  return [...lines, '', style(legend(buckets, partial, low, high, perCharacter), 'dim')].join('\n');
}

/** Two gaps and a number. */
const latestWidth = 12;

function seriesOf(rows: readonly Row[], splits: readonly string[]): Series[] {
  return [...rowsBySeries(rows, splits)].map(([name, own]) => {
    const values = own.flatMap((row) =>
      typeof row.metricValue === 'number'
        ? [{ bucket: bucketOf(row), value: row.metricValue, isWhole: row.partial !== true }]
        : [],
    );
    const latest = values.findLast(({ isWhole }) => isWhole)?.value;
    return {
      name,
      values: new Map(values.map(({ bucket, value }) => [bucket, value])),
      ...(latest !== undefined && { latest }),
    };
  });
}

function bucketOf({ dtime, aggregatedNumber }: Row): string {
  return String(dtime ?? aggregatedNumber ?? '');
}

/** All buckets of the response in order; a series may lack some. */
function bucketsOf(rows: readonly Row[]): string[] {
  const buckets = [...new Set(rows.map(bucketOf))];
  const areNumbers = rows.some(({ aggregatedNumber }) => typeof aggregatedNumber === 'number');
  return buckets.sort(areNumbers ? (a, b) => Number(a) - Number(b) : undefined);
}

function groupMeans(
  values: readonly (number | undefined)[],
  perCharacter: number,
): (number | undefined)[] {
  const groups = Array.from({ length: Math.ceil(values.length / perCharacter) }, (_, i) =>
    values.slice(i * perCharacter, (i + 1) * perCharacter).filter((one) => one !== undefined),
  );
  return groups.map((group) =>
    group.length === 0 ? undefined : group.reduce((sum, one) => sum + one, 0) / group.length,
  );
}

function blockOf(value: number | undefined, low: number, high: number): string {
  if (value === undefined) return ' ';
  const share = high === low ? 1 : (value - low) / (high - low);
  return levels[Math.min(levels.length - 1, Math.floor(share * levels.length))] ?? '';
}

/** With one bucket per series, as in a total, a horizontal bar compares better than one block. */
function barOf(value: number | undefined, low: number, high: number, room: number): string {
  if (value === undefined) return '';
  const share = high === low ? 1 : (value - low) / (high - low);
  return '█'.repeat(Math.max(1, Math.round(share * room)));
}

function legend(
  buckets: readonly string[],
  partial: readonly string[],
  low: number,
  high: number,
  perCharacter: number,
): string {
  const range = buckets.length > 1 ? `${buckets[0]} to ${buckets.at(-1)}, ` : '';
  const averaged = perCharacter > 1 ? `; ${perCharacter} buckets per character, averaged` : '';
  const cut = partial.length === 0 ? '' : `; partial: ${partial.join(', ')}`;
  const latest = buckets.length > 1 ? '; the number is the last complete value' : '';
  const scale = `scale ${shortNumber(low)} to ${shortNumber(high)}`;
  return printable(`${range}${scale}${averaged}${latest}${cut}`);
}
