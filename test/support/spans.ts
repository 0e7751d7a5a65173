import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ReceivedSpan } from './otlp-receiver.ts';

/** The traceparent header of a client that traces its requests. */
export function newTraceparent() {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, header: `00-${traceId}-${spanId}-01` };
}

export function onlySpan(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const named = spans.filter((span) => span.name === name);
  expect(named, name).to.have.length(1);
  return named[0]!;
}

export function onlyQuerySpan(spans: readonly ReceivedSpan[], kind: string): ReceivedSpan {
  const queries = spans.filter(
    ({ name, attributes }) => name === 'clickhouse' && attributes['db.operation.name'] === kind,
  );
  expect(queries, kind).to.have.length(1);
  return queries[0]!;
}
