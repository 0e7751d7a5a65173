import type { Database } from '../postgres/connect-postgres.ts';
import type { AdvisoryLock } from '../postgres/lock-table.ts';
import { withAdvisoryLock } from '../postgres/with-advisory-lock.ts';

/** Work that is done at least once, however often its process is killed. */
export interface DurableJob<Item, Result> {
  /** What is to be done, by the ledger, in order. What a killed process has begun is due again. */
  readonly due: () => Promise<readonly Item[]>;
  readonly claim: Claim<Item>;
  /** Does one item, or completes it. Another process may have done it between `due` and the claim. */
  readonly run: (item: Item) => Result | Promise<Result>;
  readonly onBusy?: (item: Item) => unknown;
}

/** Runs `work` while this process has the item; undefined if another process has it. A claim ends with its process. */
export type Claim<Item> = <T>(
  item: Item,
  work: () => Promise<T>,
) => Promise<{ readonly result: T } | undefined>;

/** Does what is due, in order. Aborting `stop` ends it after the current item; the others stay due. */
export async function doDue<Item, Result>(
  { due, claim, run, onBusy }: DurableJob<Item, Result>,
  stop?: AbortSignal,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of await due()) {
    if (stop?.aborted) break;
    const claimed = await claim(item, async () => run(item));
    if (claimed === undefined) onBusy?.(item);
    else results.push(claimed.result);
  }
  return results;
}

/** The claim is a lock of Postgres, which a killed process loses at once. */
export function lockClaim<Item>(
  database: Database,
  lockOf: (item: Item) => AdvisoryLock,
): Claim<Item> {
  return (item, work) =>
    withAdvisoryLock(database, lockOf(item), async () => ({ result: await work() }));
}
