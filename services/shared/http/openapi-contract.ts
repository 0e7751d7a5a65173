import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { parse } from 'yaml';
import { repositoryRoot } from '../repository-root.ts';
import { docsPage } from './docs-page.ts';
import { readJsonBody } from './read-json-body.ts';
import { withoutBodySchemas } from './without-body-schemas.ts';

type OpenApiDocument = Extract<
  Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'],
  object
>;

export interface OpenApiContract {
  /** Serves the document itself, and a page to read it and try it out; needs no token. */
  readonly documentRoute: Router;
  /** Reads JSON bodies no larger than told. */
  readonly readBody: RequestHandler[];
  /** Refuses whatever the document does not allow; what is in a body, the routes judge. */
  readonly enforce: RequestHandler[];
}

/** The contract in `openapi/`, served as written and enforced on every request. */
export function openApiContract(fileName: string, maxBodyBytes: number): OpenApiContract {
  const text = readFileSync(join(repositoryRoot, 'openapi', fileName), 'utf8');
  const documentRoute = Router();
  documentRoute.get('/openapi.yaml', (_req, res) => {
    res.type('application/yaml').send(text);
  });
  documentRoute.use(docsPage());
  return {
    documentRoute,
    readBody: readJsonBody(maxBodyBytes),
    enforce: OpenApiValidator.middleware({
      apiSpec: withoutBodySchemas(parse(text) as OpenApiDocument),
      validateRequests: { allErrors: true, coerceTypes: false, allowUnknownQueryParameters: false },
      validateResponses: false,
      // Tokens are checked by authenticate(), before the contract.
      validateSecurity: false,
      validateApiSpec: true,
    }) as RequestHandler[],
  };
}
