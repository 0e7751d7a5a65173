import { percentileNumbers } from './statistics.ts';

/** What a publication has percentiles of, by cell, such as a country and a month: columns of the test `cells`, and a metric. */
export interface CellQuantity {
  /** The columns are `<column>_count`, `<column>_mean`, `<column>_p50` … */
  readonly column: string;
  readonly kind: 'speed' | 'delay' | 'percent';
  /** Of its metric: `Download speed`. */
  readonly name: string;
  readonly keywords: readonly string[];
  readonly better: 'higher' | 'lower';
}

export const cellQuantities: readonly CellQuantity[] = [
  {
    column: 'download',
    kind: 'speed',
    name: 'Download speed',
    keywords: ['broadband speed', 'throughput'],
    better: 'higher',
  },
  {
    column: 'upload',
    kind: 'speed',
    name: 'Upload speed',
    keywords: ['broadband speed', 'throughput'],
    better: 'higher',
  },
  {
    column: 'latency',
    kind: 'delay',
    name: 'Latency',
    keywords: ['round trip', 'ping', 'rtt'],
    better: 'lower',
  },
  {
    column: 'packet_loss',
    kind: 'percent',
    name: 'Packet loss',
    keywords: ['line quality', 'reliability'],
    better: 'lower',
  },
];

/** The columns of its percentiles, in the order of the percentiles of a point. */
export function percentileColumns({ column }: CellQuantity): readonly string[] {
  return percentileNumbers.map((number) => `${column}_p${number}`);
}

export interface CellColumn {
  readonly name: string;
  readonly kind: CellQuantity['kind'] | 'count';
  readonly about: string;
}

export const cellColumns: readonly CellColumn[] = cellQuantities.flatMap((quantity) => {
  const { column, kind, name } = quantity;
  const what = name.toLowerCase();
  const unit = { speed: 'bytes per second', delay: 'microseconds', percent: 'percent' }[kind];
  return [
    {
      name: `${column}_count`,
      kind: 'count' as const,
      about: `Results of the cell with a ${what}; 0: the ${what} is not published`,
    },
    { name: `${column}_mean`, kind, about: `Mean ${what} of a cell, ${unit}` },
    { name: `${column}_min`, kind, about: `Lowest ${what} of a cell, ${unit}` },
    { name: `${column}_max`, kind, about: `Highest ${what} of a cell, ${unit}` },
    ...percentileColumns(quantity).map((percentile, i) => ({
      name: percentile,
      kind,
      about: `Percentile ${percentileNumbers[i]} of the ${what} of a cell, ${unit}`,
    })),
  ];
});
