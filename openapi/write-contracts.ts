import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { enforcedContract } from './enforced-contract.ts';

const names = ['query', 'metadata', 'ingest'] as const;

/**
 * Writes `dist/openapi/query.json`, `metadata.json` and `ingest.json`, from which the services enforce their contracts.
 * Parsing the YAML takes a quarter of the CPU time of a service's start, so the build does it once.
 */
export function writeContracts(): void {
  const folder = join(repositoryRoot, 'dist/openapi');
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const contract = enforcedContract(parse(contractText(name)) as object);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(contract));
  }
}

function contractText(name: (typeof names)[number]): string {
  return readFileSync(join(repositoryRoot, `openapi/${name}.yaml`), 'utf8');
}
