import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { serveExplorer } from '../../../deploy/local/serve-explorer.ts';
import { startService } from '../../../deploy/local/start-service.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePorts } from '../../support/free-ports.ts';
import { localStack } from '../../support/local-stack.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('watch mode', () => {
  it('restarts a service when one of its modules changes', async () => {
    const { env, stateDir } = await localStack();
    const [port, opsPort, inspectPort] = (await freePorts(3)) as [number, number, number];
    const logFile = join(stateDir, 'log/watched.log');
    const starts = () => readFileSync(logFile, 'utf8').split('"message":"listening"').length - 1;
    const service = await startService({
      name: 'query',
      env: { ...env, QUERY_PORT: String(port), QUERY_OPS_PORT: String(opsPort) },
      opsPort,
      logFile,
      watch: { inspectPort },
    });
    try {
      expect(starts()).to.equal(1);
      const now = new Date();
      utimesSync(join(repositoryRoot, 'dist/services/query/main.js'), now, now);
      await waitUntil(() => starts() === 2);
      expect((await fetch(`http://127.0.0.1:${port}/openapi.yaml`)).status).to.equal(200);
      expect((await fetch(`http://127.0.0.1:${inspectPort}/json/list`)).status).to.equal(200);
    } finally {
      await service.stop();
    }
    expect(await fetch(`http://127.0.0.1:${port}/openapi.yaml`).catch(() => 'closed')).to.equal(
      'closed',
    );
  });

  it("serves the explorer's sources and proxies everything else to the query service", async () => {
    const { env, queryUrl } = await localStack();
    const [port] = (await freePorts(1)) as [number];
    const vite = await serveExplorer(port, queryUrl);
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { Authorization: env.DEMO_DATA_TOKEN ?? '' },
      });
    try {
      expect(await (await get('/explorer/')).text()).to.include('/explorer/@vite/client');
      expect(await (await get('/explorer/src/main.ts')).text()).to.include('/explorer/config.json');
      expect(await (await get('/explorer/config.json')).json()).to.have.property('metadataUrl');
      expect(await (await get('/metrics')).json()).to.have.property('code', 'OK');
    } finally {
      await vite.close();
    }
  });
});
