import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import type { DataApi } from './data-api.ts';
import { fileData } from './exported-file.ts';
import { waitUntil } from './wait-until.ts';

interface NamedHousehold {
  readonly agentId: string;
  readonly unitId: number;
}

/**
 * Requests that name two households, an export of the first, and one with knownAt, which copies the metadata of both.
 * Returns when they are in the audit.
 */
export async function queryHouseholds(
  api: DataApi,
  clickhouse: ClickHouseClient,
  first: NamedHousehold,
  second: NamedHousehold,
): Promise<void> {
  for (const { agentId, unitId } of [first, second]) {
    for (const [id, value] of [
      ['agent', agentId],
      ['unit', String(unitId)],
    ] as const) {
      const { status, body } = await api.post('/metric_data', requestFor(id, value));
      expect(status, JSON.stringify(body)).to.equal(200);
    }
  }
  fileData(await api.post('/metric_data.csv', requestFor('agent', first.agentId)));
  const knownAt = new Date().toISOString();
  const known = await api.post('/metric_data', { ...requestFor('agent', first.agentId), knownAt });
  expect(known.status, JSON.stringify(known.body)).to.equal(200);
  await waitUntil(async () => {
    const [row] = await queryRows<{ first: string; second: string }>(
      clickhouse,
      `SELECT countIf(match(request, '${first.agentId}|${first.unitId}')) AS first,
         countIf(match(request, '${second.agentId}|${second.unitId}')) AS second
       FROM query_audit`,
    );
    return Number(row!.first) >= 3 && Number(row!.second) >= 2;
  });
}

/** Three views that name the first household, one that names the second, and one that names none. */
export async function saveViewsOf(
  api: DataApi,
  first: NamedHousehold,
  second: NamedHousehold,
): Promise<void> {
  const filter = (id: string, value: string) =>
    new URLSearchParams({ filter: JSON.stringify([id, 'include', 'x', value]) }).toString();
  for (const [name, state] of [
    ['Filter by agent', filter('agent', first.agentId.toLowerCase())],
    ['Filter by unit', filter('unit', String(first.unitId))],
    [`Household ${first.agentId}`, 'split=isp'],
    [`Household ${second.agentId}`, filter('agent', second.agentId)],
    ['By ISP', 'split=isp'],
  ] as const) {
    const { status } = await api.post('/views', { name, state });
    expect(status, name).to.equal(200);
  }
}

function requestFor(id: string, value: string) {
  return {
    metric: 'httpget',
    chartType: 'raw',
    normalised: false,
    prefilter: false,
    filters: [{ id, filterType: 'include', filterValues: [value] }],
    time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59:59' },
  };
}
