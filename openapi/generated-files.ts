import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { filledRole } from '../deploy/clickhouse/filled-role.ts';
import { versionedPaths, withVersion } from '../deploy/release/stated-versions.ts';
import { cataloguePage } from './catalogue-page.ts';
import { clientTypes, contracts } from './client-types.ts';
import { filledContract } from './filled-contract.ts';
import { pythonTypes } from './python-types.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** Files derived from the catalogue and the version. Must be written before clientFiles, which reads the contract. */
export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  const text = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
  const roles = ['query', 'metadata', 'ingest', 'load'].map((role) => {
    const path = `deploy/clickhouse/roles/${role}.sql`;
    return { path, content: filledRole(text(path)) };
  });
  const contract = 'openapi/query.yaml';
  return [
    ...roles,
    ...versionedPaths
      .filter((path) => path !== contract)
      .map((path) => ({ path, content: withVersion(path) })),
    await formatted(contract, withVersion(contract, filledContract(text(contract)))),
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
