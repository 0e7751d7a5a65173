import { metrics } from './metrics.ts';
import { hasColumn, isTestKey } from './test-tables.ts';

/** A column that a row must have a value in, because the value of a metric is computed from it. */
export interface RequiredColumn {
  readonly name: string;
  /** Only where these columns are above 0, such as `successes`: a failed test has no speed. */
  readonly whenPositive: readonly string[];
}

/**
 * The columns whose default would be a wrong value: a successful download without bytes_sec would count as 0 Mbit/s. A
 * column that the condition of its metric names is not required, because a row without it is no result of that metric.
 */
export function requiredColumns(test: string): readonly RequiredColumn[] {
  if (!isTestKey(test)) return [];
  const required = new Map<string, RequiredColumn>();
  for (const { measure, existsWhen, ...metric } of metrics) {
    if (metric.test !== test || measure.kind !== 'value') continue;
    const whenPositive = [...existsWhen.matchAll(/(\w+) > 0/g)].map(([, name = '']) => name);
    const names = wordsIn(measure.value).filter((name) => hasColumn(test, name));
    for (const name of names.filter((name) => !wordsIn(existsWhen).includes(name))) {
      required.set(`${name} ${whenPositive.join(' ')}`, { name, whenPositive });
    }
  }
  return [...required.values()];
}

function wordsIn(sql: string): readonly string[] {
  return sql.match(/\w+/g) ?? [];
}
