import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import type { ServiceName } from './contract.ts';

/** A service in a process of its own that tells all it can, with every word it says. */
export interface WatchedProcess {
  readonly url: string;
  readonly opsUrl: string;
  /** Standard output and standard error until now. */
  output(): string;
  /** What its collector of traces has received, as it came. */
  traces(): string;
  /** As an operator stops it: what waits to be written is written. */
  stop(): Promise<void>;
}

export async function watchedProcess(service: ServiceName): Promise<WatchedProcess> {
  const { env } = await localStack();
  const [port, opsPort] = (await freePorts(2)) as [number, number];
  const collector = await startOtlpReceiver();
  const prefix = service.toUpperCase();
  const child = spawn(
    process.execPath,
    [join(repositoryRoot, `dist/services/${service}/main.js`)],
    {
      env: {
        ...{ PATH: process.env.PATH, ...env, LOG_LEVEL: 'debug' },
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        ...{ [`${prefix}_PORT`]: String(port), [`${prefix}_OPS_PORT`]: String(opsPort) },
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => (output += piece.toString()));
  }
  const ended = once(child, 'close');
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  // No longer than a cold start on a busy machine.
  for (let waits = 0; waits < 300; waits++) {
    if ((await fetch(`${opsUrl}/readyz`).catch(() => undefined))?.ok === true) break;
    await sleep(200);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    output: () => output,
    traces: () => collector.texts.join('\n'),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await collector.stop();
    },
  };
}
