import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

/** A new folder with the content of /app in the image, by the lines of the Dockerfile, without a container engine. */
export async function assembleImage(): Promise<string> {
  const app = mkdtempSync(join(tmpdir(), 'netpanel-image-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    cpSync(join(repositoryRoot, file), join(app, file));
  }
  const install = ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  await promisify(execFile)('npm', install, { cwd: app });
  const prune = join(repositoryRoot, 'deploy/docker/prune-dependencies.sh');
  await promisify(execFile)(prune, [join(app, 'node_modules')]);
  const dockerfile = readFileSync(join(repositoryRoot, 'deploy/docker/Dockerfile'), 'utf8');
  const [, runtime = ''] = /^FROM \S+ AS runtime$(.*?)^FROM /ms.exec(dockerfile) ?? [];
  const copied = [...runtime.matchAll(/^COPY (?:--from=build )?(?!--from)(.+)$/gm)];
  if (copied.length <= 4) throw new Error('the stage "runtime" of the Dockerfile was not found');
  for (const [, paths = ''] of copied) {
    const sources = paths.split(' ').slice(0, -1);
    for (const source of sources.flatMap((one) => expanded(one.replace('/app/', '')))) {
      mkdirSync(join(app, dirname(source)), { recursive: true });
      cpSync(join(repositoryRoot, source), join(app, source), { recursive: true });
    }
  }
  return app;
}

/** `openapi/*.yaml` as files. */
function expanded(path: string): string[] {
  if (!basename(path).startsWith('*')) return [path];
  const ending = basename(path).slice(1);
  return readdirSync(join(repositoryRoot, dirname(path)))
    .filter((file) => file.endsWith(ending))
    .map((file) => join(dirname(path), file));
}
