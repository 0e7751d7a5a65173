import { expect } from 'chai';
import { asSingleNode } from '../../engines/as-single-node.ts';

describe('a statement of a cluster on one node', () => {
  it('keeps its engine and loses its replicas and its cluster', () => {
    const sql = `CREATE TABLE IF NOT EXISTS t_shard ON CLUSTER netpanel (a UInt8)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/{shard}/t', '{replica}', version)
ORDER BY a`;
    expect(asSingleNode(sql)).to.equal(`CREATE TABLE IF NOT EXISTS t_shard (a UInt8)
ENGINE = ReplacingMergeTree(version)
ORDER BY a`);
  });

  it('leaves a Distributed table and a query alone', () => {
    const sql = "CREATE TABLE t AS t_shard\nENGINE = Distributed('netpanel', 'db', 't_shard', a)";
    expect(asSingleNode(sql)).to.equal(sql);
  });
});
