import express, { type Express } from 'express';
import type { Registry } from '../metrics.ts';
import { productVersion } from '../product-version.ts';
import { type Dependency, watchedDependency } from './dependency.ts';

interface OpsParts {
  readonly registry: Registry;
  readonly dependencies: readonly Dependency[];
  readonly isStopping: () => boolean;
}

/** Health, readiness, version and metrics, on a separate port because `GET /metrics` is part of the API. */
export function opsApp({ registry, dependencies, isStopping }: OpsParts): Express {
  const app = express();
  app.disable('x-powered-by');
  const watched = dependencies.map(watchedDependency);

  // Liveness of the process only: a restart would not repair a database.
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });

  const version = productVersion();
  app.get('/version', (_req, res) => {
    res.json({ version });
  });

  app.get('/readyz', async (_req, res) => {
    const reports = await Promise.all(
      watched.map(async ({ name, report }) => [name, await report()] as const),
    );
    const isReady = reports.every(
      ([, { ok, required, unsupported = false }]) => ok || !(required || unsupported),
    );
    const isComplete = reports.every(([, { ok }]) => ok);
    const status = isStopping()
      ? 'stopping'
      : !isReady
        ? 'not ready'
        : isComplete
          ? 'ready'
          : 'degraded';
    // A degraded service receives requests: only those that need the failed dependency fail.
    res.status(['ready', 'degraded'].includes(status) ? 200 : 503).json({
      status,
      dependencies: Object.fromEntries(reports),
    });
  });

  app.get('/metrics', async (_req, res) => {
    res.type(registry.contentType).send(await registry.metrics());
  });
  return app;
}
