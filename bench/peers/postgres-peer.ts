import type { LocalStack } from '../../test/support/local-stack.ts';
import { type BenchPanel, rangeOf } from '../panel/bench-panel.ts';
import type { DailyByIsp, Peer } from './daily-by-isp.ts';

/** The Postgres of the stack: the stored history, and the results in a table with an index. */
export async function postgresPeer(
  { database }: LocalStack,
  panel: BenchPanel,
  csvPath: string,
): Promise<Peer> {
  await database.raw(`create unlogged table bench_httpget
    (agent_key bigint not null, dtime timestamptz not null, bytes_sec bigint not null)`);
  await database.raw(`copy bench_httpget from '${csvPath}' with (format csv, header)`);
  await database.raw('create index on bench_httpget (dtime, agent_key) include (bytes_sec)');
  await database.raw('vacuum analyze bench_httpget');
  const sql = queryText(panel);
  return {
    name: 'Postgres',
    queryText: sql,
    run: async () => (await database.raw<{ rows: DailyByIsp[] }>(sql)).rows,
    close: async () => {
      await database.raw('drop table bench_httpget');
    },
  };
}

function queryText(panel: BenchPanel): string {
  const { from, to } = rangeOf(panel, panel.rows);
  return `with placed as (
  select i.name as isp, r.agent_key, r.bytes_sec * 8 / 1e6 as mbps,
         date_trunc('second', r.dtime) at time zone m.timezone as local_time
  from bench_httpget r
  join agent_metadata m on m.agent_key = r.agent_key and m.valid @> date_trunc('second', r.dtime)
  join isps i on i.id = m.isp_id
  where m.organisation_id = ${panel.tenant.organisationId}
    and r.dtime >= timestamp '${from}' at time zone 'UTC' - interval '14 hours'
    and r.dtime <= timestamp '${to}' at time zone 'UTC' + interval '14 hours'
), local as (
  select * from placed where local_time between '${from}' and '${to}'
)
select isp, to_char(local_time, 'YYYY-MM-DD') as day, avg(mbps)::float8 as mean,
       stddev_pop(mbps)::float8 as sd, min(mbps)::float8 as lowest, max(mbps)::float8 as highest,
       count(*)::int as samples, count(distinct agent_key)::int as agents,
       (percentile_cont(0.5) within group (order by mbps::float8)) as median,
       (percentile_cont(0.95) within group (order by mbps::float8)) as p95,
       percentile_cont(array[0.01, 0.05, 0.1, 0.2, 0.25, 0.75, 0.8, 0.9, 0.99])
         within group (order by mbps::float8) as others
from local group by 1, 2`;
}
