import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logging/create-logger.ts';

/** The only file that imports the SDK, which reads headers, sampler and batch size from OTEL_… itself. */
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

/** While the collector is unreachable, spans are dropped, with one log line per outage. */
function warningOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isDown = false;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !isDown) {
          logger.warn('could not send traces; they are dropped until the collector is back', {
            error: result.error?.message,
          });
        }
        isDown = failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
