import { expect } from 'chai';
import { openSchema, type Schema } from './open-schema.ts';

const dtime = '2012-03-04 05:06:07.000';

describe('the last rows of tests with several rows', () => {
  let schema: Schema;
  before(async () => (schema = await openSchema()));
  after(() => schema.close());

  const sequences = [0, 1, 2];
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];

  for (const test of ['httpget', 'httppost']) {
    it(`are the highest sequences of ${test}, sent in one insert`, async () => {
      const rows = orders.flatMap((order, i) =>
        order.map((sequence) => ({ ...row(10 + i), sequence, bytes_total: 100 * sequence })),
      );
      await schema.insert(`test_${test}`, rows);
      const expected = orders.map((_, i) => ({ agent_key: 10 + i, sequence: 2, bytes_total: 200 }));
      expect(await lastRows(test, 'sequence, bytes_total', 10, 19)).to.deep.equal(expected);
    });

    it(`are the highest sequences of ${test}, sent in several inserts in any order`, async () => {
      for (const position of sequences) {
        const rows = orders.map((order, i) => {
          const sequence = order[position]!;
          return { ...row(20 + i), sequence, bytes_total: 100 * sequence };
        });
        await schema.insert(`test_${test}`, rows);
      }
      const expected = orders.map((_, i) => ({ agent_key: 20 + i, sequence: 2, bytes_total: 200 }));
      expect(await lastRows(test, 'sequence, bytes_total', 20, 29)).to.deep.equal(expected);
    });

    it(`are the first received copies of ${test}`, async () => {
      const copies = (agent: number, from: number) =>
        sequences.map((sequence) => ({ ...row(agent), sequence, bytes_total: from + sequence }));
      // Duplicates in one insert, and in two.
      await schema.insert(`test_${test}`, [...copies(30, 100), ...copies(30, 200)]);
      await schema.insert(`test_${test}`, copies(31, 100).toReversed());
      await schema.insert(`test_${test}`, copies(31, 200));
      // A duplicate that is inserted later but was received earlier.
      await schema.insert(`test_${test}`, copies(32, 200));
      const earlier = copies(32, 100).map((copy) => ({
        ...copy,
        received_at: '2012-03-04 06:00:00.000000',
      }));
      await schema.insert(`test_${test}`, earlier);
      const expected = [30, 31, 32].map((agent_key) => ({ agent_key, bytes_total: 102 }));
      expect(await lastRows(test, 'bytes_total', 30, 39)).to.deep.equal(expected);
    });

    it(`of ${test} are separate by target, threads and IP version`, async () => {
      const variants = [{}, { target: 'b' }, { threads: 8 }, { ip_version: 6 }];
      const rows = variants.flatMap((variant) =>
        sequences.map((sequence) => ({ ...row(40), ...variant, sequence })),
      );
      await schema.insert(`test_${test}`, rows);
      expect(await lastRows(test, 'sequence', 40, 40)).to.deep.equal(
        variants.map(() => ({ agent_key: 40, sequence: 2 })),
      );
    });
  }

  it('are the last hops of routes with the highest address by text, first received', async () => {
    const hops = [
      { hop: 1, hop_address: '203.0.113.9' },
      { hop: 12, hop_address: '192.0.2.10' },
      { hop: 12, hop_address: '192.0.2.9' },
      { hop: 12, hop_address: '' },
      { hop: 2, hop_address: '2001:db8::1' },
    ];
    const route = (agent: number, rtt: number) =>
      hops.map((hop) => ({ ...row(agent), protocol: 'ICMP', rtt_avg: rtt, ...hop }));
    await schema.insert('test_traceroute', [...route(1, 100), ...route(1, 200)]);
    for (const hop of route(2, 100).toReversed()) await schema.insert('test_traceroute', [hop]);
    await schema.insert('test_traceroute', route(2, 200));
    await schema.insert('test_traceroute', [
      { ...row(3), protocol: 'UDP', hop: 3, hop_address: '' },
      { ...row(3), protocol: 'TCP', hop: 4, hop_address: '2001:db8::1' },
    ]);
    expect(await lastRows('traceroute', 'hop, hop_address, rtt_avg', 1, 3)).to.deep.equal([
      { agent_key: 1, hop: 12, hop_address: '192.0.2.9', rtt_avg: 100 },
      { agent_key: 2, hop: 12, hop_address: '192.0.2.9', rtt_avg: 100 },
      { agent_key: 3, hop: 4, hop_address: '2001:db8::1', rtt_avg: 0 },
      { agent_key: 3, hop: 3, hop_address: '', rtt_avg: 0 },
    ]);
  });

  it('have the columns of the test', async () => {
    const values = { target_group: 'g', successes: 1, tcp_retransmissions: 7, unit_id: 50 };
    await schema.insert('test_httpget', [{ ...row(50), ...values, base: 'WB8', agent_id: 'a' }]);
    const [copied] = await schema.rows<{ same: number }>(`
      SELECT (SELECT tuple(* EXCEPT corrected_at, first_received) FROM test_httpget WHERE agent_key = 50) =
             (SELECT tuple(*) FROM last_rows_httpget WHERE agent_key = 50) AS same`);
    expect(copied).to.deep.equal({ same: 1 });
  });

  function row(agentKey: number) {
    return { organisation_id: 1, agent_key: agentKey, dtime, target: 'a', threads: 1 };
  }

  function lastRows(test: string, columns: string, from: number, to: number): Promise<object[]> {
    const order = test === 'traceroute' ? 'hop DESC' : 'target, threads, ip_version';
    return schema.rows(`
      SELECT agent_key, ${columns} FROM last_rows_${test} FINAL
      WHERE agent_key BETWEEN ${from} AND ${to} ORDER BY agent_key, ${order}`);
  }
});
