import type { Request, Response } from 'express';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Body } from '../body/open-body.ts';
import type { IngestTools } from './ingest-tools.ts';

interface KeyedWork {
  /** The Idempotency-Key. */
  readonly key: string;
  readonly body: Body;
  /** Reads the body and stores its results. */
  readonly run: () => Promise<object>;
}

/** Runs a request, or sends the response that an earlier one with the same key got. */
export async function sendOnce(
  { keyed }: IngestTools,
  req: Request,
  res: Response,
  { key, body, run }: KeyedWork,
): Promise<void> {
  const { data, isReplayed } = await keyed.answer({
    organisationId: callerOf(res).organisationId,
    key,
    run,
    skip: () => readToEnd(body),
    // The same rows with other parameters, or for another test, are another request.
    sha256: () => body.hash.update(req.originalUrl).digest(),
  });
  res.set('Idempotency-Replayed', String(isReplayed));
  await sendOk(res, { data });
}

async function readToEnd({ content }: Body): Promise<void> {
  content.resume();
  await new Promise((resolve, reject) => content.once('end', resolve).once('error', reject));
}
