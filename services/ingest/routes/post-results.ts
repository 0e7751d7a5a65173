import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import { callerOf } from '../../shared/http/request-context.ts';
import { openBody } from '../body/open-body.ts';
import { parseResultsRequest } from '../request/parse-results-request.ts';
import type { IngestTools } from './ingest-tools.ts';
import { sendReceipt } from './send-receipt.ts';
import { storeResults } from './store-results.ts';
import { bytesInMemory, withinLimits } from './within-limits.ts';

export function postResults(tools: IngestTools): RequestHandler {
  return withinLimits(tools, async (req, res, memory) => {
    const { config } = tools;
    const request = parseResultsRequest(req);
    const { idempotencyKey: key } = request;
    const open = (hash?: Hash) =>
      openBody(req, request.encoding, {
        maxBytes: config.maxResultsBytes,
        maxDecodedBytes: config.maxDecodedBytes,
        onDecoded: (bytes) => memory.growTo(bytesInMemory(bytes)),
        ...(hash && { hash }),
      });
    const run = (content: Readable) => storeResults(tools, callerOf(res), content, request);
    await sendReceipt(tools, req, res, { key, open, run });
  });
}
