import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import type { DrawingSize, Theme } from '../drawing/shapes.ts';
import { changeNumbers } from '../../../catalog/comparison.ts';
import { count, differenceText, meanText, unitText } from '../dom/number-text.ts';
import { type Mark, type RowsParts, twoRowsDrawings } from '../drawing/rows-drawing.ts';
import {
  type Compared,
  isMoreThanChance,
  reasonWords,
  shownComparisons,
} from '../series/difference.ts';
import { differenceUnit, directionWords, partWords } from '../series/comparison-words.ts';
import { regionsOf } from './rows-chart.ts';
import { shapeChart } from './shape-chart.ts';

/** Both values of each series, joined, and beside them the difference with its interval. */
export function comparisonChart(parts: ChartParts): Chart {
  const { metric, sides, display } = parts;
  const rows = comparedRows(parts);
  const unit = unitText(metric.unit);
  const differenceIn = differenceUnit(metric);
  const what = `${sides.here} and ${sides.there} of ${rows.length} series`;

  const halfOf = ({ point }: Compared) =>
    display.band === 'off' ? null : (point.difference?.[`ci${display.band}`] ?? null);
  const textOf = (row: Compared) => {
    if (row.difference === null) return row.reason === 'suppressed' ? 'hidden' : 'not compared';
    return differenceText(row.difference, row.half95);
  };

  const values = (theme: Theme): RowsParts => ({
    heading: `● ${sides.here}${wideSpace}○ ${sides.there}`,
    axisTitle: parts.valueLabel,
    isLog: display.scale === 'log',
    rows: rows.map((row) => ({
      name: row.series.label,
      colour: theme.colourOf(row.series.colourSlot),
      marks: [...markOf(row.there, 'ring'), ...markOf(row.here, 'dot')],
      text: '',
    })),
  });
  const differences = (theme: Theme): RowsParts => ({
    heading: `● Difference${wideSpace}○ No difference can be shown`,
    axisTitle: `${differenceIn}: ${directionWords(metric)}`,
    isFromZero: true,
    rows: rows.map((row) => {
      const { difference } = row;
      const half = halfOf(row);
      const isShown = isMoreThanChance(row);
      const low = difference === null || half === null ? null : difference - half;
      const high = difference === null || half === null ? null : difference + half;
      return {
        name: row.series.label,
        colour: theme.colourOf(row.series.colourSlot),
        marks:
          difference === null
            ? []
            : [
                {
                  value: difference,
                  low,
                  high,
                  shape: isShown ? ('dot' as const) : ('ring' as const),
                },
              ],
        text: textOf(row),
        isFaint: !isShown,
      };
    }),
  });

  const draw = (size: DrawingSize) => {
    const picture = twoRowsDrawings([values(size.theme), differences(size.theme)], size);
    const readouts = rows.map((row) => ({ series: row.series, readout: readoutOf(row) }));
    return { picture, regions: regionsOf(readouts, picture.places, size.width) };
  };
  return shapeChart(parts, what, draw, () => ({
    kind: 'comparison',
    xs: rows.map((_, i) => i),
    series: rows.flatMap((row) => {
      const { label } = row.series;
      const half = halfOf(row);
      const ends = row.difference === null || half === null ? null : [-half, half];
      const numbers = {
        here: row.here,
        there: row.there,
        difference: row.difference,
        low: ends && (row.difference ?? 0) + (ends[0] ?? 0),
        high: ends && (row.difference ?? 0) + (ends[1] ?? 0),
      };
      return Object.entries(numbers).map(([part, value]) => ({ label, part, values: [value] }));
    }),
  }));

  function readoutOf(row: Compared) {
    const { here, there, difference, half95, reason, p, point, households } = row;
    const valueText = (value: number | null) =>
      value === null ? 'no value' : `${meanText(value, half95)} ${unit}`;
    const pText = p === null ? (reason === null ? '' : reasonWords[reason]) : `p ${pShort(p)}`;
    const change = point.change ?? {};
    return [
      { label: sides.here, value: valueText(here), details: agentsText(point.agentCount) },
      {
        label: sides.there,
        value: valueText(there),
        details: agentsText(point.compared?.agentCount),
      },
      {
        label: 'Difference',
        value:
          difference === null ? 'none' : `${differenceText(difference, half95)} ${differenceIn}`,
        details: [pText, households === null ? '' : `${count(households)} households`]
          .filter((text) => text !== '')
          .join(' · '),
      },
      ...changeNumbers.flatMap(({ name }) => {
        const value = change[name];
        return value == null
          ? []
          : [
              {
                label: partWords[name] ?? name,
                value: differenceText(value, half95, false),
                details: '',
              },
            ];
      }),
    ];
  }
}

/** The series by their value, the best first; those without a value last. */
export function comparedRows(
  parts: Pick<ChartParts, 'series' | 'display' | 'metric'>,
): readonly Compared[] {
  const sign = parts.metric.better === 'lower' ? 1 : -1;
  const place = ({ here, there }: Compared) => here ?? there;
  return shownComparisons(parts.series, parts.display).toSorted((a, b) => {
    const [first, second] = [place(a), place(b)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  });
}

/** SVG joins several spaces to one. */
const wideSpace = '\u2003';

function markOf(value: number | null, shape: Mark['shape']): readonly Mark[] {
  return value === null ? [] : [{ value, shape, text: meanText(value, null) }];
}

function agentsText(agents: number | null | undefined): string {
  return agents == null ? '' : `${count(agents)} households`;
}

/** 0.03, below 0.001 */
function pShort(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${p.toPrecision(2)}`;
}
