import type { DrawingSize, Picture } from '../drawing/shapes.ts';
import type { QueryResponse } from '../results/query-response.ts';
import type { DisplayOptions, Zoom } from '../state/view-state.ts';

/** The input of every kind of chart. */
export interface ChartParts extends QueryResponse {
  /** Parent element; in the page, so that the chart can measure its width. */
  readonly host: HTMLElement;
  /** Label of the y axis: `Download speed, Mbit/s`. */
  readonly valueLabel: string;
  readonly display: DisplayOptions;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** The numbers a chart is drawn from, for tests. */
export interface Drawn {
  /** `lines`, `heatmap` */
  readonly kind: string;
  readonly xs: readonly number[];
  readonly series: readonly DrawnSeries[];
}

interface DrawnSeries {
  readonly label: string;
  /** `value`, an end of the confidence band (`low`, `high`), or a percentile such as `p95`. */
  readonly part: string;
  readonly values: readonly (number | null | undefined)[];
}

export interface Chart {
  readonly element: HTMLElement;
  readonly drawn: () => Drawn;
  /** Zooms around the middle: 0.5 halves the visible range; undefined shows all. */
  readonly zoom: ((factor: number | undefined) => void) | undefined;
  /** Adapts to the current width. */
  readonly resize: () => void;
  /** The same drawing for a file or a figure, in another size and theme. */
  readonly picture: (size: DrawingSize) => Picture;
  readonly destroy: () => void;
}
