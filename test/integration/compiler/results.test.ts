import { expect } from 'chai';
import { metrics } from '../../../services/catalog/metrics.ts';
import { testTables } from '../../../services/catalog/test-tables.ts';
import { openPanel, type Changes, type Panel, type Row } from './open-panel.ts';

const january = { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' };

describe('results:', () => {
  let panel: Panel;
  before(async () => {
    panel = await openPanel();
  });
  after(() => panel.close());

  const values = async (org: number, changes: Changes = {}) =>
    (await panel.query(org, { chartType: 'raw', time: january, ...changes })).map(
      ({ metricValue }) => metricValue,
    );

  it('the result of a download in several rows is its last row', async () => {
    const at = '2012-01-05 00:00:00';
    await panel.results('httpget', [
      download(2, at, 10, { sequence: 0 }),
      download(2, at, 20, { sequence: 1 }),
      download(2, at, 30, { sequence: 2 }),
      download(2, at, 40, { sequence: 0, threads: 1 }),
      download(2, '2012-01-06 00:00:00', 50),
    ]);
    const time = { from: '2012-01-01 00:00', to: '2012-01-31 00:00' };
    expect(await values(2, { time })).to.deep.equal([30, 40, 50]);
  });

  it('a route is one result, with the number of hops of its last row', async () => {
    const hop = (dtime: string, n: number, address: string, more: Row = {}): Row => ({
      org: 3,
      agent: 1,
      dtime,
      target: 't',
      protocol: 'ICMP',
      hop: n,
      hop_address: address,
      ...more,
    });
    await panel.results('traceroute', [
      hop('2026-01-05 00:00:00', 1, 'a'),
      hop('2026-01-05 00:00:00', 2, 'b'),
      hop('2026-01-05 00:00:00', 2, 'c'),
      hop('2026-01-06 00:00:00', 7, 'd'),
      hop('2026-01-07 00:00:00', 30, '', { successes: 0, failures: 1 }),
    ]);
    expect(await values(3, { metric: 'tracerouteHops' })).to.deep.equal([2, 7]);
  });

  it('a failed download has no speed, and the prefilter removes impossible speeds', async () => {
    await panel.results('httpget', [
      download(4, '2026-01-05 00:00:00', 10),
      download(4, '2026-01-05 01:00:00', 0, { successes: 0, failures: 1 }),
      download(4, '2026-01-05 02:00:00', -5),
      download(4, '2026-01-05 03:00:00', 200_000),
    ]);
    expect(await values(4)).to.deep.equal([10, -5, 200_000]);
    expect(await values(4, { prefilter: true })).to.deep.equal([10]);
  });

  it('retransmissions exist only if the device counts them', async () => {
    await panel.results('httpget', [
      download(5, '2026-01-05 00:00:00', 10, { tcp_retransmissions: 0 }),
      download(5, '2026-01-05 01:00:00', 10, { tcp_retransmissions: null }),
    ]);
    expect(await values(5, { metric: 'httpget_retrans' })).to.deep.equal([0]);
  });

  it('usage can be negative after a counter overflow, unless prefiltered', async () => {
    const usage = (dtime: string, wan: number, own: number): Row => ({
      org: 6,
      agent: 1,
      dtime,
      wan_rx_bytes: wan,
      sk_rx_bytes: own,
    });
    const rows = [usage('2026-01-05 00:00:00', 5e6, 2e6), usage('2026-01-05 01:00:00', 1e6, 2e6)];
    await panel.results('network_usage', rows.map(withoutSuccess));
    expect(await values(6, { metric: 'networkUsageDown' })).to.deep.equal([3, -1]);
    expect(await values(6, { metric: 'networkUsageDown', prefilter: true })).to.deep.equal([3]);
  });

  it('latency excludes tests under load', async () => {
    const ping = (dtime: string, more: Row): Row => ({
      org: 7,
      agent: 1,
      dtime,
      target: 't',
      rtt_avg: 20_000,
      rtt_min: 10_000,
      rtt_max: 30_000,
      ...more,
    });
    await panel.results('ping', [
      ping('2026-01-05 00:00:00', {}),
      ping('2026-01-05 01:00:00', { line_load: 'download', rtt_avg: 90_000 }),
    ]);
    expect(await values(7, { metric: 'pingAvg' })).to.deep.equal([20]);
    expect(await values(7, { metric: 'pingDownload' })).to.deep.equal([90]);
  });

  it('every metric compiles to valid SQL, with its prefilter', async () => {
    for (const { key, stored } of metrics) {
      // Published cells are of no agents.
      const agents = stored === undefined ? { agent_agg: true } : {};
      const request = { metric: key, time: january, prefilter: true, ...agents };
      expect(await panel.query(999, request), key).to.deep.equal([]);
    }
  });

  it('every test returns its rows with the common columns first', async () => {
    const date = { from: '2012-01', to: '2012-01' };
    const rows = await panel.queryTest(2, { test: 'httpget', date });
    expect(rows).to.have.length(5);
    expect(Object.entries(rows[0]!).slice(0, 5)).to.deep.equal([
      ['base', ''],
      ['ddate', '2012-01-05'],
      ['dtime', '2012-01-05 00:00:00.000'],
      ['agent_id', 'agent-1'],
      ['unit_id', 1],
    ]);
    expect(rows[0]).to.not.have.any.keys('organisation_id', 'agent_key', 'received_at');
    for (const test of Object.keys(testTables)) {
      expect(await panel.queryTest(999, { test, date }), test).to.deep.equal([]);
    }
  });
});

function download(org: number, dtime: string, mbps: number, more: Row = {}): Row {
  return { org, agent: 1, dtime, target: 't', bytes_sec: mbps * 125_000, threads: 8, ...more };
}

function withoutSuccess(row: Row): Row {
  return { ...row, successes: undefined, failures: undefined };
}
