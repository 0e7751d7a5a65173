import express, { type Express } from 'express';
import type { Registry } from 'prom-client';

/** One thing the service needs. `check` resolves with facts worth showing, or throws why it is not there. */
export interface Dependency {
  readonly name: string;
  readonly check: () => Promise<Readonly<Record<string, unknown>>>;
}

interface OpsParts {
  readonly registry: Registry;
  readonly dependencies: readonly Dependency[];
  readonly isStopping: () => boolean;
}

/** Health, readiness and figures, on a port of their own since `GET /metrics` is the contract's. */
export function opsApp({ registry, dependencies, isStopping }: OpsParts): Express {
  const app = express();
  app.disable('x-powered-by');

  // Alive means the event loop answers. It never asks a database: a restart would not mend one.
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });

  app.get('/readyz', async (_req, res) => {
    const checks = await Promise.all(dependencies.map(checked));
    const ready = !isStopping() && checks.every(({ ok }) => ok);
    res.status(ready ? 200 : 503).json({
      status: isStopping() ? 'stopping' : ready ? 'ready' : 'not ready',
      dependencies: Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest])),
    });
  });

  app.get('/metrics', async (_req, res) => {
    res.type(registry.contentType).send(await registry.metrics());
  });
  return app;
}

const checkTimeoutMs = 3_000;

async function checked({ name, check }: Dependency) {
  const startedMs = Date.now();
  try {
    const facts = await withTimeout(check());
    return { name, ok: true, tookMs: Date.now() - startedMs, ...facts };
  } catch (error) {
    return { name, ok: false, tookMs: Date.now() - startedMs, error: (error as Error).message };
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${checkTimeoutMs} ms`)),
      checkTimeoutMs,
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
