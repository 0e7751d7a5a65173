import type { Request, Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerOf } from '../../shared/http/request-context.ts';
import { routePattern } from '../../shared/http/request-metrics.ts';
import { traced } from '../../shared/tracing/traced.ts';
import { auditContextOf } from '../audit/audit-context.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { withFormat } from '../export/export-format.ts';
import type { ExportJob } from '../export/export-job.ts';
import type { ExportDestination } from '../export/export-record.ts';
import type { RunningExport } from '../export/export-runner.ts';
import { requireFile } from '../export/require-file.ts';
import type { ParseContext } from '../request/parse-context.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import type { WarningList } from '../response/frame-rows.ts';
import { ownExport } from './exports.ts';
import { metadataVersionsOf } from './metadata-version.ts';
import {
  metricContext,
  type QueryTools,
  type ReadContext,
  testContext,
  warningsOf,
} from './query-tools.ts';
import { sendLink, sendStarted } from './send-export.ts';
import { wholeBucketsOf } from './whole-buckets-of.ts';

export function exportMetricData(
  tools: QueryTools,
  destination: ExportDestination,
): AuditedHandler {
  return exportData(tools, destination, metricContext, async (body, context, res) => {
    const query = parseMetricQuery(body, context);
    const warnings = warningsOf(tools, query);
    const whole = await wholeBucketsOf(tools, res, query, context.now);
    return {
      kind: 'metric_data',
      query: compileMetricQuery(query, { numberLists: 'columns', ...(whole && { whole }) }),
      isRowPerResult: query.chartType === 'raw',
      warnings,
    };
  });
}

export function exportTestData(tools: QueryTools, destination: ExportDestination): AuditedHandler {
  return exportData(tools, destination, testContext, (body, context) => {
    const query = parseTestQuery(body, context);
    return {
      kind: 'test_data',
      query: compileTestQuery(query),
      isRowPerResult: true,
      warnings: query.warnings,
    };
  });
}

interface Compiled extends Pick<ExportJob, 'kind' | 'query' | 'isRowPerResult'> {
  readonly warnings: WarningList;
}

type Compile = (
  body: unknown,
  context: ParseContext,
  res: Response,
) => Compiled | Promise<Compiled>;

function exportData(
  tools: QueryTools,
  destination: ExportDestination,
  readContext: ReadContext,
  compile: Compile,
): AuditedHandler {
  return async (req, res, cost) => {
    const context = await readContext(tools, req, res);
    const compiled = async (request: unknown) =>
      await traced('compile', {}, () => compile(request, context, res));
    const { format, parsed } =
      destination === 'download'
        ? await withFormat(req.body, compiled)
        : { format: 'csv' as const, parsed: await compiled(req.body) };
    const { warnings, ...job } = parsed;
    const started = await tools.exports.runner.start({
      caller: callerOf(res),
      route: `${req.method} ${routePattern(req)}`,
      destination,
      format,
      request: req.body as unknown,
      metadataVersion: metadataVersionsOf(res).published,
      cost,
      ...job,
    });
    res.set('X-Query-Id', started.id);
    auditContextOf(res).startedExport = true;
    const isAsync = prefersAsync(req);
    await waitForFile(started, isAsync ? 0 : tools.config.exportWaitMs, tools, res);
    if (res.destroyed) return;
    const found = await ownExport(tools, res, started.id);
    // Throws the failure of an export that ended just now.
    if (found.status !== 'running') await started.finished;
    const record = requireFile(found);
    await (isAsync ? sendStarted : sendLink)(res, record, {
      warnings: await warnings,
      links: tools.exports,
    });
  };
}

/** RFC 7240: `Prefer: respond-async`, alone or with other preferences. */
function prefersAsync(req: Request): boolean {
  const preferences = (req.get('prefer') ?? '').split(/[,;]/);
  return preferences.some((one) => one.trim().toLowerCase() === 'respond-async');
}

/**
 * Waits until the export has ended or the timeout. Cancels the export if the client disconnects while
 * it waits: the client has no link to the file.
 */
async function waitForFile(
  { id, finished }: RunningExport,
  timeoutMs: number,
  { exports }: QueryTools,
  res: Response,
): Promise<void> {
  if (timeoutMs === 0) {
    finished.catch(() => undefined);
    return;
  }
  // If the cancellation fails, the export runs to its end and expires.
  const { organisationId } = callerOf(res);
  const onClose = () => void exports.runner.cancel(organisationId, id).catch(() => undefined);
  const waited = new AbortController();
  res.once('close', onClose);
  try {
    await Promise.race([finished, sleep(timeoutMs, undefined, { signal: waited.signal })]);
  } finally {
    waited.abort();
    res.off('close', onClose);
  }
}
