import { type RequestHandler, Router } from 'express';
import { AppError } from '../errors/app-error.ts';
import { callerOf } from '../http/request-context.ts';
import type { Scope } from './scopes.ts';

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
export function requireScopes({ paths = {} }: ScopedDocument): Router {
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
