import {
  type Attributes,
  context,
  type Context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { recordError } from './record-error.ts';

/** A no-op until start-tracing.ts has loaded the SDK. */
export const tracer = trace.getTracer('netpanel');

/**
 * Runs synchronous or asynchronous work in a span:
 *
 *     const compiled = traced('compile', {}, () => compileMetricQuery(query));
 */
export function traced<T>(name: string, attributes: Attributes, work: (span: Span) => T): T {
  return tracer.startActiveSpan(name, { attributes }, (span) => ended(span, () => work(span)));
}

/** Runs work that waits for Postgres in a span, without values. */
export function tracedDatabase<T>(
  operation: 'read' | 'change',
  work: () => Promise<T>,
): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation };
  return traced('database', attributes, work);
}

/** Like `traced`, for a stream: the span lasts from the first chunk to the last. */
export async function* tracedStream<T>(
  name: string,
  attributes: Attributes,
  chunks: AsyncIterable<T>,
): AsyncGenerator<T> {
  let span: Span | undefined;
  try {
    for await (const chunk of chunks) {
      span ??= tracer.startSpan(name, { attributes });
      yield chunk;
    }
  } catch (error) {
    if (span !== undefined) recordError(span, error);
    throw error;
  } finally {
    span?.end();
  }
}

/** Starts the span of a request to another service; the caller must end it. */
export function startClientSpan(name: string, attributes: Attributes, parent: Context): Span {
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
}

/** The `traceparent` header for a request of this span; empty without a trace. */
export function traceHeaders(span: Span): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), headers);
  return headers;
}

/** The trace id for log lines; undefined without a trace. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}

function ended<T>(span: Span, work: () => T): T {
  const failed = (error: unknown) => {
    recordError(span, error);
    span.end();
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    void result.then(() => span.end(), failed);
    return result;
  } catch (error) {
    failed(error);
    throw error;
  }
}

// The default maximum of the SDK.
const maxLinks = 128;

/** Traces work that is done later for several requests: in the first one's trace, linked to the others. */
export class DeferredWork {
  #requests: Context[] = [];

  /** To be called within the request that needs the work. */
  addRequest(): void {
    if (trace.getActiveSpan() !== undefined && this.#requests.length < maxLinks) {
      this.#requests.push(context.active());
    }
  }

  traced<T>(name: string, work: () => Promise<T>): Promise<T> {
    const [first = ROOT_CONTEXT, ...others] = this.#requests;
    this.#requests = [];
    const options = { links: linksTo(others) };
    return tracer.startActiveSpan(name, options, first, (span) => ended(span, work));
  }
}

function linksTo(contexts: readonly Context[]): Link[] {
  return contexts.flatMap((one) => {
    const span = trace.getSpanContext(one);
    return span === undefined ? [] : [{ context: span }];
  });
}
