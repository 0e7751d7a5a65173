import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logging/create-logger.ts';

/** The SDK, in the one file that knows it. Headers, sampler and batches it reads from OTEL_… itself. */
export function otlpProvider(
  endpoint: string,
  serviceName: string,
  logger: Logger,
): NodeTracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  return new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new BatchSpanProcessor(warningOnce(exporter, logger))],
  });
}

/** A collector that is away costs its spans, and one line of the log until it is back. */
function warningOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isAway = false;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isAway) {
          logger.warn('traces cannot be sent; they are dropped until the collector is back', {
            error: result.error?.message,
          });
        }
        isAway = failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
