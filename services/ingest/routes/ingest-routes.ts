import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type RequestHandler, Router } from 'express';
import type { Caller } from '../../shared/auth/caller.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import { Problems } from '../../shared/errors/problems.ts';
import { parseCheckedJson } from '../../shared/http/checked-json.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { type LmapResults, parseLmapReport } from '../lmap/parse-lmap-report.ts';
import {
  contentEncoding,
  parseFlags,
  parseIdempotencyKey,
  parseResultsRequest,
  requireJson,
} from '../request/parse-results-request.ts';
import type { ReceiptData } from '../rows/receipt.ts';
import { tooManyLines } from '../rows/receive-results.ts';
import type { IngestTools } from './ingest-tools.ts';
import { receiptRoute } from './receipt-route.ts';
import { storeResults } from './store-results.ts';

/** All routes of openapi/ingest.yaml. */
export function ingestRoutes(tools: IngestTools): Router {
  const { maxResultsBytes: maxBytes, maxDecodedBytes } = tools.config;
  const postResults = receiptRoute(tools, (req, res, nextTurn) => {
    const request = parseResultsRequest(req);
    return {
      key: request.idempotencyKey,
      encoding: request.encoding,
      maxBytes,
      maxDecodedBytes,
      run: (content) => storeResults(tools, callerOf(res), content, { ...request, nextTurn }),
    };
  });
  const routes = Router();
  routes.post('/results/:test', postResults);
  routes.post('/lmap/reports', postLmapReports(tools));
  return routes;
}

/** A report of a measurement agent, as RFC 8194 defines it. */
function postLmapReports(tools: IngestTools): RequestHandler {
  const { maxBodyBytes: maxBytes, maxBodyValues } = tools.config;
  return receiptRoute(tools, (req, res, nextTurn) => {
    requireJson(req);
    const problems = new Problems();
    parseFlags(req, [], problems);
    const key = parseIdempotencyKey(req, problems);
    problems.throwIfAny();
    const encoding = contentEncoding(req);
    const run = async (content: Readable) => {
      const results = parseLmapReport(
        parseCheckedJson(await buffer(content), maxBodyValues),
        tools.lmap,
      );
      return storeReport(tools, callerOf(res), results, nextTurn);
    };
    return { key, encoding, maxBytes, maxDecodedBytes: maxBytes, run };
  });
}

async function storeReport(
  tools: IngestTools,
  caller: Caller,
  { rows, ignoredFunctions }: LmapResults,
  nextTurn: () => Promise<void>,
): Promise<object> {
  const rowCount = [...rows.values()].reduce((sum, { length }) => sum + length, 0);
  const { maxLines } = tools.config;
  if (rowCount > maxLines) throw tooManyLines(maxLines);
  const tests: Record<string, ReceiptData> = {};
  let invalid: AppError | undefined;
  for (const [test, ofTest] of rows) {
    const content = Readable.from(
      ofTest.map((row) => `${JSON.stringify(row)}\n`),
      { objectMode: false },
    );
    const request = {
      test,
      format: 'ndjson',
      isAtomic: false,
      isReplacing: false,
      nextTurn,
    } as const;
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
