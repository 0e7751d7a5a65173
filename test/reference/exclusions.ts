import { fieldValue } from './field-value.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { metricDefinitions } from './metric-definitions.ts';
import type { Panel, Row } from './panel.ts';

const field = 'excluded_metrics';

/** Whether the household is excluded from the metric when the test ran. A metric may have several names. */
export function isExcluded(row: Row, metric: MetricDefinition): boolean {
  const listed = String(fieldValue(row, `custom.${field}`) ?? '').split(',');
  return listed.some((name) => metricDefinitions[name] === metric);
}

/** Whether any household was ever excluded from a metric. */
export function hasExclusions({ agents, alsoKnown = [] }: Panel): boolean {
  const isUsed = agents.some(({ history }) => history.some(({ custom }) => field in custom));
  return isUsed || alsoKnown.some(hasExclusions);
}
