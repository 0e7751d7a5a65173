import { metric, type Metric } from '../metric.ts';
import { cellQuantities, type CellQuantity, percentileColumns } from '../published-cells.ts';

const units = { speed: 'mbps', delay: 'ms', percent: '%' } as const;

/** SQL from the unit of a column to that of its metric. */
const scales = { speed: '* 8 / 1e6', delay: '/ 1000', percent: '' } as const;

/** Percentiles of cells, as a publisher computed them. The results behind them are unknown. */
export const cellMetrics: readonly Metric[] = cellQuantities.map((quantity) => {
  const { column, kind, name, keywords, better } = quantity;
  const value = (of: string) => `${of} ${scales[kind]}`.trim();
  return metric({
    key: keyOf(quantity),
    name: `${name}, published percentiles`,
    keywords: ['published', 'pre-aggregated', 'cell', 'country', ...keywords],
    unit: units[kind],
    better,
    description: `${name} of a cell of a publication, such as a country and a month, as its publisher computed the percentiles. Needs one cell per point`,
    test: 'cells',
    value: value(`${column}_mean`),
    stored: {
      count: `${column}_count`,
      lowest: value(`${column}_min`),
      highest: value(`${column}_max`),
      percentiles: percentileColumns(quantity).map(value),
    },
    existsWhen: `${column}_count > 0`,
    prefilterRule:
      'keeps cells whose 5th percentile is at most the 95th, or without these the 25th at most the 75th',
    prefilter: ascending(column),
  });
});

/** `packet_loss` is of cellPacketLoss. */
function keyOf({ column }: CellQuantity): string {
  return `cell${`_${column}`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** A publisher may label the percentiles of delays from the best value on. */
function ascending(column: string): string {
  const isUp = (low: number, high: number) => `${column}_p${low} <= ${column}_p${high}`;
  return `coalesce(${isUp(5, 95)}, ${isUp(25, 75)}, 1)`;
}
