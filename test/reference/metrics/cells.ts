import type { Columns, MetricDefinition, MetricDefinitions } from '../metric-definition.ts';

export const cellPercentiles = [1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99];

/** The metrics with their columns, and the size of their units: `download_p50 / 125000` is in Mbit/s. */
export const cellColumns: Readonly<Record<string, { column: string; unit: number }>> = {
  cellDownload: { column: 'download', unit: 125_000 },
  cellUpload: { column: 'upload', unit: 125_000 },
  cellLatency: { column: 'latency', unit: 1000 },
  cellPacketLoss: { column: 'packet_loss', unit: 1 },
};

export const cellMetrics: MetricDefinitions = Object.fromEntries(
  Object.entries(cellColumns).map(([key, { column, unit }]) => [key, cell(column, unit)]),
);

function cell(name: string, unit: number): MetricDefinition {
  return {
    test: 'cells',
    isCell: true,
    everyHours: 1,
    isRatio: false,
    ownFields: [],
    exists: (columns) => Number(columns[`${name}_count`]) > 0,
    isPlausible: (columns) => !decreases(columns, name),
    value: (columns) => Number(columns[`${name}_mean`]) / unit,
    size: () => 1,
  };
}

/** From the 5th percentile to the 95th, or if one of them is blank, between the quartiles. */
function decreases(columns: Columns, name: string): boolean {
  for (const [low, high] of [
    [5, 95],
    [25, 75],
  ]) {
    const [from, to] = [columns[`${name}_p${low}`], columns[`${name}_p${high}`]];
    if (typeof from === 'number' && typeof to === 'number') return from > to;
  }
  return false;
}
