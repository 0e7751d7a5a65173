import type { Field } from '../../catalog/field.ts';
import { customField, fieldsOf, metricFields, standardFields } from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';
import { metrics } from '../../catalog/metrics.ts';
import { testTables } from '../../catalog/test-tables.ts';
import type { OrganisationAccess } from '../access/access-store.ts';
import { customName } from '../request/resolve-field.ts';

/** A field, and the metrics visible to the organisation that can be split and filtered by it. */
export interface VisibleField {
  readonly field: Field;
  readonly metrics: readonly Metric[];
}

export function visibleMetrics(access: OrganisationAccess): readonly Metric[] {
  const { metrics: granted } = access;
  if (granted === 'all') return metrics;
  return metrics.filter(({ key }) => granted.includes(key));
}

export function visibleTests(access: OrganisationAccess, agents?: string): readonly string[] {
  return Object.values(testTables)
    .filter((table) => agents === undefined || table.agents === agents)
    .map(({ key }) => key as string)
    .filter((key) => access.tests === 'all' || access.tests.includes(key));
}

export function visibleFields(access: OrganisationAccess): readonly VisibleField[] {
  const visible = visibleMetrics(access);
  const ofMetrics = [...standardFields, ...metricFields].map((field) => ({
    field,
    metrics: visible.filter((metric) => fieldsOf(metric).includes(field)),
  }));
  const custom = access.customKeys.map((key) => ({
    field: customField(customName(key), key),
    metrics: visible,
  }));
  return [...ofMetrics, ...custom].filter((entry) => entry.metrics.length > 0);
}
