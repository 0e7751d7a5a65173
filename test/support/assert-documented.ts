import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
  /** The JSON that was sent. When the service accepted it, the document must allow it as well. */
  readonly request?: string | undefined;
}

/** Throws when the OpenAPI document does not allow this response to this request. */
export async function assertDocumented(document: string, exchange: Exchange): Promise<void> {
  const { method, path, status, request } = exchange;
  const url = validators.get(document) ?? startValidator(document);
  validators.set(document, url);
  const id = String(++exchangeCount);
  exchanges.set(id, exchange);
  const verdict = await fetch(`${await url}${path}`, {
    method,
    headers: { 'x-exchange': id, 'content-type': 'application/json' },
    ...(isAccepted(exchange) ? { body: request! } : {}),
  });
  exchanges.delete(id);
  if (verdict.status !== status) {
    throw new Error(`${document} forbids ${status} to ${method} ${path}: ${await verdict.text()}`);
  }
}

const validators = new Map<string, Promise<string>>();
const exchanges = new Map<string, Exchange>();
let exchangeCount = 0;

/** The validator runs only inside Express, so a small server replays the response behind it. */
async function startValidator(document: string): Promise<string> {
  const validator = (validateRequests: boolean) =>
    express.Router().use(
      OpenApiValidator.middleware({
        apiSpec: join(repositoryRoot, 'openapi', document),
        validateRequests,
        validateResponses: true,
        validateSecurity: false,
      }),
    );
  const [withRequest, responseOnly] = [validator(true), validator(false)];
  const exchangeOf = (req: Request) => exchanges.get(req.get('x-exchange') ?? '')!;
  const app = express();
  app.use(express.json({ limit: '2mb', strict: false }));
  app.use((req, res, next) =>
    (isAccepted(exchangeOf(req)) ? withRequest : responseOnly)(req, res, next),
  );
  app.use((req, res) => {
    const { status, body } = exchangeOf(req);
    res.status(status).json(body);
  });
  app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
    res.removeHeader('content-type');
    res.status(599).send(error.message);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function isAccepted({ status, request }: Exchange): boolean {
  return status < 300 && request !== undefined;
}
