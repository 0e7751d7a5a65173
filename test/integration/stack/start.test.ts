import { createServer } from 'node:net';
import { expect } from 'chai';
import { localStack, newStackOptions } from '../../support/local-stack.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { runBuilt } from '../../support/run-built.ts';

describe('at the start,', () => {
  for (const service of ['query', 'metadata']) {
    it(`the ${service} service reports all invalid settings and exits`, async () => {
      const { code, stderr } = await runBuilt(`services/${service}/main.js`, {
        DATABASE_URL: 'nowhere',
        LOG_LEVEL: 'loud',
        STOP_GRACE_MS: '-1',
      });
      expect(code).to.equal(2);
      expect(stderr).to.contain('DATABASE_URL is not valid');
      expect(stderr).to.contain('CLICKHOUSE_URL is not set');
      expect(stderr).to.contain('LOG_LEVEL must be one of error, warn, info, debug, not "loud"');
      expect(stderr).to.contain('STOP_GRACE_MS must be a whole number');
    });
  }

  it('the stack reports a port in use and its variable in one line', async () => {
    // All ports of a stack: one of the defaults may be taken, for example by make up in another folder.
    const { ports } = await newStackOptions('port-in-use');
    const occupant = createServer().listen(ports.metadata, '127.0.0.1');
    try {
      const { code, stderr } = await runBuilt('deploy/local/run.js', {
        QUERY_PORT: String(ports.query),
        METADATA_PORT: String(ports.metadata),
        INGEST_PORT: String(ports.ingest),
        QUERY_OPS_PORT: String(ports.queryOps),
        METADATA_OPS_PORT: String(ports.metadataOps),
        INGEST_OPS_PORT: String(ports.ingestOps),
        CLICKHOUSE_PORT: String(ports.clickhouse),
        POSTGRES_PORT: String(ports.postgres),
      });
      expect(code).to.equal(1);
      expect(stderr).to.equal(
        `Port ${ports.metadata} is in use: stop the process that listens on it, or set METADATA_PORT.\n`,
      );
    } finally {
      occupant.close();
    }
  });

  it('a second netpanel migrate changes nothing', async () => {
    const { env } = await localStack();
    const { code, stdout } = await runNetpanel({ ...env }, ['migrate']);
    expect(stdout).to.equal('Postgres: nothing to do\nClickHouse: nothing to do\n');
    expect(code).to.equal(0);
  });
});
