import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import { frameTestData } from '../response/frame-rows.ts';
import { setClock } from '../response/set-clock.ts';
import { sendStream } from '../response/send-stream.ts';
import { queryRequest } from './query-request.ts';
import { type QueryTools, testContext } from './query-tools.ts';

export function postTestData(tools: QueryTools): AuditedHandler {
  return async (req, res, cost) => {
    const context = await testContext(tools, req, res);
    const { compiled, warnings } = traced('compile', {}, () => {
      const query = parseTestQuery(req.body, context);
      return { compiled: compileTestQuery(query), warnings: query.warnings };
    });
    const request = queryRequest(req, res, 'test_data', cost);
    setClock(res, 'test_data');
    const rows = tools.runner.runQuery(compiled, request);
    await sendStream(res, frameTestData(rows, cost, warnings), request);
  };
}
