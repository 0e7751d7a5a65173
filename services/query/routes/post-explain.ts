import { sendOk } from '../../shared/http/envelope.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { explainQuery } from '../execution/explain-query.ts';
import type { ParseContext } from '../request/parse-context.ts';
import { parseMetricQuery } from '../request/parse-metric-query.ts';
import { explainedMethod } from '../request/report/expand-method.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import { ClientDisconnectedError } from '../../shared/http/client-disconnect.ts';
import type { WarningList } from '../response/frame-rows.ts';
import { queryRequest } from './query-request.ts';
import {
  metricContext,
  type QueryTools,
  type ReadContext,
  testContext,
  warningsOf,
} from './query-tools.ts';

export function explainMetricData(tools: QueryTools): AuditedHandler {
  return explain(tools, metricContext, (body, context) => {
    const query = parseMetricQuery(body, context);
    return { compiled: compileMetricQuery(query), warnings: warningsOf(tools, query) };
  });
}

export function explainTestData(tools: QueryTools): AuditedHandler {
  return explain(tools, testContext, (body, context) => {
    const query = parseTestQuery(body, context);
    return { compiled: compileTestQuery(query), warnings: query.warnings };
  });
}

type Compile = (
  body: unknown,
  context: ParseContext,
) => { readonly compiled: CompiledQuery; readonly warnings: WarningList };

function explain(tools: QueryTools, readContext: ReadContext, compile: Compile): AuditedHandler {
  return async (req, res, cost) => {
    const context = await readContext(tools, req, res);
    const { compiled, warnings } = traced('compile', {}, () => compile(req.body, context));
    const request = queryRequest(req, res, 'explain', cost);
    try {
      const data = await explainQuery(tools.runner, compiled, tools.config, request);
      const method = explainedMethod(req.body);
      await sendOk(res, { data: { ...data, ...(method && { method }) }, warnings: await warnings });
    } catch (error) {
      if (!(error instanceof ClientDisconnectedError)) throw error;
    }
  };
}
