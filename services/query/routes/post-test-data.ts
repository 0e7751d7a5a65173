import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { parseTestQuery } from '../request/parse-test-query.ts';
import { frameTestData } from '../response/frame-rows.ts';
import { responseFormat } from '../response/response-format.ts';
import { setClock } from '../response/set-clock.ts';
import { queryRequest } from './query-request.ts';
import { type QueryTools, testContext } from './query-tools.ts';
import { sendData } from './send-data.ts';

export function postTestData(tools: QueryTools): AuditedHandler {
  return async (req, res, cost) => {
    const context = await testContext(tools, req, res);
    const format = responseFormat(req);
    const { compiled, warnings } = traced('compile', {}, () => {
      const query = parseTestQuery(req.body, context);
      return { compiled: compileTestQuery(query), warnings: query.warnings };
    });
    const request = queryRequest(req, res, 'test_data', cost);
    setClock(res, 'test_data');
    await sendData(tools, res, {
      format,
      compiled,
      request,
      warnings,
      frame: (rows, _compiled, ...rest) => frameTestData(rows, ...rest),
    });
  };
}
