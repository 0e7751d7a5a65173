import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { repositoryRoot } from '../services/shared/repository-root.ts';

/** The contracts that have a client, by the name of their generated file. */
export const contracts = ['query', 'metadata', 'ingest'] as const;

/** Generates the TypeScript types of a contract, `openapi/client/<name>.ts`. */
export async function clientTypes(name: (typeof contracts)[number]): Promise<string> {
  const document = pathToFileURL(join(repositoryRoot, 'openapi', `${name}.yaml`));
  // A field with a default is optional in a request.
  const types = await openapiTypescript(document, { defaultNonNullable: false });
  return `// Generated from openapi/${name}.yaml by make generate. Change the contract, not this file.\n\n${astToString(types)}`;
}
