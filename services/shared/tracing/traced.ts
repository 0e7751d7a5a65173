import {
  type Attributes,
  context,
  type Context,
  propagation,
  type Span,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { recordError } from './record-error.ts';

/** Does nothing until start-tracing.ts has loaded the SDK. */
export const tracer = trace.getTracer('netpanel');

/**
 * Runs the work as a part of the request's trace, whether it is asynchronous or not:
 *
 *     const compiled = traced('compile', {}, () => compileMetricQuery(query));
 */
export function traced<T>(name: string, attributes: Attributes, work: (span: Span) => T): T {
  return tracer.startActiveSpan(name, { attributes }, (span) => ended(span, () => work(span)));
}

/** As `traced`, of the first chunk until the last has been taken: a stream is no promise. */
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

/** `traceparent`, for whom the span asks; nothing when there is no trace. */
export function traceHeaders(span: Span): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(context.active(), span), headers);
  return headers;
}

/** Of the active span, for log lines; undefined when there is no trace. */
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
