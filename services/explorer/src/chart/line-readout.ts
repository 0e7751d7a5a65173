import { shortNumber } from '../dom/number-text.ts';
import { estimateOf } from '../series/estimate.ts';
import type { AlignedSeries } from '../series/align.ts';
import { xText } from '../series/time-text.ts';
import type { Aggregation } from '../state/view-state.ts';
import { countsOf } from '../views/total-of.ts';
import type { ChartParts } from './chart-parts.ts';
import { colourOf } from '../drawing/theme.ts';
import { relativeOf } from './line-data.ts';
import type { TooltipRow } from './tooltip.ts';

interface ReadoutParts {
  readonly xs: readonly number[];
  readonly shown: readonly AlignedSeries[];
  readonly aggregation: Aggregation;
  readonly parts: Pick<ChartParts, 'query' | 'metric' | 'display'>;
}

const maxRows = 8;

/** The exact values and counts at one x, for the tooltip and for screen readers. */
export function lineReadout({ xs, shown, aggregation, parts }: ReadoutParts) {
  const present = (index: number) =>
    shown.flatMap((owner) => {
      const { series, points } = owner;
      const point = points[index];
      if (point === undefined) return [];
      const estimate = estimateOf(point, parts);
      if (estimate === undefined) return [];
      const drawn = relativeOf(owner, parts)(estimate.value);
      const isRelative = drawn !== null && drawn !== estimate.value;
      const text = isRelative
        ? `${shortNumber(Number(drawn.toPrecision(4)))} (${estimate.text})`
        : estimate.text;
      return [{ series, point, ...estimate, value: drawn ?? estimate.value, text }];
    });
  type Present = ReturnType<typeof present>[number];

  const detailText = ({ point }: Present) =>
    [
      countsOf(point),
      ...(parts.query.view === 'trend' ? parts.display.percentiles : []).map(
        (key) => `p${key} ${percentileText(point.percentiles[key])}`,
      ),
    ].join(' · ');

  return {
    /** Title, rows and a closing note at an x, the series nearest to a value first. */
    at: (index: number, nearTo: number): [string, readonly TooltipRow[], string | undefined] => {
      const all = present(index);
      const byDistance = all.toSorted(
        (a, b) => Math.abs(a.value - nearTo) - Math.abs(b.value - nearTo),
      );
      const [nearest] = byDistance;
      const near = byDistance.slice(0, maxRows).sort((a, b) => b.value - a.value);
      const rows = near.map((one) => ({
        colour: colourOf(one.series.colourSlot),
        label: one.series.label,
        value: one.text,
        // Only of the nearest series: a tooltip must not hide the plot.
        details: one === nearest ? detailText(one) : '',
      }));
      const left = all.length - near.length;
      const notes = [
        ...(all.length === 0 ? ['No results'] : []),
        ...(left > 0 ? [`and ${left} more`] : []),
        ...(all.some(({ point }) => point.partial === true) ? [partialNote] : []),
      ];
      return [titleOf(index), rows, notes.length === 0 ? undefined : notes.join('. ')];
    },
    spoken: (index: number) => {
      const all = present(index);
      const texts = all.slice(0, maxRows).map((one) => {
        const isPartial = one.point.partial === true ? ', partial' : '';
        return `${one.series.label}: ${one.text}, ${detailText(one)}${isPartial}`;
      });
      return `${titleOf(index)}. ${texts.length === 0 ? 'No results' : texts.join('; ')}`;
    },
  };

  function titleOf(index: number): string {
    return `${xText(xs[index] ?? 0, aggregation)}, local time`;
  }
}

const partialNote = 'Partial: this period is incomplete, so do not compare it with the others';

function percentileText(value: number | null | undefined): string {
  return value == null ? 'unknown' : shortNumber(value);
}
