import type { RequestHandler } from 'express';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { openBody } from '../body/open-body.ts';
import { parseResultsRequest } from '../request/parse-results-request.ts';
import type { IngestTools } from './ingest-tools.ts';
import { sendOnce } from './send-once.ts';
import { storeResults } from './store-results.ts';
import { bytesInMemory, withinLimits } from './within-limits.ts';

export function postResults(tools: IngestTools): RequestHandler {
  return withinLimits(tools, async (req, res, memory) => {
    const { config } = tools;
    const request = parseResultsRequest(req);
    const body = openBody(req, request.encoding, {
      maxBytes: config.maxResultsBytes,
      maxDecodedBytes: config.maxDecodedBytes,
      onDecoded: (bytes) => memory.growTo(bytesInMemory(bytes)),
    });
    const run = () => storeResults(tools, callerOf(res), body.content, request);
    if (request.idempotencyKey === undefined) await sendOk(res, { data: await run() });
    else await sendOnce(tools, req, res, { key: request.idempotencyKey, body, run });
  });
}
