import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { repositoryRoot } from '../repository-root.ts';
import { type BodyLimits, readJsonBody } from './read-json-body.ts';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { pagePolicy, staticFiles } from './static-files.ts';
import { AppError } from '../errors/app-error.ts';
import { callerOf } from './request-context.ts';
import type { Scope } from '../auth/scopes.ts';

type OpenApiDocument = Extract<
  Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'],
  object
>;

/** The contract in `openapi/`, served with current dates in its examples, and enforced on every request. */
export function openApiContract(name: string, limits: BodyLimits) {
  const text = readFileSync(join(repositoryRoot, `openapi/${name}.yaml`), 'utf8');
  const documentRoute = Router();
  documentRoute.get('/openapi.yaml', (_req, res) => {
    res.type('application/yaml').send(datedExamples(text, new Date()));
  });
  documentRoute.use(docsPage());
  const document = enforcedDocument(name);
  return {
    /** Serves the document at /openapi.yaml and Swagger UI at /docs, without a token. */
    documentRoute,
    /** Rejects callers whose token does not have the scope of the operation (`x-scope`). */
    requireScopes: requireScopes(document),
    readBody: readJsonBody(limits),
    /** Rejects requests that violate the document. Bodies are validated by the routes. */
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

/** The day of the results in the examples of the ingestion contract, which is replaced by yesterday. */
const exampleDay = '2026-11-15';

/**
 * Sets the dates of a contract's examples for the day of the request: UNIX times marked with `# a week ago`,
 * and the day of results. OpenAPI has no relative dates, and fixed examples would fail later: the services
 * refuse a backdate of more than 28 days and results from before their agent existed.
 */
export function datedExamples(text: string, now: Date): string {
  const aWeekAgoS = Math.floor(now.getTime() / 1000) - 7 * 86_400;
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  return text
    .replaceAll(/\b\d+(?= # a week ago$)/gm, String(aWeekAgoS))
    .replaceAll(exampleDay, yesterday);
}

/** `GET /docs`: Swagger UI for `/openapi.yaml`. Works offline: it loads nothing from other hosts. */
function docsPage(): Router {
  const own = (name: string) => join(repositoryRoot, 'openapi/docs', name);
  const swagger = (name: string) => join(swaggerUiFolder(), name);
  return staticFiles({
    files: {
      '/docs': own('index.html'),
      '/docs/page.js': own('page.js'),
      '/docs/page.css': own('page.css'),
      '/docs/icon.svg': own('icon.svg'),
      '/docs/swagger-ui-bundle.js': swagger('swagger-ui-bundle.js'),
      '/docs/swagger-ui.css': swagger('swagger-ui.css'),
    },
    // Swagger UI uses data: URLs for its icons.
    contentSecurityPolicy: pagePolicy("'self' data:", "'self'"),
  });
}

interface ScopedDocument {
  readonly paths?: Readonly<Record<string, object | undefined>>;
}

interface ScopedOperation {
  /** An empty list: the operation needs no token. */
  readonly security?: readonly object[];
  readonly 'x-scope'?: Scope;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * Requires the scope of each operation, as the contract states it. An operation that needs a token and has no
 * `x-scope` is a startup error.
 */
function requireScopes({ paths = {} }: ScopedDocument): Router {
  const routes = Router();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = (item as Partial<Record<string, ScopedOperation>> | undefined)?.[method];
      if (operation === undefined || operation.security?.length === 0) continue;
      const scope = operation['x-scope'];
      if (scope === undefined) throw new Error(`${method} ${path} has no x-scope`);
      // `/exports/{id}` of OpenAPI is `/exports/:id` of Express.
      routes[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), requireScope(scope));
    }
  }
  return routes;
}

function requireScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    if (!callerOf(res).scopes.includes(scope)) {
      throw new AppError('INSUFFICIENT_SCOPE', {
        publicMessage: `This token does not have the scope ${scope}.`,
      });
    }
    next();
  };
}
