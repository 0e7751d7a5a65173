import type { Response } from 'express';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import { escapeFormulas } from '../export/escape-formulas.ts';
import { outputFormat } from '../export/export-format.ts';
import { flatRows } from '../response/flat-rows.ts';
import type { RowCount, WarningList } from '../response/frame-rows.ts';
import { mediaTypes, type ResponseFormat } from '../response/response-format.ts';
import { sendStream } from '../response/send-stream.ts';
import { setWarnings } from '../response/set-warnings.ts';
import type { QueryTools } from './query-tools.ts';

interface DataResponse {
  readonly format: ResponseFormat;
  readonly compiled: CompiledQuery;
  readonly request: QueryRequest;
  readonly warnings: WarningList;
  /** The rows as a JSON document. */
  readonly frame: (
    rows: AsyncIterable<Buffer>,
    compiled: CompiledQuery,
    count: RowCount,
    warnings: WarningList,
  ) => AsyncGenerator<Buffer>;
}

/** Runs the query and streams its rows: in the envelope, or one row per line without it. */
export async function sendData(
  { runner, config }: QueryTools,
  res: Response,
  { format, compiled, request, warnings, frame }: DataResponse,
): Promise<void> {
  const { cost } = request;
  const type = mediaTypes[format];
  if (format === 'json') {
    const rows = runner.runQuery(compiled, request);
    await sendStream(res, type, frame(rows, compiled, cost, warnings), request);
    return;
  }
  setWarnings(res, await warnings);
  const query = format === 'csv' ? csvQuery(compiled, config) : compiled;
  await sendStream(res, type, flatRows(runner.runQuery(query, request), format, cost), request);
}

/** The same bytes as the file of an export. */
function csvQuery(
  compiled: CompiledQuery,
  { exportEscapeFormulas }: { readonly exportEscapeFormulas: boolean },
) {
  const { sql, params } = exportEscapeFormulas ? escapeFormulas(compiled) : compiled;
  return { sql, params, ...outputFormat('csv') };
}
