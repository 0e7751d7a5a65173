import type { LoadResult } from './load-stream.ts';

/** `1,000 rows loaded, 3 rejected (day.csv.rejects.csv), 2 agents registered` */
export function describeLoad(result: LoadResult, rejectsPath: string): string {
  const { loaded, skipped, rejected, agentsRegistered } = result;
  return [
    `${loaded} rows loaded`,
    ...(skipped > 0 ? [`${skipped} already loaded`] : []),
    ...(rejected > 0 ? [`${rejected} rejected (${rejectsPath})`] : []),
    ...(agentsRegistered > 0 ? [`${agentsRegistered} agents registered`] : []),
  ].join(', ');
}
