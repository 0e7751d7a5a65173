import type { Field } from '../../catalog/field.ts';
import {
  customField,
  fieldsOf,
  metricFields,
  setField,
  standardFields,
} from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';
import { metrics } from '../../catalog/metrics.ts';
import { testTables, type TestTable } from '../../catalog/test-tables.ts';
import type { OrganisationAccess } from '../access/access-store.ts';
import { customName } from '../request/resolve-field.ts';

/** A field, and the metrics visible to the organisation that can be split and filtered by it. */
export interface VisibleField {
  readonly field: Field;
  readonly metrics: readonly Metric[];
  /** A custom field with weights of households. */
  readonly isWeight?: boolean;
}

export function visibleMetrics(
  access: Pick<OrganisationAccess, 'metrics'>,
  search?: string,
): readonly Metric[] {
  const { metrics: granted } = access;
  return metrics
    .filter(({ key }) => granted === 'all' || granted.includes(key))
    .filter((metric) => matchesSearch(searchedTexts(metric), search));
}

function searchedTexts({ key, name, unit, description, keywords, aliases }: Metric): string[] {
  return [key, name, unit, description, ...keywords, ...aliases];
}

interface TestSelection {
  readonly agents?: string | undefined;
  readonly search?: string | undefined;
}

/** Tests are also found by the names of their metrics. */
export function visibleTests(
  access: Pick<OrganisationAccess, 'tests'>,
  { agents, search }: TestSelection,
): readonly TestTable[] {
  const textsOf = ({ key, name, description }: TestTable) => [
    ...[key, name, description],
    ...metrics.filter((metric) => metric.test === key).flatMap(searchedTexts),
  ];
  return Object.values(testTables)
    .filter((table) => agents === undefined || table.agents === agents)
    .filter(({ key }) => access.tests === 'all' || access.tests.includes(key))
    .filter((table) => matchesSearch(textsOf(table), search));
}

/** A caller with a privacy floor cannot use the fields that identify a household. */
export function usableFields(
  access: OrganisationAccess & { readonly minAgents: number },
  search?: string,
): readonly VisibleField[] {
  const visible = visibleMetrics(access);
  const ofMetrics = [...standardFields, ...metricFields].map((field) => ({
    field,
    metrics: visible.filter((metric) => fieldsOf(metric).includes(field)),
  }));
  const custom = access.customKeys.map((key) => ({
    field: customField(customName(key), key),
    metrics: visible,
    isWeight: access.weightKeys.includes(key),
  }));
  return [...ofMetrics, ...custom]
    .filter((entry) => entry.metrics.length > 0)
    .filter(({ field }) => matchesSearch([field.name, field.label, field.description], search))
    .filter(({ field }) => access.minAgents === 0 || field.identifiesHousehold !== true);
}

/** The fields for splits, and those for filters only. */
export function visibleFilters(
  access: OrganisationAccess & { readonly minAgents: number },
  search?: string,
): readonly VisibleField[] {
  const { name, label, description } = setField;
  const metrics = visibleMetrics(access);
  const isFound = metrics.length > 0 && matchesSearch([name, label, description], search);
  const own = isFound ? [{ field: setField, metrics }] : [];
  return [...usableFields(access, search), ...own];
}

/** Whether the texts contain every word of a search, in any case. Without a search, all match. */
function matchesSearch(texts: readonly string[], search = ''): boolean {
  const searched = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
