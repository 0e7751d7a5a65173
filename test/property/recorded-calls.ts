import fc from 'fast-check';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Panel } from '../reference/panel.ts';
import { damage } from '../security/fuzzed-request.ts';
import { propertySeed } from './property-panel.ts';
import { reportArbitrary, reportCaseArbitrary, reportCases } from './report-arbitrary.ts';
import { requestArbitrary } from './request-arbitrary.ts';

/** Which organisation and token sends a call: the panel's, with a privacy floor of 3 agents, or one with a changed history. */
export type Caller = 'panel' | 'floor' | 'known';

/** A request whose response is recorded. The seed determines the calls of a run. */
export interface Call {
  readonly kind: string;
  readonly caller: Caller;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly accept?: string;
  readonly body?: unknown;
  /** The moment of `knownAt` in the list of the panel: its time is another in every run. */
  readonly moment?: number;
}

/** About `count` calls of every kind of response that a change of the code must not alter. */
export function recordedCalls(panel: Panel, momentCount: number, count: number): readonly Call[] {
  const part = (share: number) => Math.ceil(count * share);
  const plain = requestArbitrary(panel).filter(hasFixedTime);
  const reports = fc
    .oneof(
      { weight: 3, arbitrary: reportArbitrary(panel) },
      ...reportCases.map((fields) => reportCaseArbitrary(panel, fields)),
    )
    .filter(hasFixedTime);
  const both = fc.oneof(plain, reports);
  const post = (kind: string, body: unknown): Call => ({
    kind,
    caller: 'panel',
    method: 'POST',
    path: '/metric_data',
    body: sentForm(body),
  });
  return [
    ...sample(plain, part(0.3)).map((body) => post('json', body)),
    ...sample(reports, part(0.25)).map((body) => post('report', body)),
    ...sample(both, part(0.08)).map((body) => ({ ...post('csv', body), accept: 'text/csv' })),
    ...sample(both, part(0.08)).map((body) => ({
      ...post('ndjson', body),
      accept: 'application/x-ndjson',
    })),
    ...sample(both, part(0.1)).map((body) => ({
      ...post('floor', body),
      caller: 'floor' as const,
    })),
    ...sample(fc.tuple(both, fc.nat(momentCount - 1)), part(0.06)).map(([body, moment]) => ({
      ...post('knownAt', body),
      caller: 'known' as const,
      moment,
    })),
    ...sample(fc.tuple(both, fc.array(damage, { minLength: 1, maxLength: 3 })), part(0.1)).map(
      ([body, damages]) =>
        post(
          'error',
          damages.reduce<unknown>((damaged, apply) => apply(damaged), body),
        ),
    ),
    ...listings(panel),
  ];
}

/** The response for a relative time such as "-7 days" changes with the clock. */
function hasFixedTime({ time, times = [time] }: MetricRequest): boolean {
  return times.every(({ from, to }) => [from, to].every((text) => /^\d/.test(text)));
}

/** The generators give a request with several ranges one range too. */
function sentForm(body: unknown): unknown {
  const isRequest = typeof body === 'object' && body !== null;
  return isRequest && 'times' in body ? { ...body, time: undefined } : body;
}

function sample<T>(arbitrary: fc.Arbitrary<T>, numRuns: number): readonly T[] {
  return fc.sample(arbitrary, { numRuns, seed: propertySeed });
}

function listings(panel: Panel): readonly Call[] {
  const get = (path: string, caller: Caller = 'panel'): Call => ({
    kind: 'listing',
    caller,
    method: 'GET',
    path,
  });
  const rawTests = Object.keys(panel.rows).map((test) => ({
    kind: 'test_data',
    caller: 'panel' as const,
    method: 'POST' as const,
    path: '/test_data',
    body: { test, date: { from: '2026-10-01', to: '2026-10-07' } },
  }));
  const filters = ['isp', 'package', 'country', 'target', 'tier', 'custom.tier', 'nothing'];
  return [
    ...['/metrics', '/tests', '/splits', '/filters', '/views', '/nothing'].map((path) => get(path)),
    ...filters.flatMap((id) => [
      get(`/filters/${id}/values`),
      get(`/filters/${id}/values?from=2026-10-01&to=2026-10-03`),
      get(`/filters/${id}/values?search=a`, 'floor'),
    ]),
    ...rawTests,
  ];
}
