import { gzipSync } from 'node:zlib';
import type { ServiceName } from './contract.ts';
import { lmapReport } from './sample-request.ts';
import { ownAgent, ownMetricRequest } from './security-fixture.ts';

export interface HostileBody {
  readonly name: string;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly statuses: readonly number[];
  readonly code: string;
}

/** Hostile bodies, each with the expected response. */
export function hostileBodies(service: ServiceName): readonly HostileBody[] {
  const bodies: Readonly<Record<ServiceName, readonly HostileBody[]>> = {
    query: [...commonBodies(queryWith), ...queryBodies],
    metadata: [...commonBodies(metadataWith), ...metadataBodies],
    // Of LMAP reports. ingest-hostile.test.ts has those of POST /results.
    ingest: commonBodies(lmapWith, wrongType),
  };
  return bodies[service];
}

type Expected = Pick<HostileBody, 'statuses' | 'code'>;

type With = (json: string) => string;

/** A valid request except for one value, which is inserted as JSON text. */
const queryWith: With = (json) =>
  JSON.stringify({ ...ownMetricRequest, aggregation: 0 }).replace(
    '"aggregation":0',
    () => `"aggregation":${json}`,
  );
const metadataWith: With = (json) =>
  `{"agent":{"unit_id":${ownAgent.unitId}},"metadata":{"custom":{"key":${json}}}}`;

const lmapWith: With = (json) =>
  JSON.stringify(lmapReport('')).replace('"agent-id":""', () => `"agent-id":${json}`);

const json = { 'content-type': 'application/json' };
const unreadable = { headers: json, statuses: [400], code: 'BAD_REQUEST' };
const invalid = { headers: json, statuses: [422], code: 'VALIDATION_FAIL' };
const tooLarge = { headers: json, statuses: [413], code: 'PAYLOAD_TOO_LARGE' };
const wrongType = { statuses: [415], code: 'UNSUPPORTED_MEDIA_TYPE' };

function nested(levels: number, open = '[', close = ']'): string {
  return open.repeat(levels) + close.repeat(levels);
}

function commonBodies(withValue: With, brotli: Expected = unreadable): HostileBody[] {
  const good = withValue('1');
  return [
    { ...unreadable, name: 'lists nested 100,000 deep', body: nested(100_000) },
    {
      ...unreadable,
      name: 'objects nested 100,000 deep',
      body: nested(100_000, '{"a":', '}').replace('{"a":}', '{}'),
    },
    { ...unreadable, name: 'a field nested 100,000 deep', body: withValue(nested(100_000)) },
    { ...unreadable, name: 'a field nested 17 deep', body: withValue(nested(17)) },
    { ...tooLarge, name: 'a body of 2 megabytes', body: withValue(`"${'x'.repeat(2_000_000)}"`) },
    { ...tooLarge, name: 'a list of a million', body: withValue(list(1_000_000)) },
    { ...tooLarge, name: 'a list of half a million', body: list(500_000) },
    {
      ...tooLarge,
      name: 'a list of half a million instead of one value',
      body: withValue(list(500_000)),
    },
    { ...tooLarge, name: 'a hundred thousand unknown fields', body: fields(100_000) },
    { ...invalid, name: 'a list of nine thousand', body: list(9_000) },
    {
      ...invalid,
      name: 'a list of nine thousand instead of one value',
      body: withValue(list(9_000)),
    },
    { ...invalid, name: 'nine thousand unknown fields', body: fields(9_000) },
    { ...invalid, name: '__proto__ as a field', body: `{"__proto__":{"admin":1},${good.slice(1)}` },
    {
      ...invalid,
      name: 'constructor as a field',
      body: `{"constructor":{"prototype":{"a":1}},${good.slice(1)}`,
    },
    { ...invalid, name: 'prototype as a field', body: `{"prototype":1,${good.slice(1)}` },
    { ...invalid, name: 'a number of 1e400', body: withValue('1e400') },
    { ...invalid, name: 'a number beyond 2^53', body: withValue('9007199254740993') },
    { ...invalid, name: 'NUL in a text', body: withValue('"a\\u0000b"') },
    { ...invalid, name: 'a lone surrogate', body: withValue('"a\\ud800b"') },
    { ...unreadable, name: 'a bare NUL', body: withValue('"a\0b"') },
    { ...unreadable, name: 'a number with a thousand signs', body: withValue('-'.repeat(1_000)) },
    { ...unreadable, name: 'NaN', body: withValue('NaN') },
    { ...unreadable, name: 'a truncated body', body: good.slice(0, -2) },
    { ...unreadable, name: 'two bodies in one', body: good + good },
    { ...unreadable, name: 'the same field twice', body: withValue('{"a":1,"a":2}') },
    {
      ...unreadable,
      name: 'the same field twice, once escaped',
      body: withValue('{"a":1,"\\u0061":2}'),
    },
    { ...unreadable, name: 'invalid UTF-8', body: bytes(withValue('"?"'), [0xff]) },
    {
      ...unreadable,
      name: 'a surrogate in UTF-8',
      body: bytes(withValue('"?"'), [0xed, 0xa0, 0x80]),
    },
    { ...unreadable, name: 'an overlong slash', body: bytes(withValue('"?"'), [0xc0, 0xaf]) },
    {
      ...wrongType,
      name: 'a form',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1',
    },
    {
      ...wrongType,
      name: 'JSON with content type text/plain',
      headers: { 'content-type': 'text/plain' },
      body: good,
    },
    { ...wrongType, name: 'JSON without a content type', headers: {}, body: good },
    { ...wrongType, name: 'another charset', headers: charset('latin1'), body: good },
    {
      ...wrongType,
      name: 'UTF-16',
      headers: charset('utf-16le'),
      body: Buffer.from(good, 'utf16le'),
    },
    { ...wrongType, name: 'an unknown charset', headers: charset('utf-nonsense'), body: good },
    { ...wrongType, name: 'an unknown content encoding', headers: encodedAs('rot13'), body: good },
    {
      ...unreadable,
      name: 'a plain body declared as gzip',
      headers: encodedAs('gzip'),
      body: good,
    },
    {
      ...unreadable,
      name: 'a truncated gzip body',
      headers: encodedAs('gzip'),
      body: gzipSync(good).subarray(0, 30),
    },
    {
      ...brotli,
      name: 'a plain body declared as brotli',
      headers: encodedAs('br'),
      body: good,
    },
    // 200 megabytes of zeros when decompressed, a thousand times the sent size.
    { ...tooLarge, name: 'a gzip bomb', headers: encodedAs('gzip'), body: bomb() },
  ];
}

