import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { clientManifest } from './client-manifest.ts';

// `make client OUT=dir`: compiles the typed client into a package, and packs it as a tarball in the same folder.
// npm links a folder instead of copying it, and a linked package does not find its dependencies: install the tarball.

const folder = join(repositoryRoot, 'openapi/client');
const [out = '.local/client'] = process.argv.slice(2);
writePackage(resolve(out));
process.stdout.write(`Install it in your project: npm install ${join(out, pack(resolve(out)))}\n`);

function writePackage(target: string): void {
  mkdirSync(target, { recursive: true });
  const program = ts.createProgram([join(folder, 'index.ts')], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    rootDir: folder,
    outDir: target,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    strict: true,
    skipLibCheck: true,
  });
  const { diagnostics } = program.emit();
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) {
    throw new Error(
      problems.map((one) => ts.flattenDiagnosticMessageText(one.messageText, '\n')).join('\n'),
    );
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(clientManifest(), null, 2)}\n`);
  for (const name of ['README.md', '../../LICENSE']) {
    copyFileSync(join(folder, name), join(target, name.replace('../../', '')));
  }
}

/** Returns the name of the tarball. */
function pack(target: string): string {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: target,
    encoding: 'utf8',
  });
  const [{ filename } = { filename: '' }] = JSON.parse(output) as { filename: string }[];
  return filename;
}
