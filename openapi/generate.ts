import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { clientFiles, type GeneratedFile, generatedFiles } from './generated-files.ts';

// Part of `make generate`: writes the files derived from the catalogue, then the client's types.

write(await generatedFiles());
write(await clientFiles());

function write(files: readonly GeneratedFile[]): void {
  for (const { path, content } of files) writeFileSync(join(repositoryRoot, path), content);
}
