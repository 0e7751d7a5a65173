import type { Request, Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendOk } from '../../shared/http/envelope.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { fileAnswer, statusAnswer } from '../export/export-answer.ts';
import { withFormat } from '../export/export-format.ts';
import type { ExportOrder } from '../export/export-order.ts';
import type { ExportDestination } from '../export/export-record.ts';
import type { RunningExport } from '../export/export-runner.ts';
import type { ParseContext } from '../request/parse-context.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import { ownExport } from './exports.ts';
import { parseContext, type QueryTools } from './query-tools.ts';

export function exportMetricData(
  tools: QueryTools,
  destination: ExportDestination,
): AuditedHandler {
  return exportData(tools, destination, (body, context) => {
    const query = parseMetricQuery(body, context);
    return {
      kind: 'metric_data',
      query: compileMetricQuery(query, { percentiles: 'columns' }),
      isRowByRow: query.chartType === 'raw',
    };
  });
}

export function exportTestData(tools: QueryTools, destination: ExportDestination): AuditedHandler {
  return exportData(tools, destination, (body, context) => ({
    kind: 'test_data',
    query: compileTestQuery(parseTestQuery(body, context)),
    isRowByRow: true,
  }));
}

type Compile = (
  body: unknown,
  context: ParseContext,
) => Pick<ExportOrder, 'kind' | 'query' | 'isRowByRow'>;

function exportData(
  tools: QueryTools,
  destination: ExportDestination,
  compile: Compile,
): AuditedHandler {
  return async (req, res, cost) => {
    const context = await parseContext(tools, res);
    const compiled = (request: unknown) => traced('compile', {}, () => compile(request, context));
    const { format, parsed } =
      destination === 'download'
        ? withFormat(req.body, compiled)
        : { format: 'csv' as const, parsed: compiled(req.body) };
    const started = await tools.exports.runner.start({
      caller: callerOf(res),
      route: `${req.method} ${routePattern(req)}`,
      destination,
      format,
      request: req.body as unknown,
      cost,
      ...parsed,
    });
    res.set('X-Query-Id', started.id);
    cost.queryId = started.id;
    const waitMs = wantsNoWait(req) ? 0 : tools.config.exportWaitMs;
    const isDone = await finishedWithin(started, waitMs, tools, res);
    if (res.destroyed) return;
    const record = await ownExport(tools, res, started.id);
    if (isDone) {
      sendOk(res, { data: await fileAnswer(record, tools.exports) });
      return;
    }
    if (wantsNoWait(req)) res.set('Preference-Applied', 'respond-async');
    const data = await statusAnswer(record, tools.exports);
    res.status(202).set({ Location: data.statusUrl, 'Retry-After': '1' });
    sendOk(res, { data, message: 'The export is being made; its status tells when it is there' });
  };
}

/** RFC 7240: `Prefer: respond-async`, alone or among others. */
function wantsNoWait(req: Request): boolean {
  const preferences = (req.get('prefer') ?? '').split(/[,;]/);
  return preferences.some((one) => one.trim().toLowerCase() === 'respond-async');
}

/** False when it takes longer. A caller that leaves meanwhile has no way to the file: it is ended. */
async function finishedWithin(
  { id, finished }: RunningExport,
  waitMs: number,
  { exports }: QueryTools,
  res: Response,
): Promise<boolean> {
  if (waitMs === 0) {
    finished.catch(() => undefined);
    return false;
  }
  // Should that fail, the export goes on to its end, and expires.
  const onClose = () => void exports.runner.cancel(id).catch(() => undefined);
  const waited = new AbortController();
  res.once('close', onClose);
  try {
    return await Promise.race([
      finished.then(() => true),
      sleep(waitMs, false, { signal: waited.signal }),
    ]);
  } finally {
    waited.abort();
    res.off('close', onClose);
  }
}
