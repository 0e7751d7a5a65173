import { problemOf } from './describe-load.ts';
import type { FileOutcome } from './load-summary.ts';

/** Exit codes of netpanel load and load-mba, as documented in docs/loading.md. */
export const exitCodes = {
  nothingLoaded: 3,
  tooManyRejects: 4,
  partlyLoaded: 5,
  differing: 7,
} as const;

/** The exit code of netpanel load and load-mba, and why it is not 0. */
export function judgeLoad(files: readonly FileOutcome[]): readonly [number, string | null] {
  // netpanel watch found nothing to load.
  if (files.length === 0) return [0, null];
  const useless = files.flatMap((file) => problemOf(file) ?? []);
  const usable = files.filter((file) => file.status === 'loaded' && problemOf(file) === undefined);
  if (usable.length === 0) {
    const reasons = useless.length === 0 ? ['no file has a test'] : useless;
    return [exitCodes.nothingLoaded, ['Nothing was loaded.', ...reasons].join('\n  ')];
  }
  const { differing } = totalOf(files);
  if (useless.length === 0 && differing > 0) {
    const rows = `${differing} rows differ from stored results with the same key`;
    return [exitCodes.differing, `${rows}. The stored results were kept; --replace replaces them.`];
  }
  if (useless.length === 0) return [0, null];
  return [exitCodes.partlyLoaded, ['Not every file was loaded.', ...useless].join('\n  ')];
}

/** A line such as `total: 5 rows read: 2 loaded, 1 already there, 0 duplicates, 2 rejected`. */
export function describeTotal(total: ReturnType<typeof totalOf>, isDryRun: boolean): string {
  const { rowsRead, loaded, alreadyThere, duplicates, rejected, excluded } = total;
  return (
    `total: ${rowsRead} rows read: ${loaded} ${isDryRun ? 'would be loaded' : 'loaded'}, ` +
    `${alreadyThere} already there, ${duplicates} duplicates, ${rejected} rejected` +
    (excluded === 0 ? '' : `, ${excluded} of excluded units left out`)
  );
}

export function totalOf(files: readonly FileOutcome[]) {
  const loaded = files.flatMap((file) => (file.status === 'loaded' ? [file] : []));
  const sum = (value: (file: (typeof loaded)[number]) => number) =>
    loaded.reduce((total, file) => total + value(file), 0);
  return {
    rowsRead: sum((file) => file.rowsRead),
    loaded: sum((file) => file.loaded),
    alreadyThere: sum((file) => file.alreadyThere),
    duplicates: sum(({ duplicates }) => duplicates.identical + duplicates.different),
    /** From stored results that were kept. */
    differing: sum(({ differing }) => (differing.replaced ? 0 : differing.rows)),
    rejected: sum((file) => file.rejected),
    excluded: sum((file) => file.excluded),
    agentsRegistered: sum((file) => file.agentsRegistered),
  };
}
