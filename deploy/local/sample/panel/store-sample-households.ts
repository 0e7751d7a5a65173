import type { Knex } from 'knex';
import { erasedAgents } from '../../../../services/registry/agents/erased-ids.ts';
import { sampleHistory, type HistoryRow, type HouseholdChange } from './sample-history.ts';
import type { SampleHousehold, SampleOrganisation } from './sample-households.ts';
import { packageFields } from './sample-packages.ts';
import { daysIn, type SampleRange } from './sample-range.ts';
import { storeSampleIsps, type PackageIds } from './store-sample-isps.ts';

/** Ids of the organisations by name. */
export type OrganisationIds = Readonly<Record<SampleOrganisation, number>>;

/**
 * Inserts missing households with their history into Postgres and returns their number. Existing
 * households are not changed, because a user may have edited them. Erased households are not added again.
 */
export async function storeSampleHouseholds(
  transaction: Knex.Transaction,
  organisationIds: OrganisationIds,
  households: readonly SampleHousehold[],
  range: SampleRange,
): Promise<number> {
  let added = 0;
  for (const organisation of ['demo', 'other'] as const) {
    const organisationId = organisationIds[organisation];
    const packageIds = await storeSampleIsps(transaction, organisationId, organisation);
    const missing = await missingHouseholds(
      transaction,
      organisationId,
      households.filter((household) => household.organisation === organisation),
    );
    if (missing.length === 0) continue;
    const importedAt = daysIn(range, -90);
    const agentKeys = await storeAgents(transaction, organisationId, missing, importedAt);
    const store = { transaction, organisationId, packageIds, agentKeys, importedAt };
    await storeHistory(store, missing);
    added += missing.length;
  }
  return added;
}

interface HistoryStore {
  readonly transaction: Knex.Transaction;
  readonly organisationId: number;
  readonly packageIds: PackageIds;
  readonly agentKeys: ReadonlyMap<string, number>;
  readonly importedAt: Date;
}

async function missingHouseholds(
  transaction: Knex.Transaction,
  organisationId: number,
  households: readonly SampleHousehold[],
): Promise<readonly SampleHousehold[]> {
  const stored = await transaction<{ agent_id: string; organisation_id: number }>('agents')
    .where({ organisation_id: organisationId })
    .pluck('agent_id');
  const known = new Set(stored);
  const missing = households.filter(({ agentId }) => !known.has(agentId));
  const erased = await erasedAgents(transaction, organisationId, missing);
  return missing.filter((_household, place) => !erased.has(place));
}

async function storeAgents(
  transaction: Knex.Transaction,
  organisationId: number,
  households: readonly SampleHousehold[],
  importedAt: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = households.map((household) => ({
    organisation_id: organisationId,
    agent_id: household.agentId,
    unit_id: household.unitId,
    mac_address: household.macAddress,
    kind: household.kind,
    base: household.base,
    country: household.country,
    created_at: importedAt,
  }));
  const stored = await transaction('agents')
    .insert(rows)
    .returning<{ id: number; agent_id: string }[]>(['id', 'agent_id']);
  return new Map(stored.map(({ id, agent_id }) => [agent_id, id]));
}

async function storeHistory(
  store: HistoryStore,
  households: readonly SampleHousehold[],
): Promise<void> {
  const described = households.filter(({ facts }) => facts !== null);
  const importId = await storeChange(store, store.importedAt, described.length, {
    import: 'sample panel',
  });
  const rows: object[] = [];
  for (const { agentId, facts, changes } of described) {
    if (facts === null) continue;
    const changeIds = [importId];
    for (const change of changes) {
      const request = changeRequest(agentId, change, facts.isp);
      changeIds.push(await storeChange(store, change.recordedAt, 1, request));
    }
    const history = sampleHistory(facts, store.importedAt, changes);
    rows.push(...history.map((row) => historyColumns(store, agentId, row, changeIds)));
  }
  await store.transaction('agent_metadata').insert(rows);
  // Makes the metadata service publish a snapshot.
  await store
    .transaction('snapshot_outbox')
    .insert({ organisation_id: store.organisationId, change_id: importId });
}

async function storeChange(
  { transaction, organisationId }: HistoryStore,
  recordedAt: Date,
  agentCount: number,
  request: object,
): Promise<number> {
  const [change] = await transaction('metadata_changes')
    .insert({
      organisation_id: organisationId,
      recorded_at: recordedAt,
      request: JSON.stringify(request),
      agent_count: agentCount,
    })
    .returning<{ id: number }[]>('id');
  if (change === undefined) throw new Error('Postgres returned no id for a metadata change');
  return change.id;
}

/** The body of a PUT /metadata for the change. */
function changeRequest(agentId: string, change: HouseholdChange, isp: string | null): object {
  const { packageName, timezone, isp: newIsp = isp } = change.facts;
  return {
    agent: { agent_id: agentId },
    metadata: {
      ...(packageName === undefined
        ? {}
        : {
            package: `${newIsp ?? ''}:${packageName ?? ''}`,
            custom: packageFields(newIsp, packageName),
          }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    backdate_from: change.validFrom.getTime() / 1000,
  };
}

function historyColumns(
  { transaction, organisationId, packageIds, agentKeys }: HistoryStore,
  agentId: string,
  row: HistoryRow,
  changeIds: readonly number[],
): object {
  const { isp, packageName, timezone, custom } = row.facts;
  return {
    agent_key: agentKeys.get(agentId),
    organisation_id: organisationId,
    valid: transaction.raw("tstzrange(?, ?, '[)')", [row.validFrom, row.validTo]),
    isp_id: isp === null ? null : packageIds.ispId(isp),
    package_id:
      isp === null || packageName === null ? null : packageIds.packageId(isp, packageName),
    timezone,
    custom: JSON.stringify({ ...custom, ...packageFields(isp, packageName) }),
    recorded_at: row.recordedAt,
    recorded_by: changeIds[row.recordedBy],
    first_recorded_at: row.firstRecordedAt,
    first_recorded_by: row.firstRecordedBy === null ? null : changeIds[row.firstRecordedBy],
    superseded_at: row.supersededAt,
    superseded_by: row.supersededBy === null ? null : changeIds[row.supersededBy],
  };
}
