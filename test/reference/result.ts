import type { MetricDefinition } from './metric-definition.ts';
import type { Row } from './panel.ts';
import type { Sample } from './weights.ts';

export type Point = Readonly<Record<string, unknown>>;

export interface Series {
  readonly metricData: readonly Point[];
}

/** A row that is a result, with its local time. */
export interface Result {
  readonly row: Row;
  readonly localMs: number;
}

/** A result as input of the statistics. */
export function sampleOf({ row, localMs }: Result, metric: MetricDefinition): Sample {
  return {
    value: metric.value(row.columns),
    size: metric.size(row.columns),
    agentId: row.agent.agentId,
    unitId: row.agent.unitId,
    block: Math.floor(new Date(localMs).getUTCHours() / metric.everyHours),
  };
}

/** The local day, as `2026-01-31`. */
export function dayOf({ localMs }: Result): string {
  return new Date(localMs).toISOString().slice(0, 10);
}
