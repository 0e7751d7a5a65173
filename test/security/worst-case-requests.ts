import type { Operation, Schema } from './contract.ts';
import { sampleBody, sentTest } from './sample-request.ts';
import { ownAgent } from './security-fixture.ts';
import type { RawRequest } from './send.ts';

/** The defaults of MAX_BODY_BYTES and MAX_BODY_VALUES. */
const maxBytes = 1_048_576;
const maxValues = 10_000;
/** Less than the limit for the URL and all headers, 64 KiB. */
const maxPathLength = 60_000;

export type NamedRequest = RawRequest & { readonly name: string };

/** Requests of the maximum size that a service may have to work on the longest. */
export function worstCaseRequests(operation: Operation, storedKeys: readonly string[]) {
  const body = sampleBody(operation);
  return [
    ...worstPaths(operation).map(([name, path]) => ({ name, method: operation.method, path })),
    ...(body === undefined ? [] : worstBodies(operation, body, storedKeys)).map(([name, text]) => ({
      name,
      method: operation.method,
      path: sentPath(operation),
      headers: { 'content-type': 'application/json' },
      body: text,
    })),
    ...(operation.id === 'postResults' ? worstResults(operation) : []),
  ] satisfies NamedRequest[];
}

function sentPath({ path }: Operation): string {
  return path.replace('{test}', sentTest);
}

/** Results of 8 MiB: much more than the chunks in which a body arrives. */
function worstResults(operation: Operation): readonly NamedRequest[] {
  const dtime = new Date(Date.now() - 60_000).toISOString();
  const unitId = ownAgent.unitId;
  const rowsOf = (row: (i: number) => string, mib = 8) =>
    list(mib * (maxBytes / row(1e6).length), row, '');
  const csv = (mib?: number) =>
    `unit_id,dtime,target\n${rowsOf((i) => `${unitId},${dtime},${i}\n`, mib)}`;
  const bodies: Named<string> = [
    [
      'application/x-ndjson',
      rowsOf((i) => `{"unit_id":${unitId},"dtime":"${dtime}","target":"${i}"}\n`),
    ],
    ['text/csv', csv()],
    // All are rejected: their agents are unknown.
    ['application/x-ndjson', rowsOf((i) => `{"unit_id":${i + 1e6},"dtime":"${dtime}"}\n`)],
    ['application/x-ndjson', '{}\n'.repeat(maxBytes)],
    ['text/csv', `unit_id,dtime,target\n${',,\n'.repeat(maxBytes)}`],
    ['text/csv', `"${'a""'.repeat(maxBytes)}`],
  ];
  const request = ([type, body]: readonly [string, string], query = '') => ({
    name: `${type} of ${body.length} bytes${query}: ${body.slice(0, 40)}`,
    method: operation.method,
    path: sentPath(operation) + query,
    headers: { 'content-type': type },
    body,
  });
  // Corrections get one more column: every row is copied.
  return [...bodies.map((one) => request(one)), request(['text/csv', csv(24)], '?replace=true')];
}

type Named<T> = readonly (readonly [string, T])[];

function worstPaths({ path, parameters }: Operation): Named<string> {
  const filled = path.replaceAll(/\{\w+\}/g, 'x');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const long: Named<string> = [
    ['letters', 'a'.repeat(maxPathLength)],
    ['escapes', '%61'.repeat(maxPathLength / 3)],
    ['colons', ':-'.repeat(maxPathLength / 2)],
  ];
  return [
    ...names.flatMap((name) =>
      long.map(
        ([what, text]) =>
          [
            `${what} as {${name}}`,
            path.replace(`{${name}}`, text).replaceAll(/\{\w+\}/g, 'x'),
          ] as const,
      ),
    ),
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name }) =>
        long.map(([what, text]) => [`${what} as ${name}`, `${filled}?${name}=${text}`] as const),
      ),
    ['thousands of parameters', `${filled}?${'a&'.repeat(maxPathLength / 2)}`],
    [
      'thousands of different parameters',
      `${filled}?${Array.from({ length: 2_500 }, (_, i) => `${i.toString(36)}=`).join('&')}`,
    ],
  ];
}

