import type { Knex } from 'knex';

// The figures of the FCC's report in plain SQL, in stages as in the SQL that the FCC publishes with each
// release: all tests of a unit, its bounds, its value in peak hours, the cell. They run in Postgres over copies
// of the stored rows, and share nothing with the compiler and the reference: not the engine, not the time zone
// data, not the lookup of metadata.

/** A stored row of a test. */
export interface StoredTest {
  readonly agent_key: number;
  readonly dtime: string;
  readonly bytes_sec?: number;
  readonly rtt_avg?: number;
  readonly successes: number;
  readonly failures: number;
}

export interface FccCell {
  readonly isp: string;
  readonly units: number;
  readonly mean: number;
  /** 80/80, of downloads and round trips. */
  readonly consistent?: number;
}

/** Percent of the advertised speed in peak hours, by ISP; only cells of at least 25 units. */
export async function fccDownload(
  transaction: Knex.Transaction,
  organisationId: number,
  stored: readonly StoredTest[],
): Promise<readonly FccCell[]> {
  await createTests(transaction, organisationId, stored);
  const { rows } = await transaction
    .raw<{ rows: FccCell[] }>(
      `
    create temp table unit_bounds on commit drop as
      select agent_key,
             percentile_cont(0.01) within group (order by bytes_sec * 8 / 1e6) as p1,
             percentile_cont(0.99) within group (order by bytes_sec * 8 / 1e6) as p99
      from kept_tests where successes > 0 group by agent_key;

    create temp table unit_peak on commit drop as
      select isp, agent_key,
             avg(bytes_sec * 8 / 1e6) as mbps,
             percentile_cont(0.2) within group (order by bytes_sec * 8 / 1e6) as p20,
             max(advertised) as advertised
      from kept_tests join unit_bounds using (agent_key)
      where successes > 0 and ${isPeak} and bytes_sec * 8 / 1e6 between p1 and p99
      group by isp, agent_key;

    select isp, count(*)::int as units,
           avg(100 * mbps / advertised) as mean,
           percentile_cont(0.2) within group (order by 100 * p20 / advertised) as consistent
    from unit_peak group by isp having count(*) >= 25 order by isp`,
    )
    .then(lastResult);
  return rows;
}

/** Round trip in peak hours, by ISP; only cells of at least 25 units. Higher ones are worse, so 80/80 is the high end. */
export async function fccLatency(
  transaction: Knex.Transaction,
  organisationId: number,
  stored: readonly StoredTest[],
): Promise<readonly FccCell[]> {
  await createTests(transaction, organisationId, stored);
  const { rows } = await transaction
    .raw<{ rows: FccCell[] }>(
      `
    create temp table unit_bounds on commit drop as
      select agent_key, percentile_cont(0.99) within group (order by rtt_avg / 1e3) as p99
      from kept_tests where successes > 0 group by agent_key;

    create temp table unit_peak on commit drop as
      select isp, agent_key,
             avg(rtt_avg / 1e3) as ms,
             percentile_cont(0.8) within group (order by rtt_avg / 1e3) as p80
      from kept_tests join unit_bounds using (agent_key)
      where successes > 0 and ${isPeak} and rtt_avg / 1e3 <= p99
      group by isp, agent_key;

    select isp, count(*)::int as units,
           avg(ms) as mean,
           percentile_cont(0.8) within group (order by p80) as consistent
    from unit_peak group by isp having count(*) >= 25 order by isp`,
    )
    .then(lastResult);
  return rows;
}

/** Percent of packets lost in peak hours, by ISP; only cells of at least 25 units. */
export async function fccLoss(
  transaction: Knex.Transaction,
  organisationId: number,
  stored: readonly StoredTest[],
): Promise<readonly FccCell[]> {
  await createTests(transaction, organisationId, stored);
  const { rows } = await transaction
    .raw<{ rows: FccCell[] }>(
      `
    create temp table unit_loss on commit drop as
      select isp, agent_key, 100 * sum(failures) / sum(successes + failures) as loss
      from kept_tests where ${isPeak} group by isp, agent_key;

    select isp, count(*)::int as units, avg(loss) as mean
    from unit_loss group by isp having count(*) >= 25 order by isp`,
    )
    .then(lastResult);
  return rows;
}

const isPeak =
  'extract(isodow from local_time) between 1 and 5 and extract(hour from local_time) between 19 and 22';

/** Each test with the ISP, package and local time of that moment, of the longer stay of its unit. */
async function createTests(
  transaction: Knex.Transaction,
  organisationId: number,
  stored: readonly StoredTest[],
): Promise<void> {
  await transaction.raw(
    `create temp table stored_tests on commit drop as
       select * from json_to_recordset(?) as stored
         (agent_key bigint, dtime timestamptz, bytes_sec float8, rtt_avg float8, successes float8,
          failures float8)`,
    [JSON.stringify(stored)],
  );
  await transaction.raw(
    `create temp table described_tests on commit drop as
       select t.*, i.name as isp, m.package_id, t.dtime at time zone m.timezone as local_time,
              (m.custom ->> 'advertised_download_mbps')::float8 as advertised
       from stored_tests t
         join agent_metadata m on m.organisation_id = ? and m.agent_key = t.agent_key
           and m.valid @> t.dtime and m.superseded_at is null
         join isps i on i.id = m.isp_id`,
    [organisationId],
  );
  await transaction.raw(`
    create temp table unit_stays on commit drop as
      select agent_key, isp, package_id, count(distinct local_time::date) as days
      from described_tests group by agent_key, isp, package_id;

    create temp table kept_tests on commit drop as
      select t.* from described_tests t
      where (agent_key, isp, package_id) in (
        select distinct on (agent_key) agent_key, isp, package_id
        from unit_stays order by agent_key, days desc)`);
}

/** Several statements in one call return one result each. */
function lastResult<T>(results: T | readonly T[]): T {
  const last = Array.isArray(results) ? (results.at(-1) as T | undefined) : (results as T);
  if (last === undefined) throw new Error('the statement returned nothing');
  return last;
}
