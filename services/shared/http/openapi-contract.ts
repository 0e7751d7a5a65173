import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { repositoryRoot } from '../repository-root.ts';
import { requireScopes } from '../auth/require-scopes.ts';
import { datedExamples } from './dated-examples.ts';
import { docsPage } from './docs-page.ts';
import { type BodyLimits, readJsonBody } from './read-json-body.ts';

type OpenApiDocument = Extract<
  Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'],
  object
>;

export interface OpenApiContract {
  /** Serves the document at /openapi.yaml and Swagger UI at /docs, without a token. */
  readonly documentRoute: Router;
  /** Rejects callers whose token does not have the scope of the operation (`x-scope`). */
  readonly requireScopes: Router;
  /** Parses JSON bodies up to the limits. */
  readonly readBody: RequestHandler[];
  /** Rejects requests that violate the document. Bodies are validated by the routes. */
  readonly enforce: RequestHandler[];
}

/** The contract in `openapi/`, served with current dates in its examples, and enforced on every request. */
export function openApiContract(name: string, limits: BodyLimits): OpenApiContract {
  const text = readFileSync(join(repositoryRoot, `openapi/${name}.yaml`), 'utf8');
  const documentRoute = Router();
  documentRoute.get('/openapi.yaml', (_req, res) => {
    res.type('application/yaml').send(datedExamples(text, new Date()));
  });
  documentRoute.use(docsPage());
  const document = enforcedDocument(name);
  return {
    documentRoute,
    requireScopes: requireScopes(document),
    readBody: readJsonBody(limits),
    enforce: OpenApiValidator.middleware({
      apiSpec: document,
      validateRequests: { allErrors: true, coerceTypes: false, allowUnknownQueryParameters: false },
      validateResponses: false,
      // authenticate() has already checked the token.
      validateSecurity: false,
      // The tests validate the contracts (test/unit/openapi).
      validateApiSpec: false,
    }) as RequestHandler[],
  };
}

/** Written by `make build` (openapi/write-contracts.ts). */
function enforcedDocument(name: string): OpenApiDocument {
  const path = join(repositoryRoot, `dist/openapi/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
}