function worstBodies(
  { bodySchema }: Operation,
  sample: object,
  storedKeys: readonly string[],
): Named<string> {
  // Selects no agent, so that nothing is stored.
  const body = 'agent' in sample ? { ...sample, agent: { agent_id: 'none' } } : sample;
  const similar = storedKeys.map((key) => `${key.slice(0, -2)}zz`);
  return [
    ...rawBodies,
    ...fieldPaths(bodySchema).flatMap((path) =>
      worstValues.map(
        ([what, json]) => [`${what} as ${path.join('.')}`, withValue(body, path, json)] as const,
      ),
    ),
    ...('metric' in body ? metricBodies(body, similar) : []),
  ];
}

/** Without regard to the route. */
const rawBodies: Named<string> = [
  ['a list of short values', sized((count) => `[${'1,'.repeat(count - 1)}1]`, 2)],
  ['objects in each other', '{"a":'.repeat(maxBytes / 6)],
  ['one text of quotes', `"${'\\"'.repeat(maxBytes / 2 - 2)}"`],
  ['one text of escapes', `"${'\\u00e9'.repeat(maxBytes / 6 - 2)}"`],
  ['lists in a list', `[${list(maxValues / 2 - 10, () => '[1]')}]`],
  ['digits', '1'.repeat(maxBytes)],
  ['unknown fields with long names', objectOf(maxValues - 10, 80)],
  ['unknown fields with short names', objectOf(maxValues - 10, 0)],
];

/** Put into each field of the body. */
const worstValues: Named<string> = [
  ['a long text', `"a${' 1:'.repeat(maxBytes / 3 - 2_000)}"`],
  ['a list of texts', `[${list(maxValues - 100, (i) => `"${String(i).padEnd(90, 'x')}"`)}]`],
  ['an object of texts', objectOf(maxValues - 100, 80)],
];

/** Filters and splits by names that are similar to many stored keys, and valid ones of maximum size. */
function metricBodies(body: object, similar: readonly string[]): Named<string> {
  const filter = (id: string, filterValues: readonly string[]) => ({
    id,
    filterType: 'include',
    filterValues,
  });
  const name = (i: number) => similar[i % similar.length]!;
  const filters = (all: readonly object[]) => JSON.stringify({ ...body, filters: all });
  return [
    ['unknown filters', filters(fifty((i) => filter(name(i), ['a'])))],
    ['long lists in fifty filters', filters(fifty((i) => filter('target', twenty(i))))],
    ['a thousand long values', filters([filter('target', fifty(twenty).flat())])],
    ['a thousand invalid numbers', filters([filter('unit', fifty(twenty).flat())])],
    ['unknown splits', JSON.stringify({ ...body, splits: fifty(name).slice(0, 5) })],
  ];
}

function fifty<T>(item: (i: number) => T): T[] {
  return Array.from({ length: 50 }, (_, i) => item(i));
}

/** Of the maximum size if there are fifty such lists. */
function twenty(list: number): string[] {
  return Array.from({ length: 20 }, (_, i) => `${list}-${i}`.padEnd(500, "xxxx'\\é"));
}

/** The fields of a body and those of the objects in it. */
function fieldPaths(schema: Schema = {}): string[][] {
  return [schema, ...(schema.allOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, field]) => [
      [name],
      ...fieldPaths(field).map((path) => [name, ...path]),
    ]),
  );
}

/** JSON.stringify(body) with this JSON text at the path. */
function withValue(body: object, [name = '', ...rest]: readonly string[], json: string): string {
  const inner = (body as Readonly<Record<string, object>>)[name] ?? {};
  const text = rest.length === 0 ? json : withValue(inner, rest, json);
  const others = Object.entries(body).filter(([other]) => other !== name);
  const fields = others.map(
    ([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`,
  );
  return `{${[...fields, `${JSON.stringify(name)}:${text}`].join(',')}}`;
}

function objectOf(count: number, nameLength: number): string {
  return `{${list(count, (i) => `"${String(i).padEnd(nameLength, 'x')}":"a"`)}}`;
}

function list(count: number, item: (i: number) => string, separator = ','): string {
  return Array.from({ length: count }, (_, i) => item(i)).join(separator);
}

function sized(text: (count: number) => string, bytesPerItem: number): string {
  return text(Math.floor((maxBytes - 10) / bytesPerItem));
}
