import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, for files that are not compiled (OpenAPI documents, SQL migrations). */
export const repositoryRoot = findUpwards(import.meta.dirname);

function findUpwards(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json was not found above this file');
  return findUpwards(parent);
}
