import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePorts } from '../../support/free-ports.ts';
import { localStack } from '../../support/local-stack.ts';
import { type ServiceProcess, spawnService } from '../../support/service-process.ts';

const run = promisify(execFile);
const dockerfile = readFileSync(join(repositoryRoot, 'deploy/docker/Dockerfile'), 'utf8');

// The folder /app of the image, assembled by the lines of the Dockerfile without a container engine.
describe('the content of the image', function () {
  this.timeout(300_000);
  let app: string;

  before(async () => {
    app = mkdtempSync(join(tmpdir(), 'netpanel-image-'));
    copyProductionPackages();
    await run(join(repositoryRoot, 'deploy/docker/prune-dependencies.sh'), [
      join(app, 'node_modules'),
    ]);
    const [, runtime = ''] = /^FROM \S+ AS runtime$(.*?)^FROM /ms.exec(dockerfile) ?? [];
    const copied = [...runtime.matchAll(/^COPY (?:--from=build )?(?!--from)(.+)$/gm)];
    expect(copied.length).to.be.greaterThan(4);
    for (const [, paths = ''] of copied) {
      const sources = paths.split(' ').slice(0, -1);
      for (const source of sources.flatMap((one) => expanded(one.replace('/app/', '')))) {
        mkdirSync(join(app, dirname(source)), { recursive: true });
        cpSync(join(repositoryRoot, source), join(app, source), { recursive: true });
      }
    }
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

  function copyProductionPackages(): void {
    const { packages } = JSON.parse(
      readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8'),
    ) as { packages: Record<string, { dev?: boolean; optional?: boolean }> };
    const isShipped = (path: string) => packages[path]?.dev !== true;
    const topLevel = Object.keys(packages).filter(
      (path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && isShipped(path),
    );
    for (const path of topLevel) {
      const from = join(repositoryRoot, path);
      // An optional package of another platform is not installed.
      if (statSync(from, { throwIfNoEntry: false }) === undefined) continue;
      cpSync(from, join(app, path), { recursive: true });
    }
  }
});

/** `openapi/*.yaml` as files. */
function expanded(path: string): string[] {
  if (!basename(path).startsWith('*')) return [path];
  const ending = basename(path).slice(1);
  return readdirSync(join(repositoryRoot, dirname(path)))
    .filter((file) => file.endsWith(ending))
    .map((file) => join(dirname(path), file));
}
