import { UsageError } from '../../../shared/errors/usage-error.ts';

/** A filter of a request body. */
export interface FilterBody {
  readonly id: string;
  readonly filterType: 'include' | 'exclude';
  readonly filterValues: readonly string[];
}

/**
 * `isp=Northwave` keeps a value, `isp!=Northwave` drops it. Values of the same field and kind become one filter,
 * since a result must match all filters but only one value of each.
 */
export function readFilters(texts: readonly string[], option: string): readonly FilterBody[] {
  const values = new Map<string, string[]>();
  for (const text of texts) {
    // The value may contain "=": Other=Unknown.
    const [, id = '', sign = '', value = ''] = /^([^=!]+?)(!?=)(.+)$/s.exec(text) ?? [];
    if (id === '') {
      throw new UsageError(
        `--${option} must be written as FIELD=VALUE or FIELD!=VALUE, not "${text}"`,
      );
    }
    const key = `${sign} ${id}`;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  return [...values].map(([key, filterValues]) => ({
    id: key.slice(key.indexOf(' ') + 1),
    filterType: key.startsWith('!') ? 'exclude' : 'include',
    filterValues,
  }));
}

/** The option for one value of a filter, for messages about it: `--filter isp=Northwave`. */
export function filterAsOption(
  { id, filterType, filterValues }: FilterBody,
  index: number,
  option: string,
): string {
  return `--${option} ${id}${filterType === 'exclude' ? '!=' : '='}${filterValues[index] ?? ''}`;
}
