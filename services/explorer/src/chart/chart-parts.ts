import type { Metric } from '../../../../openapi/client/index.ts';
import type { RegionMap } from '../api/region-map.ts';
import type { Picture } from '../picture/shapes.ts';
import type { Series } from '../series/series.ts';
import type { Aggregation, DisplayOptions, Query, Zoom } from '../state/view-state.ts';

/** The input of every kind of chart. */
export interface ChartParts {
  /** Parent element; in the page, so that the chart can measure its width. */
  readonly host: HTMLElement;
  /** All series of the response, including hidden ones. */
  readonly series: readonly Series[];
  /** Of the second request of a view that compares two. */
  readonly compared: readonly Series[];
  /** What is compared: "Peak" and "Off-peak". */
  readonly names: readonly string[];
  /** Of the view `map`. */
  readonly map: RegionMap | undefined;
  readonly query: Query;
  readonly aggregation: Aggregation;
  /** Label of the y axis: `Download speed, Mbit/s`. */
  readonly valueLabel: string;
  /** The unit is % if the values are relative to a field. */
  readonly metric: Pick<Metric, 'unit' | 'better'>;
  readonly display: DisplayOptions;
  readonly onZoom: (zoom: Zoom | undefined) => void;
}

/** The numbers a chart is drawn from: for lines the data of uPlot, otherwise the painted values. */
export interface Drawn {
  readonly kind:
    | 'lines'
    | 'bars'
    | 'points'
    | 'density'
    | 'ranking'
    | 'pairs'
    | 'shares'
    | 'distribution'
    | 'heatmap'
    | 'map';
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
  /** For files: everything in the chart, in a given width. */
  readonly picture: (width: number) => Picture;
  readonly destroy: () => void;
}
