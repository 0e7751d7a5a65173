import fc from 'fast-check';
import type { Operation, Parameter, TextBody } from './contract.ts';
import { sampleBody } from './sample-request.ts';
import { oddNumber, oddText, schemaValue } from './schema-values.ts';
import type { RawRequest } from './send.ts';

export interface FuzzedRequest extends RawRequest {
  readonly operation: Operation;
}

/** Requests for an operation: valid, slightly damaged, and arbitrary. */
export function fuzzedRequest(operation: Operation): fc.Arbitrary<FuzzedRequest> {
  const { method, parameters, bodySchema } = operation;
  const named = (place: Parameter['in']) => parameters.filter((one) => one.in === place);
  return fc
    .record({
      path: fc.tuple(...named('path').map(pathValue)),
      query: fc.tuple(...named('query').map(queryValue)),
      stray: strayParameters,
      headers: fc.tuple(...named('header').map(headerValue)),
      content: bodySchema === undefined ? noBody : sentBody(operation),
    })
    .map(({ path, query, stray, headers, content }) => ({
      operation,
      method,
      path: filled(operation, path) + queryText([...query.flat(), ...stray]),
      headers: { ...Object.fromEntries(headers.flat()), ...content.headers },
      body: content.body,
    }));
}

/** Sometimes one unknown query parameter. */
const strayParameters: fc.Arbitrary<readonly Pair[]> = fc.oneof(
  { weight: 12, arbitrary: fc.constant([]) },
  fc.tuple(fc.tuple(oddText, oddText)),
);

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const json = { 'content-type': 'application/json' };

/** An operation without a body ignores one. */
const noBody: fc.Arbitrary<Content> = fc.oneof(
  { weight: 9, arbitrary: fc.constant({ headers: {} }) },
  fc.constantFrom(
    { headers: json, body: '{}' },
    { headers: json, body: '{"not json' },
    { headers: { 'content-type': 'text/plain' }, body: 'hello' },
  ),
);

function sentBody(operation: Operation): fc.Arbitrary<Content> {
  const { bodySchema = {}, textBodies } = operation;
  // The sample succeeds with the data of the fixture, so that its damaged forms reach further.
  const bodyExamples = [...operation.bodyExamples, sampleBody(operation)];
  const fromSchema = schemaValue(bodySchema);
  const good = fc.oneof(
    fc.constantFrom(...bodyExamples),
    fromSchema,
    withExample(bodyExamples, fromSchema),
  );
  const asJson = (value: fc.Arbitrary<unknown>) =>
    value.map((body) => ({ headers: json, body: JSON.stringify(body) }));
  return fc.oneof(
    { weight: 5, arbitrary: asJson(good) },
    { weight: 6, arbitrary: asJson(fc.tuple(good, damage).map(([body, apply]) => apply(body))) },
    { weight: 2, arbitrary: asJson(fc.jsonValue()) },
    { weight: 1, arbitrary: oddContent },
    ...(textBodies.length === 0 ? [] : [{ weight: 6, arbitrary: damagedText(textBodies) }]),
  );
}

/** A body that is not JSON, with a random part replaced by other text. */
function damagedText(bodies: readonly TextBody[]): fc.Arbitrary<Content> {
  return fc
    .tuple(fc.constantFrom(...bodies), fc.nat(), fc.nat(10), oddText)
    .map(([{ type, text }, start, length, other]) => {
      const at = start % text.length;
      const body = text.slice(0, at) + other + text.slice(at + length);
      return { headers: { 'content-type': type }, body };
    });
}

/** An example with some fields from a generated request, because examples are few. */
function withExample(examples: readonly unknown[], fromSchema: fc.Arbitrary<unknown>) {
  return fc
    .tuple(fc.constantFrom(...examples), fromSchema, fc.array(fc.nat(), { maxLength: 3 }))
    .map(([example, other, picks]) => {
      const fields = Object.entries(other as object);
      const taken = picks.flatMap((pick) => (fields.length ? [fields[pick % fields.length]!] : []));
      return { ...(example as object), ...Object.fromEntries(taken) };
    });
}

