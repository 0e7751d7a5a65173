import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { join } from 'node:path';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const checkers = new Map<string, Promise<string>>();
const answers = new Map<string, Answer>();
let count = 0;

/** Throws when an answer is not one that the OpenAPI document allows for this request. */
export async function conforms(
  document: string,
  method: string,
  path: string,
  answer: Answer,
): Promise<void> {
  const url = checkers.get(document) ?? startChecker(document);
  checkers.set(document, url);
  const id = String(++count);
  answers.set(id, answer);
  const verdict = await fetch(`${await url}${path}`, { method, headers: { 'x-answer': id } });
  answers.delete(id);
  if (verdict.status !== answer.status) {
    throw new Error(`${method} ${path} ${answer.status}: ${await verdict.text()}`);
  }
}

/** Gives each answer once more, behind a validator that lets only what the document allows pass. */
async function startChecker(document: string): Promise<string> {
  const app = express();
  app.use(
    OpenApiValidator.middleware({
      apiSpec: join(repositoryRoot, 'openapi', document),
      validateRequests: false,
      validateResponses: true,
      validateSecurity: false,
    }),
  );
  app.use((req: Request, res: Response) => {
    const answer = answers.get(req.get('x-answer') ?? '');
    res.status(answer?.status ?? 599).json(answer?.body);
  });
  app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
    res.status(599).send(error.message);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
