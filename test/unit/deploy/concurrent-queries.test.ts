import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readQueryConfig } from '../../../services/query/config.ts';
import { measuredConnections } from '../../../services/shared/clickhouse/connect-measured-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { readRole } from '../../support/users-xml.ts';

const required = { DATABASE_URL: 'postgres://localhost/x', CLICKHOUSE_URL: 'http://localhost' };
/** Listings, and background queries. */
const ownPools = 2;

describe('the default limits of concurrent queries', () => {
  it('cannot exceed the limit of the ClickHouse role with as many pods as the chart starts', () => {
    const { maxRunningQueriesTotal, maxRunningExportsTotal } = readQueryConfig(required);
    const ownQueries = maxReplicas() * ownPools * measuredConnections;
    const rule = readRole('query').settings.find(
      ({ name }) => name === 'max_concurrent_queries_for_user',
    );
    expect(maxRunningQueriesTotal + maxRunningExportsTotal + ownQueries).to.be.at.most(
      Number(rule?.value),
    );
  });

  it('leave capacity for other organisations', () => {
    const config = readQueryConfig(required);
    expect(config.maxRunningQueries).to.be.below(config.maxRunningQueriesTotal / 2);
    expect(config.maxRunningExports).to.be.below(config.maxRunningExportsTotal / 2);
    expect(() => readQueryConfig({ ...required, MAX_RUNNING_QUERIES: '100' })).to.throw(
      'MAX_RUNNING_QUERIES must be less than MAX_RUNNING_QUERIES_TOTAL, 100, not 100',
    );
  });
});

function maxReplicas(): number {
  const path = join(repositoryRoot, 'deploy/helm/netpanel/values.yaml');
  const values = parse(readFileSync(path, 'utf8')) as {
    query: { autoscaling: { maxReplicas: number } };
  };
  return values.query.autoscaling.maxReplicas;
}
