import type { Field } from '../../catalog/field.ts';
import { customField, fieldsOf, metricFields, standardFields } from '../../catalog/fields.ts';
import type { Metric } from '../../catalog/metric.ts';
import { isPointColumn } from '../../catalog/statistics.ts';
import { shortened } from '../../shared/errors/shortened.ts';
import type { Parsing } from './parse-context.ts';
import { oneOf, suggestion } from './suggestion.ts';

/** Without a valid metric, accepts the fields of any metric. */
export function fieldResolver(
  metric: Metric | null,
  { customKeys, metadataWarnings, problems }: Parsing,
): (name: unknown, path: string) => Field | null {
  const keys = new Set(customKeys);
  // The field may be a custom key that is not published yet.
  const ifUnknown = metadataWarnings.map(({ message }) => ` ${message}`).join('');
  return (name, path) => {
    if (typeof name !== 'string')
      return problems.add(path, 'Send the name of a field, such as "isp".');
    const field = resolveField(name, metric, keys, ifUnknown);
    return 'problem' in field ? problems.add(path, field.problem) : field;
  };
}

/**
 * Finds a metric's field by name, or returns the problem. If the metric is unknown (null), accepts the fields of any
 * metric, so that only real problems are reported. `ifUnknown` is added to the problem of an unknown field.
 */
export function resolveField(
  name: string,
  metric: Metric | null,
  customKeys: ReadonlySet<string>,
  ifUnknown = '',
): Field | { readonly problem: string } {
  const available = metric === null ? [...standardFields, ...metricFields] : fieldsOf(metric);
  const known = available.find((field) => field.name === name);
  if (known !== undefined) return known;
  const key = namedKey(name);
  if (key !== undefined && customKeys.has(key)) return customField(name, key);
  const shown = JSON.stringify(shortened(name));
  if (customKeys.has(name)) {
    return { problem: `${shown} is a reserved name. Send "custom.${shortened(name)}".` };
  }
  const names = [...available.map((field) => field.name), ...[...customKeys].map(customName)];
  return {
    problem:
      metric !== null && isReserved(name)
        ? `Not available for ${metric.key}. Send ${oneOf(names)}.`
        : `Unknown field ${shown}. ${suggestion(name, names)}${ifUnknown}`,
  };
}

/**
 * The custom key that a name selects: `tier` and `custom.tier` select `tier`. Undefined if the name is
 * reserved. Whether other keys exist must not matter: a request would change its meaning when one is
 * added. So `custom.tier` is never the key of that name, which is `custom.custom.tier`.
 */
export function namedKey(name: string): string | undefined {
  if (name.startsWith(customPrefix)) return name.slice(customPrefix.length);
  return isReserved(name) ? undefined : name;
}

/** The name of a custom key in the listings: the shortest that selects it. */
export function customName(key: string): string {
  return namedKey(key) === key ? key : `${customPrefix}${key}`;
}

const customPrefix = 'custom.';

/** Whether a name belongs to a standard field or column, which custom keys must not hide. */
function isReserved(name: string): boolean {
  return fieldNames.has(name) || isPointColumn(name);
}

const fieldNames: ReadonlySet<string> = new Set(
  [...standardFields, ...metricFields].map((field) => field.name),
);
