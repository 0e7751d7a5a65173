import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { RequestHandler } from 'express';
import type { Caller } from '../../shared/auth/caller.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { parseCheckedJson } from '../../shared/http/checked-json.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { openBody } from '../body/open-body.ts';
import { type LmapResults, parseLmapReport } from '../lmap/parse-lmap-report.ts';
import { contentEncoding, requireJson } from '../request/content-type.ts';
import { parseFlags, parseIdempotencyKey } from '../request/parse-results-request.ts';
import type { ReceiptData } from '../rows/receipt.ts';
import type { IngestTools } from './ingest-tools.ts';
import { sendReceipt } from './send-receipt.ts';
import { storeResults } from './store-results.ts';
import { bytesInMemory, withinLimits } from './within-limits.ts';

/** A report of a measurement agent, as RFC 8194 defines it. */
export function postLmapReports(tools: IngestTools): RequestHandler {
  return withinLimits(tools, async (req, res, memory) => {
    const { config, lmap } = tools;
    requireJson(req);
    const problems = new Problems();
    parseFlags(req, [], problems);
    const key = parseIdempotencyKey(req, problems);
    problems.throwIfAny();
    const encoding = contentEncoding(req);
    const open = (hash?: Hash) =>
      openBody(req, encoding, {
        maxBytes: config.maxBodyBytes,
        maxDecodedBytes: config.maxBodyBytes,
        onDecoded: (bytes) => memory.growTo(bytesInMemory(bytes)),
        ...(hash && { hash }),
      });
    const run = async (content: Readable) => {
      const results = parseLmapReport(await readJson(content, config.maxBodyValues), lmap);
      return storeReport(tools, callerOf(res), results);
    };
    await sendReceipt(tools, req, res, { key, open, run });
  });
}

async function readJson(content: Readable, maxValues: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk as Buffer);
  return parseCheckedJson(Buffer.concat(chunks), maxValues);
}

async function storeReport(
  tools: IngestTools,
  caller: Caller,
  { rows, ignoredFunctions }: LmapResults,
): Promise<object> {
  const tests: Record<string, ReceiptData> = {};
  let invalid: AppError | undefined;
  for (const [test, ofTest] of rows) {
    const content = Readable.from(
      ofTest.map((row) => `${JSON.stringify(row)}\n`),
      { objectMode: false },
    );
    const request = { test, format: 'ndjson', isAtomic: false, isReplacing: false } as const;
    try {
      tests[test] = await storeResults(tools, caller, content, request);
    } catch (error) {
      // Of this test. The rows of the others are stored.
      if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAIL') throw error;
      invalid ??= error;
    }
  }
  if (invalid !== undefined && Object.keys(tests).length === 0) throw invalid;
  return { tests, ignoredFunctions };
}
