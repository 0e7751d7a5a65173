import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { IngestTools } from './ingest-tools.ts';

interface KeyedWork {
  /** The Idempotency-Key; undefined: the request may run twice. */
  readonly key: string | undefined;
  /** The body. Updates the hash, if there is one, with what was sent. */
  readonly open: (hash?: Hash) => Readable;
  /** Reads the body and stores its results. */
  readonly run: (content: Readable) => Promise<object>;
}

/** Runs a request and sends its receipt, or that of an earlier request with the same key. */
export async function sendReceipt(
  { keyed }: IngestTools,
  req: Request,
  res: Response,
  { key, open, run }: KeyedWork,
): Promise<void> {
  if (key === undefined) {
    await sendOk(res, { data: await run(open()) });
    return;
  }
  const hash = createHash('sha256');
  const content = open(hash);
  const { data, isReplayed } = await keyed.answer({
    organisationId: callerOf(res).organisationId,
    key,
    run: () => run(content),
    skip: () => readToEnd(content),
    // The same rows with other parameters, or for another test, are another request.
    sha256: () => hash.update(req.originalUrl).digest(),
  });
  res.set('Idempotency-Replayed', String(isReplayed));
  await sendOk(res, { data });
}

async function readToEnd(content: Readable): Promise<void> {
  content.resume();
  await new Promise((resolve, reject) => content.once('end', resolve).once('error', reject));
}
