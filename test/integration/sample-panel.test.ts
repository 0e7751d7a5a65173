import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import moment from 'moment-timezone';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import { sampleTests } from '../../deploy/local/sample/panel/sample-tests.ts';
import {
  changeIsBackdated,
  changesPackage,
} from '../../deploy/local/sample/panel/special-households.ts';
import { seedSamplePanel } from '../../deploy/local/sample/panel/seed-sample-panel.ts';
import { localTime, utcOffset } from '../../services/catalog/result.ts';
import { migrateSchemas } from '../../services/schema/migrate-schemas.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { connectPostgres, type Database } from '../../services/shared/postgres/connect-postgres.ts';
import { DataApi } from '../support/data-api.ts';
import { type LocalStack, localStack, sampleEndsAt } from '../support/local-stack.ts';
import { netpanelOk } from '../support/netpanel.ts';
import { digest } from '../support/table-digest.ts';

// A second panel, because other tests may have changed the metadata of the stack's panel.
const name = 'sample_again';
const seed = 2026;
const time = { from: '2026-10-18', to: '2026-11-14' };

interface Report {
  readonly data: readonly {
    readonly metricData: readonly {
      readonly isp: string | null;
      readonly aggregatedNumber: number;
      readonly metricValue: number;
      readonly agentCount: number;
    }[];
  }[];
}

