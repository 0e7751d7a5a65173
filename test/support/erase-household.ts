import type { ClickHouseClient } from '@clickhouse/client';
import type { Erasure, ErasureTools } from '../../services/metadata/erasure/erasure.ts';
import { findErasure } from '../../services/metadata/erasure/erasure-ledger.ts';
import { requestErasure } from '../../services/metadata/erasure/request-erasure.ts';
import { runErasure } from '../../services/metadata/erasure/run-erasure.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { lockTable } from '../../services/shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../services/shared/postgres/with-advisory-lock.ts';
import type { Tenant } from './tenant.ts';
import { waitUntil } from './wait-until.ts';

interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
}

/** The tools of the metadata service, without the wait before the last check. */
export function erasureTools(stores: Stores, changed: Partial<ErasureTools> = {}): ErasureTools {
  const { database, clickhouse } = stores;
  return {
    database,
    clickhouse,
    cluster: '',
    settleMs: 0,
    onStep: () => undefined,
    ...changed,
  };
}

/** Records the erasure of an agent and returns its id. */
export async function requestAgentErasure(
  database: Database,
  { organisationId }: Tenant,
  agentId: string,
): Promise<string> {
  const { ids } = await requestErasure(database, {
    organisationId,
    tokenId: null,
    field: 'agent',
    values: [agentId],
  });
  return ids[0]!;
}

/** Runs an erasure until it has ended. */
export async function untilErased(tools: ErasureTools, id: string): Promise<Erasure> {
  await waitUntil(async () => {
    const erasure = await withAdvisoryLock(tools.database, lockTable.erasure(), () =>
      runErasure(tools, id),
    );
    if (erasure?.lastError) throw new Error(erasure.lastError);
    return erasure !== undefined && erasure.endedAt !== null;
  });
  return (await findErasure(tools.database, id))!;
}
