import { barChart } from './bar-chart.ts';
import type { Chart, ChartParts, Drawn } from './chart-parts.ts';
import { lineChart } from './line-chart.ts';
import { scatterChart } from './scatter-chart.ts';

/** The element returns the numbers drawn on it, for tests. */
interface ChartElement extends HTMLElement {
  drawn?: () => Drawn;
}

/** The kind of chart that fits the aggregation. */
export function drawChart(parts: ChartParts): Chart {
  const chart = kindOf(parts)(parts);
  (chart.element as ChartElement).drawn = chart.drawn;
  return chart;
}

function kindOf({ aggregation }: ChartParts): (parts: ChartParts) => Chart {
  if (aggregation === 'raw') return scatterChart;
  return aggregation === 'total' ? barChart : lineChart;
}
