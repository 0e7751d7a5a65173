import { expect } from 'chai';
import { asSingleNode } from '../../engines/as-single-node.ts';

describe('a cluster statement on a single node', () => {
  it('keeps its engine without replicas and cluster', () => {
    const sql = `CREATE TABLE IF NOT EXISTS t_shard ON CLUSTER netpanel (a UInt8)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/{shard}/t', '{replica}', version)
ORDER BY a`;
    expect(asSingleNode(sql)).to.equal(`CREATE TABLE IF NOT EXISTS t_shard (a UInt8)
ENGINE = ReplacingMergeTree(version)
ORDER BY a`);
  });

  it('is unchanged for a Distributed table', () => {
    const sql = "CREATE TABLE t AS t_shard\nENGINE = Distributed('netpanel', 'db', 't_shard', a)";
    expect(asSingleNode(sql)).to.equal(sql);
  });
});
