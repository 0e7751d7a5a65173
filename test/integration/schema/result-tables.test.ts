import { expect } from 'chai';
import { localClickHouse } from '../../../deploy/local/local-clickhouse.ts';
import { testNames } from '../../reference/panel.ts';
import { openSchema, type Schema } from './open-schema.ts';

const commonColumns = [
  { name: 'organisation_id', type: 'UInt32' },
  { name: 'agent_key', type: 'UInt64' },
  { name: 'base', type: 'LowCardinality(String)' },
  { name: 'ddate', type: 'Date' },
  { name: 'dtime', type: "DateTime64(3, 'UTC')" },
  { name: 'agent_id', type: 'String' },
  { name: 'unit_id', type: 'Nullable(UInt64)' },
];
// The headers of the public releases. Every one also has unit_id, dtime and ddate.
const publicHeaders = {
  httpget:
    'target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time warmup_bytes sequence threads successes failures',
  ping: 'target rtt_avg rtt_min rtt_max rtt_std successes failures',
  latency: 'target rtt_avg rtt_min rtt_max rtt_std successes failures',
  jitter:
    'target packet_size stream_rate duration packets_up_sent packets_down_sent packets_up_recv packets_down_recv jitter_up jitter_down latency successes failures',
  dns: 'nameserver lookup_host response_ip rtt successes failures',
  webget:
    'target address fetch_time bytes_total bytes_sec objects threads requests connections reused_connections lookups request_total_time request_min_time request_avg_time request_max_time ttfb_total ttfb_min ttfb_avg ttfb_max lookup_total_time lookup_min_time lookup_avg_time lookup_max_time successes failures',
  traceroute:
    'target address protocol hop hop_address hop_name sent received rtt_avg successes failures',
  youtube:
    'target downthrpt downjitter latency jitter buffer_underruns buffer_delay buffer_filltime duration bitrate buffer_size successes failures',
  udpcloss: 'duration target address packets',
  network_usage: 'wan_rx_bytes wan_tx_bytes sk_rx_bytes sk_tx_bytes',
};
const metadataColumns = ['isp', 'package', 'country', 'kind', 'custom', 'timezone'];
const clockColumns = ['utc_offset_s', 'local_time', 'local_date', 'local_hour'];
/** The query service groups by them. */
const hashColumns = ['custom_hash', 'plan_hash'];