function filters(value: string): string {
  return JSON.stringify({ ...ownMetricRequest, filters: 0 }).replace(
    '"filters":0',
    () => `"filters":${value}`,
  );
}

const queryBodies: readonly HostileBody[] = [
  { ...tooLarge, name: 'half a million filters', body: filters(list(500_000)) },
  { ...invalid, name: 'nine thousand filters', body: filters(list(9_000)) },
  {
    ...invalid,
    name: 'nine thousand filter values',
    body: filters(`[{"id":"isp","filterType":1,"filterValues":${list(9_000)}}]`),
  },
  {
    ...invalid,
    name: 'nine thousand splits',
    body: queryWith('"daily"').replace('{', `{"splits":${list(9_000, '"isp"')},`),
  },
  {
    ...invalid,
    name: 'a unit beyond 2^53',
    body: filters('[{"id":"unit","filterType":1,"filterValues":["9007199254740993"]}]'),
  },
  {
    ...invalid,
    name: '__proto__ as the name of a field',
    body: filters('[{"id":"__proto__","filterType":1,"filterValues":["a"]}]'),
  },
];

const metadataBodies: readonly HostileBody[] = [
  {
    ...invalid,
    name: '__proto__ as a custom key',
    body: metadataWith('1').replace('"key"', '"__proto__"'),
  },
  {
    ...invalid,
    name: 'a unit beyond 2^53',
    body: metadataWith('1').replace('4711', '9007199254740993'),
  },
  {
    ...invalid,
    name: 'a date far beyond the calendar',
    body: metadataWith('1').replace('{', '{"backdate_from":1e300,'),
  },
];

function list(length: number, item = '1'): string {
  return `[${Array<string>(length).fill(item).join(',')}]`;
}

function fields(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`;
}

function bytes(text: string, replacement: readonly number[]): Buffer {
  const at = text.indexOf('?');
  return Buffer.concat([
    Buffer.from(text.slice(0, at)),
    Buffer.from(replacement),
    Buffer.from(text.slice(at + 1)),
  ]);
}

function charset(name: string): Record<string, string> {
  return { 'content-type': `application/json; charset=${name}` };
}

function encodedAs(encoding: string): Record<string, string> {
  return { ...json, 'content-encoding': encoding };
}

function bomb(): Buffer {
  return gzipSync(Buffer.alloc(200_000_000));
}
