import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { cataloguePage } from './catalogue-page.ts';
import { clientTypes, contracts } from './client-types.ts';
import { filledContract } from './filled-contract.ts';
import { pythonTypes } from './python-types.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** Files derived from the catalogue. Must be written before clientFiles, which reads the contract. */
export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  const contract = readFileSync(join(repositoryRoot, 'openapi/query.yaml'), 'utf8');
  return [
    await formatted('openapi/query.yaml', filledContract(contract)),
    await formatted('docs/catalogue.md', cataloguePage()),
  ];
}

export async function clientFiles(): Promise<readonly GeneratedFile[]> {
  const typescript = contracts.map(async (name) => ({
    path: `openapi/client/${name}.ts`,
    content: await clientTypes(name),
  }));
  const python = { path: 'clients/python/src/netpanel/fields.py', content: pythonTypes() };
  return [...(await Promise.all(typescript)), python];
}

async function formatted(path: string, text: string): Promise<GeneratedFile> {
  const options = await resolveConfig(join(repositoryRoot, path));
  return { path, content: await format(text, { ...options, filepath: path }) };
}
