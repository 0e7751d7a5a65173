import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { writeSampleMba } from '../../../deploy/local/sample/mba/write-sample-mba.ts';
import { releaseStyles } from '../../../deploy/local/sample/mba/release-style.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';
import { type FccCell, fccDownload, fccLatency, fccLoss, type StoredTest } from './fcc-sql.ts';

const dayMs = 86_400_000;
/** A Monday of the last weeks, because changes of metadata can be backdated by 28 days. */
const firstMs = mondayOf(Date.now() - 14 * dayMs);
const days = 8;
// All results, in all time zones.
const range = { from: dateOf(firstMs - dayMs), to: dateOf(firstMs + days * dayMs) };

/** What `"method": "fcc-2018"` stands for. */
const peak = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: [19, 20, 21, 22] };
const ofUnits = { window: peak, switchers: 'longest', minAgents: 25 };
const trimmed = { statistic: 'mean', trim: [1, 99], trimOver: 'range' };
const explicitDownload = {
  ...ofUnits,
  household: trimmed,
  relativeTo: 'custom.advertised_download_mbps',
  consistent: { households: 20, results: 20 },
};
const explicitLatency = {
  ...ofUnits,
  household: { ...trimmed, trim: [null, 99] },
  consistent: { households: 80, results: 80 },
};
const explicitLoss = { ...ofUnits, household: { statistic: 'mean' } };

/** Units that change their package: their first or their last days are the shorter stay. */
const switchers = [
  { unit: 0, to: 'Prairie Telecom:500/500', mbps: 500, afterDays: 2.5 },
  { unit: 3, to: 'Riverline:100/10', mbps: 100, afterDays: 6.125 },
  { unit: 8, to: 'Prairie Telecom:12/0.768', mbps: 12, afterDays: 5.75 },
];

/** The values of households are rounded to nine decimals. */
const lastDecimal = 1e-9;

describe('the FCC’s figures of a generated release', () => {
  let stack: LocalStack;
  let tenant: Tenant;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    const folder = mkdtempSync(join(tmpdir(), 'netpanel-fcc-'));
    // 28 units of Riverline, 28 of Prairie Telecom, 14 of Summit Fiber, which are too few.
    await writeSampleMba({
      outDir: folder,
      unitCount: 70,
      days,
      firstDayUtc: new Date(firstMs),
      profile: undefined,
      style: releaseStyles['2021']!,
      isZipped: false,
    });
    for (const name of readdirSync(folder)) {
      if (/httppost|dns|udpcloss/.test(name)) rmSync(join(folder, name));
    }
    const profile = join(folder, 'unit-profile.csv');
    await netpanelOk(stack, 'load-mba', '--org', tenant.name, '--profile', profile, folder);
    rmSync(folder, { recursive: true });
    for (const { unit, to, mbps, afterDays } of switchers) {
      await changeMetadata(stack.database, tenant, {
        agent: { unit_id: 3_000_001 + unit * 13 },
        metadata: { package: to, custom: { advertised_download_mbps: mbps } },
        backdate_from: (firstMs + afterDays * dayMs) / 1000,
      });
    }
    await waitUntilPublished(stack.database, tenant.organisationId);
  });

  it('equal plain SQL in Postgres: percent of the advertised speed and 80/80', async () => {
    const cells = await inPostgres(fccDownload, 'test_httpget', 'bytes_sec,');
    expect(cells.map(({ isp, units }) => [isp, units])).to.deep.equal([
      ['Prairie Telecom', 29],
      ['Riverline', 27],
    ]);
    for (const fields of [{ method: 'fcc-2018' }, explicitDownload]) {
      const points = await byIsp('httpget', fields);
      expectCells(points, cells);
      expect(points.get('Summit Fiber')).to.include({ suppressed: true, metricValue: null });
    }
  });

  it('equal plain SQL in Postgres: round trips, and the 80/80 of their high end', async () => {
    const cells = await inPostgres(fccLatency, 'test_latency', 'rtt_avg,');
    expect(cells).to.have.length(2);
    for (const fields of [{ method: 'fcc-2018' }, explicitLatency]) {
      expectCells(await byIsp('udpLatency', fields), cells);
    }
  });

  it('equal plain SQL in Postgres: packets lost, by the sums of each unit', async () => {
    const cells = await inPostgres(fccLoss, 'test_latency', '');
    expect(cells).to.have.length(2);
    for (const fields of [{ method: 'fcc-2018', consistent: null }, explicitLoss]) {
      expectCells(await byIsp('udpPacketLoss', fields), cells);
    }
  });

  type Points = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

  async function byIsp(metric: string, fields: object): Promise<Points> {
    const api = new DataApi(stack.queryUrl, tenant.dataToken);
    const request = { ...plainRequest, metric, aggregation: 'total', splits: ['isp'], time: range };
    const points = await api.points({ ...request, ...fields });
    return new Map(points.map((point) => [String(point.isp), point]));
  }

  /** Copies the stored rows of a test to temporary tables of Postgres. */
  async function inPostgres(
    figures: (
      transaction: Knex.Transaction,
      organisationId: number,
      stored: readonly StoredTest[],
    ) => Promise<readonly FccCell[]>,
    table: string,
    columns: string,
  ): Promise<readonly FccCell[]> {
    const { organisationId } = tenant;
    const stored = await queryRows<StoredTest>(
      stack.clickhouse,
      `SELECT agent_key, formatDateTime(dtime, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS dtime,
         ${columns} successes, failures
       FROM ${table} FINAL WHERE organisation_id = {organisationId:UInt32}`,
      { query_params: { organisationId } },
    );
    expect(stored.length).to.be.greaterThan(6_000);
    return stack.database.transaction((transaction) =>
      figures(transaction, organisationId, stored),
    );
  }

  function expectCells(points: Points, cells: readonly FccCell[]): void {
    for (const { isp, units, mean, consistent } of cells) {
      const point = points.get(isp) ?? {};
      expect(point.agentCount, isp).to.equal(units);
      expect(point.metricValue, isp).to.be.closeTo(mean, lastDecimal);
      if (consistent !== undefined) {
        expect(point.consistent, isp).to.be.closeTo(consistent, lastDecimal);
      }
    }
  }
});

/** The start in UTC of the Monday before a time. */
function mondayOf(timeMs: number): number {
  const day = new Date(timeMs - (timeMs % dayMs));
  return day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs;
}

/** `2026-10-01` */
function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
