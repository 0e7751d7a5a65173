import type { Express } from 'express';
import type { TlsFiles } from './config/common-settings.ts';
import { SettingsError } from './config/read-settings.ts';
import { listen } from './http/listener.ts';
import type { Dependency } from './http/dependency.ts';
import { opsApp } from './http/ops-app.ts';
import { newRegistry, type Registry } from './metrics.ts';
import { startTracing, type TracingSettings } from './tracing/start-tracing.ts';
import { createLogger, type Logger } from './logging/create-logger.ts';
import { openTlsCertificate } from './tls/tls-certificate.ts';

interface ServiceConfig extends TlsFiles, TracingSettings {
  readonly host: string;
  readonly port: number;
  readonly opsPort: number;
  readonly logLevel: string;
  readonly stopGraceMs: number;
  readonly clientStallMs: number;
}

/** A service built from its settings. */
export interface Service {
  readonly app: Express;
  readonly dependencies: readonly Dependency[];
  /** Called when a shutdown begins: requests that only wait must end. */
  readonly stopping?: () => void;
  /** Called after the last request, with the time left for the shutdown. */
  readonly close: (graceLeftMs: number) => Promise<void>;
}

export interface ServiceTools {
  readonly logger: Logger;
  readonly registry: Registry;
}

interface ServiceDefinition<C extends ServiceConfig> {
  readonly name: string;
  readonly readConfig: () => C;
  /** Loads the modules of the service, after the settings were checked. */
  readonly load: () => Promise<(config: C, tools: ServiceTools) => Promise<Service>>;
}

/** Runs a service process: reads settings, listens, and shuts down gracefully on SIGTERM and SIGINT. */
export async function runService<C extends ServiceConfig>(
  definition: ServiceDefinition<C>,
): Promise<void> {
  const config = await exitOnInvalidSettings(definition.readConfig);
  const logger = createLogger(definition.name, config.logLevel);
  const registry = newRegistry(definition.name);
  const certificate = await exitOnInvalidSettings(() =>
    openTlsCertificate(config, { logger, registry }),
  );

  let stopping = false;
  try {
    const tracing = await startTracing(config, definition.name, logger);
    const build = await definition.load();
    const service = await build(config, { logger, registry });
    const ops = opsApp({
      registry,
      dependencies: service.dependencies,
      isStopping: () => stopping,
    });
    // Never TLS: probes and Prometheus are internal, and must work without a certificate.
    const opsListener = await listen(ops, config.host, config.opsPort);
    const listener = await listen(service.app, config.host, config.port, {
      certificate,
      clientStallMs: config.clientStallMs,
    });
    const tls = certificate !== undefined;
    logger.info('listening', { port: listener.port, opsPort: opsListener.port, tls });
    // Logs an unsupported version at startup, even if nothing probes /readyz.
    for (const { check } of service.dependencies) void check().catch(() => undefined);

    const stop = async (signal: string) => {
      if (stopping) return;
      stopping = true;
      logger.info('stopping', { signal });
      const deadlineMs = performance.now() + config.stopGraceMs;
      certificate?.close();
      service.stopping?.();
      await listener.close(config.stopGraceMs);
      await service.close(Math.max(0, deadlineMs - performance.now()));
      await tracing.stop(Math.max(lastFlushMs, deadlineMs - performance.now()));
      await opsListener.close(0);
      logger.info('stopped');
      await flushed(logger);
      process.exit(0);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => void stop(signal));
    }
  } catch (error) {
    logger.error('could not start', { error: (error as Error).stack });
    await flushed(logger);
    process.exit(1);
  }
}

/** Even if requests have used up the grace period: traces of slow requests are the useful ones. */
const lastFlushMs = 1_000;

/** On a SettingsError, prints it and ends the process with code 2. */
async function exitOnInvalidSettings<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

function flushed(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    logger.on('finish', resolve);
    logger.end();
  });
}
