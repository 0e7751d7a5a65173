import type { Agent } from '../reference/panel.ts';
import type { RecordedPanel } from '../reference/recorded-panel.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';
import { insertPeriod } from './store-panel.ts';

/** Writes every period that was ever recorded, with its change, and waits until the current ones are published. */
export async function storeRecords(
  { database }: LocalStack,
  organisationId: number,
  { records }: RecordedPanel,
  agentKeys: ReadonlyMap<Agent, number>,
): Promise<void> {
  const changesAtMs = new Set([...records.values()].flat().map(({ recordedAtMs }) => recordedAtMs));
  await database.transaction(async (transaction) => {
    const changeIds = new Map<number, number>();
    for (const ms of [...changesAtMs].sort((a, b) => a - b)) {
      const [change] = await transaction('metadata_changes')
        .insert({
          organisation_id: organisationId,
          recorded_at: new Date(ms),
          request: '{}',
          agent_count: 1,
        })
        .returning<{ id: number }[]>('id');
      changeIds.set(ms, change!.id);
    }
    for (const [agent, recorded] of records) {
      for (const { period, recordedAtMs, supersededAtMs } of recorded) {
        await insertPeriod(transaction, {
          agentKey: agentKeys.get(agent)!,
          organisationId,
          changeId: changeIds.get(recordedAtMs)!,
          period,
          recordedAt: new Date(recordedAtMs),
          ...(supersededAtMs === null
            ? {}
            : {
                superseded: {
                  at: new Date(supersededAtMs),
                  changeId: changeIds.get(supersededAtMs)!,
                },
              }),
        });
      }
    }
    await transaction('snapshot_outbox').insert({ organisation_id: organisationId });
  });
  await waitUntilPublished(database, organisationId);
}
