import { DuckDBInstance } from '@duckdb/node-api';
import type { LocalStack } from '../../test/support/local-stack.ts';
import { type BenchPanel, rangeOf } from '../panel/bench-panel.ts';
import type { DailyByIsp, Peer } from './daily-by-isp.ts';

interface Period {
  readonly agent_key: string;
  readonly valid_from: string;
  readonly isp: string;
  readonly timezone: string;
}

/** DuckDB in this process, with the same rows and the history as a table for an as-of join. */
export async function duckDbPeer(
  { database }: LocalStack,
  panel: BenchPanel,
  csvPath: string,
): Promise<Peer> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const { organisationId } = panel.tenant;
  // Time zones are an extension of DuckDB that needs a download, so the offsets are precomputed.
  const offsets = await database.raw<{ rows: Period[] }>(
    `select m.agent_key::text, to_char(f at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as valid_from, i.name as isp,
            extract(epoch from (f at time zone m.timezone) - (f at time zone 'UTC'))::int::text as timezone
     from agent_metadata m join isps i on i.id = m.isp_id
     cross join lateral (
       select lower(m.valid) as f
       union
       select h from generate_series(timestamptz '2026-01-01', '2027-01-01', '1 hour') h
       where m.valid @> h and (h at time zone m.timezone) - (h - interval '1 hour') at time zone m.timezone
         <> interval '1 hour') as changes
     where m.organisation_id = ?`,
    [organisationId],
  );
  await connection.run(
    'create table history (agent_key ubigint, valid_from timestamp, isp varchar, utc_offset integer)',
  );
  for (let start = 0; start < offsets.rows.length; start += 500) {
    const rows = offsets.rows
      .slice(start, start + 500)
      .map((row) => `(${row.agent_key}, '${row.valid_from}', '${row.isp}', ${row.timezone})`);
    await connection.run(`insert into history values ${rows.join(', ')}`);
  }
  await connection.run(`create table results as select * from read_csv('${csvPath}',
    columns = {'agent_key': 'ubigint', 'dtime': 'timestamp', 'bytes_sec': 'bigint'}, header = true)`);
  const sql = queryText(panel);
  return {
    name: 'DuckDB',
    queryText: sql,
    run: async () => {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjects().map(toRow);
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
      return Promise.resolve();
    },
  };
}

function queryText(panel: BenchPanel): string {
  const { from, to } = rangeOf(panel, panel.rows);
  return `with placed as (
  select h.isp, r.agent_key, r.bytes_sec * 8 / 1e6 as mbps,
         date_trunc('second', r.dtime) + to_seconds(h.utc_offset) as local_time
  from results r
  asof join history h on h.agent_key = r.agent_key and date_trunc('second', r.dtime) >= h.valid_from
)
select isp, strftime(local_time, '%Y-%m-%d') as day, avg(mbps) as mean,
       stddev_pop(mbps) as sd, min(mbps) as lowest, max(mbps) as highest,
       count(*) as samples, count(distinct agent_key) as agents,
       quantile_cont(mbps, 0.5) as median, quantile_cont(mbps, 0.95) as p95,
       quantile_cont(mbps, [0.01, 0.05, 0.1, 0.2, 0.25, 0.75, 0.8, 0.9, 0.99]) as others
from placed where local_time between '${from}' and '${to}' group by all`;
}

function toRow(row: Readonly<Record<string, unknown>>): DailyByIsp {
  return {
    isp: String(row.isp),
    day: String(row.day),
    mean: Number(row.mean),
    samples: Number(row.samples),
    agents: Number(row.agents),
    median: Number(row.median),
    p95: Number(row.p95),
  };
}
