import type { Logger } from '../logging/create-logger.ts';
import { withTimeout } from '../with-timeout.ts';

export interface TracingSettings {
  /** Empty: no traces. */
  readonly tracesEndpoint: string;
  readonly tracesServiceName: string;
}

export interface Tracing {
  /** Sends what is left, for so long at most. */
  stop(graceMs: number): Promise<void>;
}

/** Loads OpenTelemetry's SDK only where traces are configured. */
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
