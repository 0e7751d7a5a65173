import autocannon from 'autocannon';
import type { Bench } from '../bench.ts';
import type { Figure } from '../measure/figure.ts';
import { readOpsFigure } from '../measure/read-ops-figure.ts';
import { requestOver, shapes } from '../panel/questions.ts';

/** Both services under a mix of questions, reads and changes for a minute. */
export async function mixedLoad({ stack, panel, loadSeconds, say }: Bench): Promise<Figure[]> {
  const made = await panel();
  const json = { 'content-type': 'application/json' };
  const dataHeaders = { ...json, authorization: made.tenant.dataToken };
  const metadataHeaders = { ...json, authorization: `Bearer ${made.tenant.metadataToken}` };
  const questions = Object.values(shapes).map((shape) => ({
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
    run(stack.queryUrl, loadSeconds, [...questions, ...lists]),
    run(stack.metadataUrl, loadSeconds, [...reads, change]),
  ]);

  const figures: Figure[] = [];
  for (const [name, result, opsUrl] of [
    ['query', query, stack.queryOpsUrl],
    ['metadata', metadata, stack.metadataOpsUrl],
  ] as const) {
    const add = (what: string, value: number, unit: string, atMost?: number) => {
      const target = atMost === undefined ? {} : { target: { atMost } };
      figures.push({ section: 'load', what: `${name}: ${what}`, value, unit, ...target });
    };
    const { requests, latency } = result;
    say(`${name}: ${requests.average}/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms`);
    add('requests', requests.average, '/s');
    add('p50', latency.p50, 'ms');
    add('p99', latency.p99, 'ms');
    add('errors', result.errors + result.non2xx + result.timeouts, '', 0);
    add('event-loop delay p99', 1000 * (await readOpsFigure(opsUrl, lagFigure)), 'ms');
    add('memory at the end', (await readOpsFigure(opsUrl, memoryFigure)) / 2 ** 20, 'MiB');
  }
  return figures;
}

const lagFigure = 'nodejs_eventloop_lag_p99_seconds';
const memoryFigure = 'process_resident_memory_bytes';

function run(url: string, duration: number, requests: autocannon.Request[]) {
  return autocannon({ url, connections: 4, duration, requests });
}
