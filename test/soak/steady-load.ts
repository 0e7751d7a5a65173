import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../property/random.ts';
import type { RequestKind } from './request-kind.ts';
import type { SoakOrganisation } from './soak-organisation.ts';
import { PublishedChanges } from './published-changes.ts';

interface LoadOptions {
  readonly organisations: readonly [SoakOrganisation, ...SoakOrganisation[]];
  readonly kinds: readonly RequestKind[];
  readonly perSecond: number;
  readonly seed: number;
  readonly untilMs: number;
  /** Called with every unexpected response. */
  readonly onError: (kind: string, error: unknown) => void;
}

/** Fewer than the running queries of one organisation that are allowed by default. */
const maxRunning = 6;
const pauseBetweenChangesMs = 2_000;
/** The published changes, which are not in `kinds`. */
const publishedChange = 'published change';

/** Sends requests of random kinds at a steady rate. Resolves with the number of each kind. */
export async function steadyLoad(options: LoadOptions): Promise<ReadonlyMap<string, number>> {
  const { organisations, kinds, perSecond, seed, untilMs, onError } = options;
  const random = new Random(seed);
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const begin = (name: string, work: () => Promise<void>): Promise<void> => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return work().catch((error: unknown) => onError(name, error));
  };
  const publishing = organisations.map(async (organisation) => {
    const changes = new PublishedChanges(organisation);
    while (Date.now() < untilMs) {
      await begin(publishedChange, () => changes.publishNext());
      await sleep(pauseBetweenChangesMs);
    }
  });
  for (let nextMs = Date.now(); nextMs < untilMs; nextMs += 1000 / perSecond) {
    await sleep(Math.max(0, nextMs - Date.now()));
    // A busy machine slows the load down; it does not pile up.
    while (running.size >= maxRunning) await Promise.race(running);
    nextMs = Math.max(nextMs, Date.now() - 1000);
    const kind = pickByWeight(kinds, random);
    const organisation = random.pick(organisations);
    const request = begin(kind.name, () => kind.run(organisation, random)).finally(() =>
      running.delete(request),
    );
    running.add(request);
  }
  await Promise.all([...running, ...publishing]);
  return counts;
}

function pickByWeight(kinds: readonly RequestKind[], random: Random): RequestKind {
  let left = random.fraction() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  return kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds[0]!;
}
