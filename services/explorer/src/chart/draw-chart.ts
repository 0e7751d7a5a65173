import { barChart } from './bar-chart.ts';
import type { Chart, ChartParts, Drawn } from './chart-parts.ts';
import { lineChart } from './line-chart.ts';
import { scatterChart } from './scatter-chart.ts';

/** A chart's element tells what is drawn on it, for who wants to check. */
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
