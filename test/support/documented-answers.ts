import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { parse } from 'yaml';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

interface SentAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
  /** The JSON that was sent; one that was accepted must be allowed by the document as well. */
  readonly request?: string | undefined;
}

/** Says what is wrong with an answer by an OpenAPI document; undefined when nothing is. */
export type CheckAnswer = (answer: SentAnswer) => Promise<string | undefined>;

const checkers = new Map<string, Promise<CheckAnswer>>();

/**
 * Holds answers against a document of openapi/. The validator works inside Express only, so the
 * answer is given once more by a small server that has it installed.
 */
export function documentedAnswers(fileName: string): Promise<CheckAnswer> {
  const known = checkers.get(fileName) ?? startChecker(fileName);
  checkers.set(fileName, known);
  return known;
}

async function startChecker(fileName: string): Promise<CheckAnswer> {
  const text = readFileSync(join(repositoryRoot, 'openapi', fileName), 'utf8');
  const validator = (validateRequests: boolean) =>
    OpenApiValidator.middleware({
      apiSpec: parse(text) as string,
      validateRequests,
      validateResponses: true,
      validateSecurity: false,
    });
  let given: SentAnswer;
  const accepted = express.Router().use(validator(true));
  const refused = express.Router().use(validator(false));
  const app = express();
  app.use(express.json({ limit: '2mb', strict: false }));
  app.use((req, res, next) => (given.status < 300 ? accepted : refused)(req, res, next));
  app.use((_req, res) => {
    res.status(given.status).json(given.body);
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    res.removeHeader('content-type');
    res.status(599).send(String(error));
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;

  let turn: Promise<unknown> = Promise.resolve();
  return (answer) => {
    // One at a time, since the server gives the answer it was handed last.
    const checked = turn.then(async () => {
      given = answer;
      const { method, path } = answer;
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { connection: 'close', 'content-type': 'application/json' },
        ...(answer.status < 300 && answer.request !== undefined ? { body: answer.request } : {}),
      });
      const replyText = await reply.text();
      return reply.status === 599 ? replyText : undefined;
    });
    turn = checked.catch(() => undefined);
    return checked;
  };
}
