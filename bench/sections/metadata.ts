import autocannon from 'autocannon';
import type { Bench } from '../bench.ts';
import { cpuSeconds } from '../measure/cpu-seconds.ts';
import type { Measurement } from '../measure/measurement.ts';
import { median } from '../measure/quantile.ts';
import { timedMs } from '../measure/side-by-side.ts';
import { largePanel } from '../panel/large-panel.ts';
import type { LocalStack } from '../../test/support/local-stack.ts';
import type { Tenant } from '../../test/support/tenant.ts';

const oneAgentRounds = 5;

/** Reading and changing metadata, and the time until a change is visible to queries. */
export async function metadata(bench: Bench): Promise<Measurement[]> {
  const { stack, agentCounts, print } = bench;
  const measurements: Measurement[] = [];
  const add = (what: string, value: number, unit: string, target?: Measurement['target']) => {
    print(`${what}: ${value.toFixed(1)} ${unit}`);
    measurements.push({ section: 'metadata', what, value, unit, ...(target && { target }) });
  };
  const putOne = (tenant: Tenant, tier: string) =>
    put(stack, tenant, { agent: { unit_id: 1 }, metadata: { custom: { tier } } });
  for (const agents of agentCounts) {
    const tenant = await largePanel(stack, agents);
    if (agents === agentCounts[0]) {
      add('PUT of 1 agent', await timedMs(() => putOne(tenant, 'once')), 'ms');
      const { rate, p99Ms, errors, cpu } = await readRate(bench, tenant);
      add('GET at 32 connections', rate, '/s', { atLeast: 2_000 });
      add('GET p99 at 32 connections', p99Ms, 'ms', { atMost: 30 });
      add('GET errors', errors, '', { atMost: 0 });
      add('GET at 32 connections: CPU of the service', cpu.service * 1e6, 'µs');
      add('GET at 32 connections: CPU of Postgres', cpu.postgres * 1e6, 'µs');
    }
    const text = agents.toLocaleString('en');
    const largest = agents === agentCounts.at(-1);
    // Of several: the first loads the dictionary, and a change may meet the poll of the publisher.
    const visibleMs: number[] = [];
    for (let round = 0; round < oneAgentRounds; round++) {
      const tier = `one-${agents}-${round}`;
      visibleMs.push(
        await timedMs(async () => {
          await putOne(tenant, tier);
          await waitUntilVisible(stack, tenant, tier);
        }),
      );
    }
    add(
      `PUT of 1 agent to visible at ${text} agents`,
      median(visibleMs) / 1000,
      's',
      largest ? { atMost: 1 } : undefined,
    );
    const value = `all-${agents}`;
    const startedMs = performance.now();
    const cpu = await cpuSeconds(stack, stack.metadataOpsUrl, () =>
      put(stack, tenant, {
        agent: { custom: { panel: 'all' } },
        metadata: { custom: { tier: value } },
      }),
    );
    const putMs = performance.now() - startedMs;
    if (agents !== 10_000) {
      add(`PUT of ${text} agents`, putMs, 'ms', largest ? { atMost: 2_000 } : undefined);
      add(`PUT of ${text} agents: CPU of Postgres`, cpu.postgres * 1000, 'ms');
    }
    await waitUntilVisible(stack, tenant, value);
    const visibleS = (performance.now() - startedMs) / 1000;
    add(`PUT to visible at ${text} agents`, visibleS, 's', largest ? { atMost: 8 } : undefined);
  }
  return measurements;
}

async function put({ metadataUrl }: LocalStack, tenant: Tenant, body: object): Promise<void> {
  const response = await fetch(`${metadataUrl}/metadata`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${tenant.metadataToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`PUT failed with status ${response.status}: ${await response.text()}`);
  }
}

/** Reads the metadata of one agent after the other. */
async function readRate({ stack, loadSeconds }: Bench, tenant: Tenant) {
  const headers = { authorization: `Bearer ${tenant.metadataToken}` };
  const load = (seconds: number) =>
    autocannon({
      url: stack.metadataUrl,
      requests: Array.from({ length: 200 }, (_, i) => ({
        path: `/metadata/unit/${i + 1}`,
        headers,
      })),
      connections: 32,
      duration: seconds,
    });
  // Compiles the code of the service.
  await load(Math.min(2, loadSeconds));
  let result: autocannon.Result | undefined;
  const cpu = await cpuSeconds(stack, stack.metadataOpsUrl, async () => {
    result = await load(Math.min(10, loadSeconds));
  });
  if (result === undefined) throw new Error('autocannon returned no result');
  const { requests, latency, errors, non2xx } = result;
  return {
    rate: requests.average,
    p99Ms: latency.p99,
    errors: errors + non2xx,
    cpu: { service: cpu.service / requests.total, postgres: cpu.postgres / requests.total },
  };
}

/** Waits until a query that filters by the new value returns a result. */
async function waitUntilVisible(
  { queryUrl }: LocalStack,
  tenant: Tenant,
  value: string,
): Promise<void> {
  const body = JSON.stringify({
    metric: 'httpget',
    chartType: 'aggregate',
    aggregation: 'total',
    normalised: false,
    prefilter: false,
    filters: [{ id: 'tier', filterType: 'include', filterValues: [value] }],
    time: { from: '-1 days', to: 'now' },
  });
  const headers = { authorization: tenant.dataToken, 'content-type': 'application/json' };
  for (;;) {
    const response = await fetch(`${queryUrl}/metric_data`, { method: 'POST', headers, body });
    const { data = [] } = (await response.json()) as { data?: unknown[] };
    if (response.ok && data.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
