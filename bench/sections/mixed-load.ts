import autocannon from 'autocannon';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { readOpsMetric } from '../measure/read-ops-metric.ts';
import { requestOver, shapes } from '../panel/requests.ts';

/** Both services under a mix of queries, metadata reads and changes for a minute. */
export async function mixedLoad({
  stack,
  panel,
  loadSeconds,
  print,
}: Bench): Promise<Measurement[]> {
  const made = await panel();
  const json = { 'content-type': 'application/json' };
  const dataHeaders = { ...json, authorization: made.tenant.dataToken };
  const metadataHeaders = { ...json, authorization: `Bearer ${made.tenant.metadataToken}` };
  const queries = Object.values(shapes).map((shape) => ({
    method: 'POST' as const,
    path: '/metric_data',
    headers: dataHeaders,
    body: JSON.stringify(requestOver(made, shape, 20_000)),
  }));
  const lists = ['/metrics', '/splits', '/filters'].map((path) => ({ path, headers: dataHeaders }));
  const change = {
    method: 'PUT' as const,
    path: '/metadata',
    headers: metadataHeaders,
    body: JSON.stringify({ agent: { unit_id: 7000001 }, metadata: { custom: { seen: 'load' } } }),
  };
  const reads = [2, 3, 4, 5, 6, 7, 8].map((unit) => ({
    path: `/metadata/unit/${7000000 + unit}`,
    headers: metadataHeaders,
  }));
  const [query, metadata] = await Promise.all([
    run(stack.queryUrl, loadSeconds, [...queries, ...lists]),
    run(stack.metadataUrl, loadSeconds, [...reads, change]),
  ]);

  const measurements: Measurement[] = [];
  for (const [name, result, opsUrl] of [
    ['query', query, stack.queryOpsUrl],
    ['metadata', metadata, stack.metadataOpsUrl],
  ] as const) {
    const add = (what: string, value: number, unit: string, atMost?: number) => {
      const target = atMost === undefined ? {} : { target: { atMost } };
      measurements.push({ section: 'load', what: `${name}: ${what}`, value, unit, ...target });
    };
    const { requests, latency } = result;
    print(`${name}: ${requests.average}/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms`);
    add('requests', requests.average, '/s');
    add('p50', latency.p50, 'ms');
    add('p99', latency.p99, 'ms');
    add('errors', result.errors + result.non2xx + result.timeouts, '', 0);
    add('event-loop delay p99', 1000 * (await readOpsMetric(opsUrl, lagMetric)), 'ms');
    add('memory at the end', (await readOpsMetric(opsUrl, memoryMetric)) / 2 ** 20, 'MiB');
  }
  return measurements;
}

const lagMetric = 'nodejs_eventloop_lag_p99_seconds';
const memoryMetric = 'process_resident_memory_bytes';

function run(url: string, duration: number, requests: autocannon.Request[]) {
  return autocannon({ url, connections: 4, duration, requests });
}
