import autocannon from 'autocannon';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { timedMs } from '../measure/side-by-side.ts';
import { largePanel } from '../panel/large-panel.ts';
import type { LocalStack } from '../../test/support/local-stack.ts';
import type { Tenant } from '../../test/support/tenant.ts';

/** Reading and changing metadata, and the time until a change is visible to queries. */
export async function metadata(bench: Bench): Promise<Measurement[]> {
  const { stack, agentCounts, print } = bench;
  const measurements: Measurement[] = [];
  const add = (what: string, value: number, unit: string, atMost?: number) => {
    print(`${what}: ${value.toFixed(1)} ${unit}`);
    const target = atMost === undefined ? {} : { target: { atMost } };
    measurements.push({ section: 'metadata', what, value, unit, ...target });
  };
  for (const agents of agentCounts) {
    const tenant = await largePanel(stack, agents);
    if (agents === agentCounts[0]) {
      const one = { agent: { unit_id: 1 }, metadata: { custom: { tier: 'once' } } };
      add('PUT of 1 agent', await timedMs(() => put(stack, tenant, one)), 'ms');
      const { rate, p99Ms, errors } = await readRate(bench, tenant);
      add('GET at 32 connections', rate, '/s');
      add('GET p99 at 32 connections', p99Ms, 'ms');
      add('GET errors', errors, '', 0);
    }
    const value = `all-${agents}`;
    const startedMs = performance.now();
    await put(stack, tenant, {
      agent: { custom: { panel: 'all' } },
      metadata: { custom: { tier: value } },
    });
    const text = agents.toLocaleString('en');
    if (agents !== 10_000) add(`PUT of ${text} agents`, performance.now() - startedMs, 'ms');
    await waitUntilVisible(stack, tenant, value);
    add(`PUT to visible at ${text} agents`, (performance.now() - startedMs) / 1000, 's');
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

async function readRate({ stack, loadSeconds }: Bench, tenant: Tenant) {
  const result = await autocannon({
    url: `${stack.metadataUrl}/metadata/unit/7`,
    headers: { authorization: `Bearer ${tenant.metadataToken}` },
    connections: 32,
    duration: Math.min(10, loadSeconds),
  });
  return {
    rate: result.requests.average,
    p99Ms: result.latency.p99,
    errors: result.errors + result.non2xx,
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
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
