import type { RecordedPanel } from '../reference/recorded-panel.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { propertySeed } from './property-panel.ts';
import { Random } from './random.ts';
import { randomPanel } from './random-panel.ts';
import { randomRecords } from './random-records.ts';
import { storePanel } from './store-panel.ts';
import { storeRecords } from './store-records.ts';

const changeCount = 5;
const betweenChangesMs = 100;

export interface KnownAtPanel {
  readonly recorded: RecordedPanel;
  /** Before, at and after each change. The same number in every run, at times that follow the organisation's creation. */
  readonly momentsMs: readonly number[];
  readonly organisationId: number;
  readonly dataToken: string;
}

/** Stores the random panel of this run with a history that was changed several times. */
export async function storeKnownAtPanel(stack: LocalStack): Promise<KnownAtPanel> {
  const panel = randomPanel(propertySeed);
  let recorded: RecordedPanel | undefined;
  let momentsMs: readonly number[] = [];
  const tenant = await storePanel(stack, panel, async (_stack, organisationId, keys) => {
    // A moment before the organisation existed is refused.
    const { createdAt } = await stack
      .database('organisations')
      .where({ id: organisationId })
      .first<{ createdAt: Date }>({ createdAt: 'created_at' });
    const changesAtMs = Array.from(
      { length: changeCount },
      (_, i) => createdAt.getTime() + (i + 1) * betweenChangesMs,
    );
    recorded = randomRecords(new Random(propertySeed), panel, changesAtMs);
    momentsMs = changesAtMs.flatMap((ms) => [ms - 1, ms, ms + betweenChangesMs / 2]);
    await storeRecords(stack, organisationId, recorded, keys);
  });
  const { organisationId, dataToken } = tenant;
  return { recorded: recorded!, momentsMs, organisationId, dataToken };
}
