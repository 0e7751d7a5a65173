import type { Field } from '../../catalog/field.ts';
import { customField, fieldsOf, metricFields, standardFields } from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';
import { pointColumns } from '../../catalog/statistics.ts';
import { suggestion } from './nearest.ts';

/**
 * The field a name means for a metric, or what to tell the caller. Where the metric itself is not
 * known, a name is good that any metric has, so that all problems are told at once.
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
      ? { problem: `${JSON.stringify(name)} is not the custom field here. Send "custom.${name}".` }
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

/** The names by which custom keys are offered: their own, unless that already means something else. */
export function customNames(customKeys: readonly string[]): string[] {
  return customKeys.map((key) => (isReserved(key) ? `custom.${key}` : key));
}

/** Names that mean the same for everyone, whatever keys an organisation has. */
function isReserved(name: string): boolean {
  return reserved.has(name);
}

const reserved: ReadonlySet<string> = new Set([
  ...standardFields.map((field) => field.name),
  ...metricFields.map((field) => field.name),
  ...pointColumns,
]);
