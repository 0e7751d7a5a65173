import { expect } from 'chai';
import {
  dropPartition,
  partitionsQuery,
} from '../../../services/metadata/retention/clickhouse-rules.ts';

// The statements for a cluster, which the local engine cannot run.
describe('retention on a ClickHouse cluster', () => {
  it('drops months of results on every shard, and of replicated tables once', () => {
    expect(dropPartition('test_dns_shard', '202601', 'panel')).to.equal(
      'ALTER TABLE test_dns_shard ON CLUSTER panel DROP PARTITION 202601',
    );
    expect(dropPartition('query_audit', '202601', 'panel')).to.equal(
      'ALTER TABLE query_audit DROP PARTITION 202601',
    );
    expect(dropPartition('test_dns', '202601', '')).to.equal(
      'ALTER TABLE test_dns DROP PARTITION 202601',
    );
  });

  it('finds the months of all shards', () => {
    expect(partitionsQuery('panel')).to.include("FROM cluster('panel', system.parts)");
    expect(partitionsQuery('')).to.include('FROM system.parts\n');
  });
});