const oddContent: fc.Arbitrary<Content> = fc.oneof(
  fc.constantFrom(
    { headers: {}, body: undefined },
    { headers: json, body: '' },
    { headers: json, body: '{' },
    { headers: json, body: 'null' },
    { headers: json, body: `"${'x'.repeat(1_200_000)}"` },
    { headers: { 'content-type': 'text/plain' }, body: '{}' },
    { headers: { 'content-type': 'application/json; charset=latin1' }, body: '{}' },
    { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' },
    { headers: { ...json, 'content-encoding': 'gzip' }, body: 'not gzip' },
    { headers: { ...json, 'content-encoding': 'rot13' }, body: '{}' },
  ),
  oddText.map((body) => ({ headers: json, body })),
);

type Damage = (body: unknown) => unknown;

/** Changes one place of a body: another type, an added or removed field, an extreme number. */
export const damage: fc.Arbitrary<Damage> = fc
  .record({
    place: fc.nat(),
    depth: fc.nat(3),
    how: fc.constantFrom('replace', 'remove', 'add', 'repeat'),
    name: oddText,
    value: fc.oneof(oddText, oddNumber, fc.constantFrom(null, true, [], {}, [[]]), fc.jsonValue()),
  })
  .map(({ place, depth, how, name, value }) => {
    const damaged = (at: unknown, left: number): unknown => {
      if (typeof at !== 'object' || at === null) return value;
      const entries: [string, unknown][] = Object.entries(at);
      if (how === 'add' && left === 0) entries.push([name, value]);
      const [key, inner] = entries[place % Math.max(1, entries.length)] ?? ['', undefined];
      const changed = left > 0 && inner !== null && typeof inner === 'object';
      const result = entries.flatMap((entry): [string, unknown][] => {
        if (entry[0] !== key) return [entry];
        if (changed) return [[key, damaged(inner, left - 1)]];
        if (how === 'remove') return [];
        return [[key, how === 'repeat' ? Array(50).fill(inner) : how === 'add' ? inner : value]];
      });
      if (Array.isArray(at)) return result.map(([, item]) => item);
      return Object.fromEntries(result);
    };
    return (body: unknown) => damaged(body, depth);
  });

// An empty segment, `.` and `..` would change the path.
function pathValue({ name, schema }: Parameter): fc.Arbitrary<Pair> {
  const text = fc.oneof(schemaValue(schema, name).map(String), oddText, fc.uuid());
  const encoded = text
    .map((value) => encodeURIComponent(wellFormed(value)))
    .filter((value) => !['', '.', '..'].includes(value));
  return fc
    .oneof({ weight: 20, arbitrary: encoded }, fc.constantFrom('%ff', '%', '%zz'))
    .map((value) => [name, value] as const);
}

function queryValue({ name, schema, required }: Parameter): fc.Arbitrary<readonly Pair[]> {
  const one = fc
    .oneof(schemaValue(schema, name).map(String), oddText)
    .map((value): Pair => [name, value]);
  const once = { weight: 4, arbitrary: fc.tuple(one) };
  const often = { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) };
  return fc.oneof(once, often, { weight: required ? 1 : 4, arbitrary: fc.constant([]) });
}

function headerValue({ name, schema }: Parameter): fc.Arbitrary<readonly Pair[]> {
  const text = fc.oneof(schemaValue(schema, name).map(String), oddText);
  // HTTP clients cannot send other characters in a header.
  const sendable = text.map((value) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?'));
  return fc.oneof(
    sendable.map((value): Pair[] => [[name, value]]),
    fc.constant([]),
  );
}

function filled({ path }: Operation, values: readonly Pair[]): string {
  return values.reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), path);
}

function queryText(pairs: readonly Pair[]): string {
  const text = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  return text === '' ? '' : `?${text}`;
}

function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** encodeURIComponent throws on lone surrogates. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

type Pair = readonly [string, string];
