import type { ViewKind } from '../state/view-state.ts';
import { distributionChart } from '../views/distribution-chart.ts';
import { heatmapChart } from '../views/heatmap-chart.ts';
import { mapChart } from '../views/map-chart.ts';
import { pairChart } from '../views/pair-chart.ts';
import { rankingChart } from '../views/ranking-chart.ts';
import { thresholdChart } from '../views/threshold-chart.ts';
import { barChart } from './bar-chart.ts';
import type { Chart, ChartParts, Drawn } from './chart-parts.ts';
import { lineChart } from './line-chart.ts';
import { scatterChart } from './scatter-chart.ts';

/** The element returns the numbers drawn on it, for tests. */
interface ChartElement extends HTMLElement {
  drawn?: () => Drawn;
}

/** The chart of the view; over time or by hour, the one that fits the aggregation. */
export function drawChart(parts: ChartParts): Chart {
  const chart = kindOf(parts)(parts);
  (chart.element as ChartElement).drawn = chart.drawn;
  return chart;
}

const charts: Readonly<Record<Exclude<ViewKind, 'trend'>, (parts: ChartParts) => Chart>> = {
  ranking: rankingChart,
  distribution: distributionChart,
  heatmap: heatmapChart,
  peak: pairChart,
  change: pairChart,
  threshold: thresholdChart,
  map: mapChart,
};

function kindOf({ query, aggregation }: ChartParts): (parts: ChartParts) => Chart {
  if (query.view !== 'trend') return charts[query.view];
  if (aggregation === 'raw') return scatterChart;
  return aggregation === 'total' ? barChart : lineChart;
}
