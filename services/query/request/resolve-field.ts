import type { Field } from '../../catalog/field.ts';
import { customField, fieldsOf, metricFields, standardFields } from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';
import { pointColumns } from '../../catalog/statistics.ts';
import { suggestion } from './suggestion.ts';

/**
 * Finds a metric's field by name, or returns the problem. If the metric is unknown (null), the fields
 * of any metric are accepted, so that only real problems are reported.
 */
export function resolveField(
  name: string,
  metric: Metric | null,
  customKeys: readonly string[],
): Field | { readonly problem: string } {
  const available = metric === null ? [...standardFields, ...metricFields] : fieldsOf(metric);
  const known = available.find((field) => field.name === name);
  if (known !== undefined) return known;

  const customKey = name.startsWith('custom.') ? name.slice('custom.'.length) : undefined;
  if (customKey !== undefined && customKeys.includes(customKey))
    return customField(name, customKey);
  if (customKeys.includes(name)) {
    return isReserved(name)
      ? { problem: `${JSON.stringify(name)} is a reserved name. Send "custom.${name}".` }
      : customField(name, name);
  }
  const names = [...available.map((field) => field.name), ...customNames(customKeys)];
  return {
    problem:
      metric !== null && isReserved(name)
        ? `Not available for ${metric.key}. Send one of: ${names.join(', ')}.`
        : `Unknown field ${JSON.stringify(name)}. ${suggestion(name, names)}`,
  };
}

/** The field names of custom keys: the key itself, or `custom.<key>` if the name is reserved. */
export function customNames(customKeys: readonly string[]): string[] {
  return customKeys.map((key) => (isReserved(key) ? `custom.${key}` : key));
}

/** Whether a name belongs to a standard field or column, which custom keys must not hide. */
function isReserved(name: string): boolean {
  return reserved.has(name);
}

const reserved: ReadonlySet<string> = new Set([
  ...standardFields.map((field) => field.name),
  ...metricFields.map((field) => field.name),
  ...pointColumns,
]);
