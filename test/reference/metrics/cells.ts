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

function decreases(columns: Columns, name: string): boolean {
  let highest = -Infinity;
  for (const percent of cellPercentiles) {
    const value = columns[`${name}_p${percent}`] ?? null;
    if (value === null) continue;
    if (Number(value) < highest) return true;
    highest = Number(value);
  }
  return false;
}
