import { absoluteRange } from '../state/absolute-range.ts';
import type { Query } from '../state/view-state.ts';

/** What a file has in it: `httpget-ranking-isp-2026-11-01-2026-11-28`, without an extension. */
export function fileName(query: Query): string {
  const { from, to } = absoluteRange(query);
  const parts = [query.metric, query.view, ...query.splits, from, to];
  // Letters, digits and dashes only: a name may come from data.
  return parts
    .join('-')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 120);
}