describe('the sample panel', () => {
  let stack: LocalStack;
  let database: Database;
  let clickhouse: ClickHouseClient;

  before(async () => {
    stack = await localStack();
    await stack.database.raw(`create database ${name}`);
    const url = new URL(stack.databaseUrl);
    url.pathname = `/${name}`;
    database = connectPostgres(url.href, 4, 'netpanel-test');
    const settings = { ...localClickHouse(stack.clickhouseUrl), clickhouseDatabase: name };
    clickhouse = connectClickHouse(settings, 'netpanel-test');
    await migrateSchemas(database, settings);
    // A merge can remove duplicate results at any time.
    for (const { key } of sampleTests) {
      await clickhouse.command({ query: `SYSTEM STOP MERGES test_${key}` });
    }
    await seedSamplePanel({ database, clickhouse, endsAt: sampleEndsAt, seed });
  });

  after(async () => {
    await clickhouse.command({ query: `DROP DATABASE ${name}` });
    await clickhouse.close();
    await database.destroy();
    await stack.database.raw(`drop database ${name}`);
  });

  it('is identical for the same seed and end', async () => {
    const [inStack] = await queryRows<{ database: string }>(
      stack.clickhouse,
      'SELECT currentDatabase() AS database',
    );
    const organisations = (await sampleOrganisations(stack.database)).join();
    // Ids from Postgres can differ.
    const content = 'cityHash64(* EXCEPT (organisation_id, agent_key))';
    for (const { key } of sampleTests) {
      // Other tests may have added rows to the stack's panel, and merges removed duplicates.
      const [rows] = await queryRows<{ all: number; missing: number }>(
        clickhouse,
        `SELECT toUInt32(count()) AS all, toUInt32(countIf(${content} NOT IN (
           SELECT ${content} FROM ${inStack!.database}.test_${key} FINAL
           WHERE organisation_id IN (${organisations})))) AS missing
         FROM test_${key} FINAL`,
      );
      expect(rows!.missing, key).to.equal(0);
      expect(rows!.all, key).to.be.greaterThan(0);
    }
  });

  it('adds nothing when it is loaded again, and keeps changes by users', async () => {
    await database('agents')
      .where({ agent_id: await agentId('wb-0001') })
      .update({ base: 'Mine' });
    const before = await rowCounts();
    const hoursLater = new Date(sampleEndsAt.getTime() + 12 * 3_600_000);
    const summary = await seedSamplePanel({ database, clickhouse, endsAt: hoursLater, seed });

    expect(summary).to.deep.equal({ agentsAdded: 0, rowsAdded: {} });
    expect(await rowCounts()).to.deep.equal(before);
    expect(await database('agents').where({ base: 'Mine' })).to.have.length(1);
  });

  it('restores an empty ClickHouse table from an existing Postgres', async () => {
    const before = await digest(clickhouse, 'mobile_www');
    await clickhouse.command({ query: 'TRUNCATE TABLE test_mobile_www' });
    const summary = await seedSamplePanel({ database, clickhouse, endsAt: sampleEndsAt, seed });

    expect(summary).to.deep.equal({ agentsAdded: 0, rowsAdded: { mobile_www: before.row_count } });
    expect(await digest(clickhouse, 'mobile_www')).to.deep.equal(before);
  });

  it('has about a million results over 60 days, of all 17 tests, for both organisations', async () => {
    let total = 0;
    for (const { key } of sampleTests) {
      const rows = await select<{ row_count: number; days: number }>(
        `SELECT toUInt32(count()) AS row_count, toUInt32(uniqExact(ddate)) AS days
         FROM test_${key} GROUP BY organisation_id`,
      );
      expect(rows, key).to.have.length(2);
      for (const { days } of rows) expect(days, key).to.be.within(58, 60);
      total += rows.reduce((sum, { row_count }) => sum + row_count, 0);
    }
    expect(sampleTests).to.have.length(17);
    expect(total).to.be.within(850_000, 1_100_000);
  });

  it('never mixes the agents of the two organisations', async () => {
    const owners = await database('agents').select<{ id: number; organisation_id: number }[]>();
    const owner = new Map(owners.map(({ id, organisation_id }) => [id, organisation_id]));
    for (const { key } of sampleTests) {
      const seen = await select<{ agent: number; organisation: number }>(
        `SELECT DISTINCT toUInt32(agent_key) AS agent, organisation_id AS organisation FROM test_${key}`,
      );
      for (const { agent, organisation } of seen) expect(owner.get(agent)).to.equal(organisation);
    }
  });

  it('covers at least eight time zones, two of them with a clock change in the range', async () => {
    const zones = await database('agent_metadata').distinct().pluck<string[]>('timezone');
    expect(zones).to.include.members(['Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns']);
    expect(zones).to.have.length.of.at.least(8);
    const endsAt = moment.utc('2026-11-15');
    const offset = (zone: string, at: moment.Moment) => at.clone().tz(zone).utcOffset();
    const changing = zones.filter(
      (zone) => offset(zone, endsAt.clone().subtract(60, 'days')) !== offset(zone, endsAt),
    );
    expect(changing).to.include.members(['Europe/London', 'America/New_York']);
  });

  it('has agents of every kind; only phones have no unit id', async () => {
    const kinds = await database('agents').groupBy('kind').orderBy('kind').pluck('kind');
    expect(kinds).to.deep.equal(['cpe', 'mobile', 'web', 'whitebox']);
    const odd = await database('agents').whereRaw("(kind = 'mobile') <> (unit_id is null)");
    expect(odd).to.be.empty;
  });

  it('has results that were sent twice, of which the first counts', async () => {
    const [sent] = await select<{ twice: number; all_rows: number; kept_rows: number }>(
      `SELECT toUInt32(count()) AS all_rows, toUInt32((SELECT count() FROM test_httpget FINAL)) AS kept_rows,
              all_rows - toUInt32(uniqExact(agent_key, dtime, target, sequence, threads, ip_version)) AS twice
       FROM test_httpget`,
    );
    expect(sent?.twice).to.be.within(500, 1200);
    expect(sent?.kept_rows).to.equal(sent!.all_rows - sent!.twice);

    const [wrong] = await select<{ pairs: number; changed: number }>(
      `SELECT toUInt32(count()) AS pairs, toUInt32(countIf(first != kept)) AS changed
       FROM
       (
           SELECT agent_key, dtime, threads, ip_version, sequence, argMin(bytes_sec, received_at) AS first
           FROM test_httpget GROUP BY ALL HAVING count() > 1
       ) AS sent
       INNER JOIN
       (
           SELECT agent_key, dtime, threads, ip_version, sequence, bytes_sec AS kept FROM test_httpget FINAL
       ) AS stored USING (agent_key, dtime, threads, ip_version, sequence)`,
    );
    expect(wrong).to.deep.equal({ pairs: sent!.twice, changed: 0 });
  });

  const impossible: Readonly<Record<string, string>> = {
    httpget: 'successes = 1 AND (bytes_sec <= 0 OR bytes_sec >= 1e12)',
    httppost: 'successes = 1 AND (bytes_sec <= 0 OR bytes_sec >= 1e12)',
    mobile_download: 'successes = 1 AND (bytes_sec <= 0 OR bytes_sec >= 1e12)',
    latency: 'successes > 0 AND (rtt_min < 50 OR rtt_std > 300000 OR successes < 50)',
    dns: 'successes = 1 AND (rtt = 0 OR rtt > 30000000)',
    webget: 'successes = 1 AND (fetch_time < 50000 OR fetch_time > 30000000)',
    udpcloss: 'duration = 0',
    network_usage: 'wan_rx_bytes < 0 OR wan_rx_bytes > 1e11 OR wan_rx_bytes < sk_rx_bytes',
  };
  for (const [key, condition] of Object.entries(impossible)) {
    it(`has a few impossible ${key} results`, async () => {
      const [row] = await select<{ part: number }>(
        `SELECT countIf(${condition}) / count() AS part FROM test_${key}`,
      );
      expect(row?.part).to.be.within(0.001, 0.006);
    });
  }

  it('has results of every agent in every hour of the day, equally often', async () => {
    for (const test of ['httpget', 'httppost', 'latency', 'dns', 'jitter']) {
      const agents = await select<{ agent_id: string; hours: number; largest: number }>(
        `SELECT agent_id, toUInt32(count()) AS hours, max(share) AS largest
         FROM
         (
             SELECT agent_id, toHour(dtime) AS hour, uniqExact(dtime) / sum(uniqExact(dtime)) OVER (PARTITION BY agent_id) AS share
             FROM test_${test}
             WHERE dtime >= '2026-10-18' AND dtime < '2026-11-15'
               AND match(agent_id, '^(wb|cpe)-')
             GROUP BY agent_id, hour
         )
         GROUP BY agent_id`,
      );
      expect(agents, test).to.have.length.of.at.least(100);
      // A share of a 24th: otherwise lines by hour of the day show who tests, not how well.
      expect(agents.filter(({ hours, largest }) => hours < 24 || largest * 24 > 1.6)).to.be.empty;
    }
  });

  it('is slower in the local evening than in the local morning', async () => {
    const agents = await database('agent_metadata as m')
      .join('agents as a', 'a.id', 'm.agent_key')
      .join('packages as p', 'p.id', 'm.package_id')
      .where({ 'p.name': 'Cable 300' })
      .whereNull('m.superseded_at')
      .select<{ agent_id: string; timezone: string }[]>('a.agent_id', 'm.timezone');
    expect(new Set(agents.map(({ timezone }) => timezone)).size).to.be.at.least(2);
    const [row] = await select<{ morning: number; evening: number }>(
      `WITH transform(agent_id, {agents:Array(String)}, {zones:Array(String)}, '') AS zone,
            toDateTime(dtime) AS ended_at, ${utcOffset('cityHash64(zone)')} AS clock,
            toHour(${localTime}) AS hour
       SELECT medianExactIf(bytes_sec, hour BETWEEN 6 AND 10) AS morning,
              medianExactIf(bytes_sec, hour BETWEEN 19 AND 22) AS evening
       FROM test_httpget FINAL
       WHERE agent_id IN {agents:Array(String)} AND threads = 8 AND successes = 1`,
      { agents: agents.map((a) => a.agent_id), zones: agents.map((a) => a.timezone) },
    );
    expect(row!.evening / row!.morning).to.be.within(0.5, 0.8);
  });

  it('has the new speed of a household from its package change on', async () => {
    const [row] = await select<{ before: number; after: number }>(
      `WITH toDateTime64('2026-10-16 00:00:00', 3, 'UTC') AS changed_at
       SELECT medianExactIf(bytes_sec, dtime < changed_at) * 8 / 1e6 AS before,
              medianExactIf(bytes_sec, dtime >= changed_at) * 8 / 1e6 AS after
       FROM test_httpget WHERE agent_id = {agent:String} AND threads = 8 AND successes = 1`,
      { agent: await agentId(changesPackage) },
    );
    expect(row?.before).to.be.within(60, 105);
    expect(row?.after).to.be.within(600, 1050);
  });

  it('keeps the record from before a backdated change', async () => {
    const rows = await database('agent_metadata as m')
      .join('agents as a', 'a.id', 'm.agent_key')
      .join('packages as p', 'p.id', 'm.package_id')
      .where({ 'a.agent_id': await agentId(changeIsBackdated) })
      .orderBy('m.id')
      .select(
        'p.name as package',
        database.raw("to_char(lower(valid) at time zone 'UTC', 'YYYY-MM-DD') as from_day"),
        database.raw("to_char(m.recorded_at at time zone 'UTC', 'YYYY-MM-DD') as recorded_day"),
        database.raw('superseded_at is not null as superseded'),
      );
    expect(rows).to.deep.equal([
      {
        package: 'Fibre 100',
        from_day: '2026-06-18',
        recorded_day: '2026-06-18',
        superseded: true,
      },
      {
        package: 'Fibre 100',
        from_day: '2026-06-18',
        recorded_day: '2026-10-31',
        superseded: false,
      },
      {
        package: 'Fibre 500',
        from_day: '2026-10-19',
        recorded_day: '2026-10-31',
        superseded: false,
      },
    ]);
  });

  it('makes lines by hour of the day that follow the load', async () => {
    const request = { metric: 'httpget', aggregation: 'hour_of_day', splits: ['isp'], time };
    const { data } = await reportOf(request);
    const all = data.flatMap(({ metricData }) => metricData);
    const isps = [...new Set(all.map(({ isp }) => isp))];
    expect(isps).to.have.length(7);
    for (const isp of isps) {
      const speeds = all
        .filter((point) => point.isp === isp)
        .toSorted((a, b) => a.aggregatedNumber - b.aggregatedNumber)
        .map(({ metricValue }) => metricValue);
      expect(speeds, String(isp)).to.have.length(24);
      // Even hours have the same households as odd ones: the lines are not saw-teeth.
      const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
      const even = sum(speeds.filter((_, hour) => hour % 2 === 0));
      expect((2 * even) / sum(speeds), String(isp)).to.be.within(0.98, 1.02);
      if (isp !== null) expect(speeds[21]! / speeds[4]!, isp).to.be.below(0.95);
    }
  });

  it('has what the methods of regulators need: advertised speeds and weights', async () => {
    for (const method of ['fcc-2018', 'accc', 'ofcom-2021']) {
      for (const metric of ['httpget', 'httppost']) {
        const { data } = await reportOf({ metric, method, aggregation: 'total', time });
        const [total] = data[0]!.metricData;
        expect(total!.agentCount, `${method} ${metric}`).to.be.above(100);
        if (method !== 'ofcom-2021') expect(total!.metricValue).to.be.within(50, 95);
      }
    }
    // A household that changed its package is compared with the speeds of both.
    const relativeTo = 'custom.advertised_download_mbps';
    const filters = [
      { id: 'agent', filterType: 'include', filterValues: [await agentId(changesPackage)] },
    ];
    const changed = { metric: 'httpget', aggregation: 'total', relativeTo, filters };
    for (const days of [
      { from: '2026-10-01', to: '2026-10-14' },
      { from: '2026-10-18', to: '2026-11-14' },
    ]) {
      const { data } = await reportOf({ ...changed, time: days });
      expect(data[0]!.metricData[0]!.metricValue).to.be.within(50, 100);
    }
    const text = await netpanelOk(
      stack,
      'query',
      'httpget',
      '--method',
      'fcc-2018',
      '--from',
      time.from,
      '--to',
      time.to,
    );
    expect(text).to.match(/\d/);
  });

  it('has custom fields, one of which shadows a standard field, and households without metadata', async () => {
    const count = async (condition: string) => {
      const query = database('agents as a')
        .leftJoin('agent_metadata as m', 'm.agent_key', 'a.id')
        .whereRaw(condition);
      return (await query).length;
    };
    expect(await count("jsonb_typeof(custom->'floor') = 'number'")).to.be.above(100);
    expect(await count("custom->>'tier' = 'gold'")).to.be.above(20);
    expect(await count("custom->>'country' is not null")).to.equal(2);
    expect(await count('m.id is null')).to.equal(4);
    expect(await count('m.isp_id is not null and m.package_id is null')).to.equal(1);
  });

  /** Of the stack's panel. */
  async function reportOf(request: object): Promise<Report> {
    const api = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN ?? '');
    const { status, body } = await api.post('/metric_data', {
      chartType: 'aggregate',
      normalised: false,
      prefilter: true,
      ...request,
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as unknown as Report;
  }

  async function select<T>(query: string, params: Record<string, unknown> = {}): Promise<T[]> {
    const result = await clickhouse.query({ query, query_params: params, format: 'JSONEachRow' });
    return result.json<T>();
  }

  async function agentId(label: string): Promise<string> {
    const [id] = await database('agents as a')
      .join('organisations as o', 'o.id', 'a.organisation_id')
      .where('o.name', 'demo')
      .whereLike('a.agent_id', `${label}-%`)
      .pluck<string[]>('a.agent_id');
    return id!;
  }

  /** The row count of every table that the seeding writes. */
  async function rowCounts(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    const tables = ['organisations', 'isps', 'packages', 'agents', 'agent_metadata'];
    for (const table of [...tables, 'metadata_changes', 'snapshot_outbox']) {
      counts[table] = (await database(table)).length;
    }
    for (const { key } of sampleTests) counts[key] = (await digest(clickhouse, key)).row_count;
    return counts;
  }
});

async function sampleOrganisations(database: Database): Promise<number[]> {
  const rows = await database('organisations')
    .whereIn('name', ['demo', 'other'])
    .select<{ id: number }[]>('id');
  return rows.map(({ id }) => id);
}
