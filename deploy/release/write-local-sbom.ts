import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { localSbom, type Sbom } from './local-sbom.ts';

// Run by deploy/release/release.sh:  write-local-sbom.js FILE

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Usage: write-local-sbom.js FILE');
const engines = ['native', 'wasm'].map((name) => sbomOf(`deploy/local/clickhouse/engines/${name}`));
const sbom = localSbom(sbomOf('.', '--omit=dev'), sbomOf('.'), engines);
writeFileSync(file, `${JSON.stringify(sbom, undefined, 2)}\n`);

function sbomOf(folder: string, ...options: readonly string[]): Sbom {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', ...options];
  const text = execFileSync('npm', args, {
    cwd: join(repositoryRoot, folder),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(text) as Sbom;
}
