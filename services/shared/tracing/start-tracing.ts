import type { Logger } from '../logging/create-logger.ts';
import { withTimeout } from '../with-timeout.ts';

export interface TracingSettings {
  /** Empty: tracing is off. */
  readonly tracesEndpoint: string;
  readonly tracesServiceName: string;
}

export interface Tracing {
  /** Sends the remaining spans, within the timeout. */
  stop(graceMs: number): Promise<void>;
}

/** Loads the OpenTelemetry SDK only if tracing is configured. */
export async function startTracing(
  { tracesEndpoint, tracesServiceName }: TracingSettings,
  service: string,
  logger: Logger,
): Promise<Tracing> {
  if (tracesEndpoint === '') return { stop: () => Promise.resolve() };
  const { otlpProvider } = await import('./otlp-provider.ts');
  const name = tracesServiceName === '' ? `netpanel-${service}` : tracesServiceName;
  const provider = otlpProvider(tracesEndpoint, name, logger);
  provider.register();
  return {
    stop: async (graceMs) => {
      await withTimeout(graceMs, provider.shutdown()).catch(() => undefined);
    },
  };
}