describe('result tables', () => {
  let schema: Schema;
  before(async () => (schema = await openSchema()));
  after(() => schema.close());

  for (const key of testNames) {
    it(`${key} has a table and a view that start with the common columns`, async () => {
      const table = await columnsOf(`test_${key}`);
      const view = await columnsOf(`results_${key}`);

      expect(table.slice(0, commonColumns.length)).to.deep.equal(commonColumns);
      expect(table.slice(-3).map(({ name }) => name)).to.deep.equal([
        'received_at',
        'corrected_at',
        'first_received',
      ]);
      // The columns of the test, then the household's metadata at the time of the result.
      expect(view.map(({ name }) => name)).to.deep.equal([
        ...table.slice(0, -3).map(({ name }) => name),
        ...metadataColumns,
        ...clockColumns,
        ...hashColumns,
      ]);
      expect(await schema.rows(`SELECT * FROM results_${key}`)).to.deep.equal([]);
    });
  }

  it('a download row has the columns of the contract, in its order', async () => {
    const own = (await columnsOf('test_httpget')).slice(commonColumns.length, -3);
    expect(own.map(({ name }) => name).join(' ')).to.equal(
      'target address fetch_time bytes_total bytes_sec bytes_sec_interval warmup_time warmup_bytes ' +
        'sequence threads tcp_retransmissions successes failures ip_version target_group',
    );
  });

  for (const [key, header] of Object.entries(publicHeaders)) {
    it(`${key} has every column of the public data`, async () => {
      const columns = (await columnsOf(`test_${key}`)).map(({ name }) => name);
      expect(columns).to.include.members(header.split(' '));
    });
  }

  it('of a result sent twice, only the first received counts', async () => {
    const row = { organisation_id: 1, agent_key: 1, dtime: '2026-01-01 10:00:00.000', target: 'a' };
    await schema.insert('test_httpget', [{ ...row, bytes_sec: 100 }]);
    await schema.insert('test_httpget', [
      { ...row, bytes_sec: 200 },
      { ...row, bytes_sec: 300, target: 'b' },
    ]);
    const expected = [
      { target: 'a', bytes_sec: 100 },
      { target: 'b', bytes_sec: 300 },
    ];
    const query =
      'SELECT target, bytes_sec FROM results_httpget WHERE agent_key = 1 ORDER BY target';
    expect(await schema.rows(query)).to.deep.equal(expected);
    // On a cluster the shard table has the rows.
    const stored = localClickHouse('').clickhouseCluster === '' ? '' : '_shard';
    await schema.command(`OPTIMIZE TABLE test_httpget${stored} FINAL`);
    expect(await schema.rows(query)).to.deep.equal(expected);
  });

  it('a result that is inserted later but was received earlier replaces the first', async () => {
    const row = { organisation_id: 1, agent_key: 2, dtime: '2026-01-01 10:00:00.000', target: 'a' };
    await schema.insert('test_ping', [
      { ...row, rtt_avg: 2, received_at: '2026-01-01 10:00:06.000001' },
    ]);
    await schema.insert('test_ping', [
      { ...row, rtt_avg: 1, received_at: '2026-01-01 10:00:06.000000' },
    ]);
    expect(await schema.rows('SELECT rtt_avg FROM results_ping WHERE agent_key = 2')).to.deep.equal(
      [{ rtt_avg: 1 }],
    );
  });

  it('of duplicates in one insert, the first counts', async () => {
    const row = { organisation_id: 1, agent_key: 3, dtime: '2026-01-01 10:00:00.000', target: 'a' };
    await schema.insert(
      'test_ping',
      [1, 2, 3].map((rtt_avg) => ({ ...row, rtt_avg })),
    );
    expect(await schema.rows('SELECT rtt_avg FROM results_ping WHERE agent_key = 3')).to.deep.equal(
      [{ rtt_avg: 1 }],
    );
  });

  it('all rows of a test with different natural keys are kept, and form one result', async () => {
    const row = { organisation_id: 1, agent_key: 4, dtime: '2026-01-01 10:00:00.000', target: 'a' };
    await schema.insert('test_traceroute', [
      { ...row, protocol: 'ICMP', hop: 1, hop_address: '192.0.2.1' },
      { ...row, protocol: 'ICMP', hop: 2, hop_address: '192.0.2.2' },
      { ...row, protocol: 'ICMP', hop: 2, hop_address: '192.0.2.3' },
      { ...row, protocol: 'UDP', hop: 1, hop_address: '192.0.2.1' },
    ]);
    const rows = 'SELECT count() AS n FROM test_traceroute FINAL WHERE agent_key = 4';
    expect(await schema.rows(rows)).to.deep.equal([{ n: 4 }]);
    // Two routes, each with its last row.
    const results = `SELECT protocol, hop, hop_address FROM results_traceroute
      WHERE agent_key = 4 ORDER BY protocol`;
    expect(await schema.rows(results)).to.deep.equal([
      { protocol: 'ICMP', hop: 2, hop_address: '192.0.2.3' },
      { protocol: 'UDP', hop: 1, hop_address: '192.0.2.1' },
    ]);
  });

  it('a query for one day does not read the rest of the month', async () => {
    await schema.command(`
      INSERT INTO test_dns (organisation_id, agent_key, dtime, nameserver, lookup_host)
      SELECT 1, number % 1000, toDateTime64('2026-03-01', 3, 'UTC') + intDiv(number, 1000) * 7200, 'n', 'h'
      FROM numbers(300000)`);
    const rowsToRead = async (from: string, to: string): Promise<number> => {
      const [estimate] = await schema.rows<{ rows: number }>(`
        EXPLAIN ESTIMATE SELECT count() FROM results_dns
        WHERE organisation_id = 1 AND dtime >= '${from}' AND dtime < '${to}'`);
      return estimate!.rows;
    };
    expect(await rowsToRead('2026-03-01', '2026-04-01')).to.equal(300_000);
    // A day has 12,000 rows in granules of 8,192, some shared with other days: three granules, four in
    // ClickHouse 25.8.
    expect(await rowsToRead('2026-03-10', '2026-03-11')).to.be.at.most(4 * 8192);
  });

  async function columnsOf(table: string): Promise<{ name: string; type: string }[]> {
    return schema.rows(`
      SELECT name, type FROM system.columns
      WHERE database = currentDatabase() AND table = '${table}' ORDER BY position`);
  }
});
