import { execFile } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { assembleImage } from '../../support/assemble-image.ts';
import { freePorts } from '../../support/free-ports.ts';
import { localStack } from '../../support/local-stack.ts';
import { type ServiceProcess, spawnService } from '../../support/service-process.ts';

const run = promisify(execFile);

describe('the content of the image', () => {
  let app: string;

  before(async () => {
    app = await assembleImage();
  });
  after(() => rmSync(app, { recursive: true }));

  it('has at most 200 MB over its base, and nothing that no program loads', () => {
    const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
    const bytes = files
      .map((file) => statSync(join(app, file)))
      .reduce((sum, { size, blocks }) => sum + Math.max(size, blocks * 512), 0);
    expect(bytes).to.be.lessThan(200e6);
    const useless = files.filter((file) =>
      /^node_modules\/.*(\.map|\.d\.[mc]?ts)$|^node_modules\/@types\/|^dist\/(test|bench|deploy)\//.test(
        file,
      ),
    );
    expect(useless).to.deep.equal([]);
  });

  for (const [name, paths] of [
    ['query', ['/openapi.yaml', '/docs/', '/explorer/']],
    ['metadata', ['/openapi.yaml', '/docs/']],
  ] as const) {
    it(`runs the ${name} service`, async () => {
      const { env } = await localStack();
      const [port, opsPort] = (await freePorts(2)) as [number, number];
      const own = {
        [`${name.toUpperCase()}_PORT`]: `${port}`,
        [`${name.toUpperCase()}_OPS_PORT`]: `${opsPort}`,
      };
      const service: ServiceProcess = await spawnService(name, {
        env: { PATH: process.env.PATH, ...env, ...own, EXPORT_FOLDER: join(app, 'exports') },
        port,
        opsPort,
        options: { root: app },
      });
      try {
        for (const path of paths) {
          expect((await fetch(`${service.url}${path}`)).status, path).to.equal(200);
        }
      } finally {
        await service.kill('SIGTERM');
      }
    });
  }

  it('runs the command line, with the migrations', async () => {
    const { env } = await localStack();
    const { stdout } = await run(
      process.execPath,
      [join(app, 'dist/services/cli/netpanel.js'), 'migrate'],
      {
        env: { PATH: process.env.PATH, ...env },
      },
    );
    expect(stdout).to.be.a('string');
  });
});
