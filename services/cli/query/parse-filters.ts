import type { MetricQuery } from '../../../openapi/client/index.ts';
import { UsageError } from '../command.ts';

type Filter = NonNullable<MetricQuery['filters']>[number];

/**
 * `isp=Northwave` keeps a value, `isp!=Northwave` drops it. Values of the same field and kind become one filter,
 * since a result must match all filters but only one value of each.
 */
export function parseFilters(texts: readonly string[], option = 'filter'): Filter[] {
  const values = new Map<string, string[]>();
  for (const text of texts) {
    const { id, sign, value } = parseFilter(text, option);
    const key = `${sign} ${id}`;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return [...values].map(([key, filterValues]) => ({
    id: key.slice(key.indexOf(' ') + 1),
    filterType: key.startsWith('!') ? ('exclude' as const) : ('include' as const),
    filterValues,
  }));
}

/** The flags of one filter, for messages about it: `--filter isp=Northwave`. */
export function filterAsFlag(
  { id, filterType, filterValues }: Filter,
  index = 0,
  option = 'filter',
): string {
  return `--${option} ${id}${filterType === 'exclude' ? '!=' : '='}${filterValues[index] ?? ''}`;
}

// The value may contain "=": Other=Unknown.
function parseFilter(text: string, option: string): { id: string; sign: string; value: string } {
  const [, id = '', sign = '', value = ''] = /^([^=!]+?)(!?=)(.+)$/s.exec(text) ?? [];
  if (id !== '') return { id, sign, value };
  throw new UsageError(`--${option} must be written as FIELD=VALUE or FIELD!=VALUE, not "${text}"`);
}
