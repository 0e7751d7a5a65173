import type { TestKey } from '../../catalog/test-tables.ts';
import { traced } from '../../shared/tracing/traced.ts';
import type { AuditedHandler } from '../audit/audited.ts';
import { compileTestQuery } from '../compiler/compile-test-query.ts';
import { emptyAnswerWarnings } from '../listing/empty-answer-warnings.ts';
import { visibleTests } from '../listing/visible-catalog.ts';
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
    const { query, compiled } = traced('compile', {}, () => {
      const query = parseTestQuery(req.body, context);
      return { query, compiled: compileTestQuery(query) };
    });
    const request = queryRequest(req, res, 'test_data', cost);
    setClock(res, 'test_data');
    await sendData(tools, res, {
      format,
      compiled,
      request,
      warnings: query.warnings,
      ifEmpty: () =>
        emptyAnswerWarnings(
          tools,
          anyRow(query.test),
          visibleTests(context, {}).map(({ key }) => anyRow(key)),
          request,
        ),
      frame: (rows, _compiled, ...rest) => frameTestData(rows, ...rest),
    });
  };
}

function anyRow(key: string) {
  return { key, test: key as TestKey, existsWhen: '1' };
}
