import type { MetricQuery } from '../../../openapi/client/index.ts';
import { filterAsFlag } from './parse-filters.ts';
import type { RequestFlags } from './request-flags.ts';

/**
 * The user's words for a field of the request: `time[from]` is `--from`, `filters[0][id]` is `--filter isp=x`. A
 * field that comes from a file keeps its path.
 */
export function flagWords(
  path: string,
  request: MetricQuery,
  flags: RequestFlags,
  file: string | undefined,
): string {
  const [field = '', ...inner] = path.split(/[[\].]+/).filter((part) => part !== '');
  const names = flagsOf[field]?.(inner);
  const isGiven = names?.some((name) => flags[name] !== undefined) === true;
  if (names === undefined || (file !== undefined && !isGiven)) {
    return file === undefined ? path : `${file === '-' ? 'standard input' : file}: ${path}`;
  }
  const index = Number(inner[0] ?? 0);
  if (field === 'metric') return 'METRIC';
  if (field === 'splits') return `--split ${request.splits?.[index] ?? ''}`.trimEnd();
  const filter = field === 'filters' ? request.filters?.[index] : undefined;
  if (filter !== undefined) {
    return filterAsFlag(filter, inner[1] === 'filterValues' ? Number(inner[2] ?? 0) : 0);
  }
  const shown = names.filter((name) => !isGiven || flags[name] !== undefined);
  return shown.map((name) => `--${name}`).join(', ');
}

type FlagName = keyof RequestFlags;

/** The flags behind each field, by the parts of the path within it. */
const flagsOf: Readonly<Record<string, (inner: readonly string[]) => readonly FlagName[]>> = {
  metric: () => ['metric'],
  chartType: () => ['raw', 'aggregation'],
  aggregation: () => ['aggregation'],
  splits: () => ['split'],
  filters: () => ['filter'],
  time: ([end]) => (end === 'from' || end === 'to' ? [end] : ['from', 'to']),
  window: ([part]) => (part === 'days' || part === 'hours' ? [part] : ['days', 'hours', 'outside']),
  normalised: () => ['normalised'],
  prefilter: () => ['no-prefilter'],
  household: () => ['household'],
  householdIntervals: () => ['household-intervals'],
  relativeTo: () => ['relative-to'],
  method: () => ['method'],
  minAgents: () => ['min-agents'],
  knownAt: () => ['known-at'],
};
