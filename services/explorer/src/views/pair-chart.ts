import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import { chartInk, colourOf } from '../chart/theme.ts';
import { estimateText, unitText } from '../dom/number-text.ts';
import { rowsPicture } from '../picture/rows-picture.ts';
import { shapeChart } from './shape-chart.ts';
import { bestFirst, countsOf, highOf, lowOf, shownTotals, type Total } from './total-of.ts';

interface Pair {
  readonly first: Total;
  readonly second: Total | undefined;
}

/** Two values per series: peak and off-peak hours, or a period and the one before. */
export function pairChart(parts: ChartParts): Chart {
  const [firstName = '', secondName = ''] = parts.names;
  const seconds = shownTotals(parts.compared, {
    display: {
      ...parts.display,
      switchedOff: [],
      switchedOn: parts.compared.map(({ key }) => key),
    },
  });
  const pairs: readonly Pair[] = shownTotals(parts.series, parts)
    .toSorted(bestFirst(parts))
    .map((first) => ({
      first,
      second: seconds.find(({ series }) => series.key === first.series.key),
    }));
  return shapeChart(
    parts,
    `${firstName} and ${secondName} of ${pairs.length} series`,
    (width) => {
      const picture = rowsPicture({
        rows: pairs.map(({ first, second }) => ({
          name: first.series.label,
          colour: colourOf(first.series.colourSlot),
          marks: [
            ...(second === undefined ? [] : [markOf(second, 'ring' as const)]),
            markOf(first, 'dot'),
          ],
          text: changeText(first, second),
        })),
        axisTitle: `${parts.valueLabel}. ● ${firstName}, ○ ${secondName}`,
        ink: chartInk(),
        width,
      });
      const regions = picture.places.flatMap(({ y, height }, i) => {
        const pair = pairs[i];
        if (pair === undefined) return [];
        const { first, second } = pair;
        const rows = [
          rowOf(firstName, first),
          ...(second === undefined ? [] : [rowOf(secondName, second)]),
        ];
        return [{ x: 0, y, width, height, title: first.series.label, rows }];
      });
      return { picture, regions };
    },
    () => ({
      kind: 'pairs',
      xs: pairs.map((_, i) => i),
      series: pairs.flatMap(({ first, second }) => [
        { label: first.series.label, part: firstName, values: [first.value] },
        { label: first.series.label, part: secondName, values: [second?.value ?? null] },
      ]),
    }),
  );

  function markOf(total: Total, shape: 'dot' | 'ring') {
    return { value: total.value, low: lowOf(total), high: highOf(total), shape };
  }

  function rowOf(name: string, total: Total) {
    return {
      colour: colourOf(total.series.colourSlot),
      label: name,
      value: `${estimateText(total.value, total.half)} ${unitText(parts.metric.unit)}`,
      details: countsOf(total.point),
    };
  }
}

/**
 * The difference in percent. Two intervals do not tell whether it is significant: both values are of the same
 * households.
 */
function changeText(first: Total, second: Total | undefined): string {
  if (second === undefined || second.value === 0) return '';
  const percent = (100 * (first.value - second.value)) / Math.abs(second.value);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${Math.abs(percent).toFixed(1)}%`;
}
