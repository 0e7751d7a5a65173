import type { Series } from '../series/series.ts';
import type { Aggregation, Look, Zoom } from '../state/view-state.ts';

/** What every kind of chart is given. */
export interface ChartParts {
  /** Where it is put; in the page, so that it knows its width. */
  readonly host: HTMLElement;
  /** All series of the answer, those that do not show too. */
  readonly series: readonly Series[];
  readonly aggregation: Aggregation;
  /** What the y axis says: `httpget, Mbit/s`. */
  readonly valueLabel: string;
  readonly unit: string;
  readonly look: Look;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** The numbers a chart is drawn from: of lines those uPlot holds, else those that are painted. */
export interface Drawn {
  readonly kind: 'lines' | 'bars' | 'points' | 'density';
  readonly xs: readonly number[];
  readonly series: readonly DrawnSeries[];
}

interface DrawnSeries {
  readonly label: string;
  /** What it is: the value, an end of the confidence band, or a percentile such as `p95`. */
  readonly part: string;
  readonly values: readonly (number | null | undefined)[];
}

export interface Chart {
  readonly element: HTMLElement;
  readonly drawn: () => Drawn;
  /** Zooms by a factor about the middle: 0.5 halves what is seen; undefined shows all. */
  readonly zoom: ((factor: number | undefined) => void) | undefined;
  /** Takes the width it has now. */
  readonly resize: () => void;
  readonly destroy: () => void;
}
