import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { clientManifest } from './client-manifest.ts';

// `make client OUT=dir`: writes the typed client as a compiled package that other projects can install.

const folder = join(repositoryRoot, 'openapi/client');
const [out = '.local/client'] = process.argv.slice(2);
writePackage(resolve(out));
process.stdout.write(`The package is in ${out}: npm install ${out}\n`);

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
