import fc from 'fast-check';
import type { Schema } from './contract.ts';
import { injectionCorpus } from './injection-corpus.ts';

/** Values that match a schema. For known field names most values exist in the fixture. */
export function schemaValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { allOf } = schema;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (allOf !== undefined) return schemaValue(Object.assign({}, ...allOf) as Schema, name);
  switch (schema.type) {
    case 'object':
      return objectValue(schema);
    case 'array':
      return fc.array(schemaValue(schema.items ?? {}, name), { maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(integerOf(name), oddNumber.filter(Number.isInteger));
    case 'number':
      return oddNumber;
    case undefined:
      // Any value, such as that of a custom field.
      return fc.oneof(oddText, oddNumber, fc.constant(null));
    default:
      return fc.oneof({ weight: 6, arbitrary: knownText(name) }, oddText);
  }
}

function objectValue({ properties, required = [], additionalProperties }: Schema) {
  if (properties === undefined && typeof additionalProperties === 'object') {
    const key = fc.oneof(fc.constantFrom('cohort', 'tier', 'floor'), oddText);
    return fc.dictionary(key, schemaValue(additionalProperties), { maxKeys: 3 });
  }
  const fields = Object.entries(properties ?? {}).map(
    ([name, schema]) => [name, schemaValue(schema, name)] as const,
  );
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: required.filter((name) => name in (properties ?? {})),
  });
}

/** Values that exist in the fixture, by the name of the field or parameter. */
const known: Readonly<Record<string, readonly [string, ...string[]]>> = {
  metric: ['httpget', 'httpgetmt', 'dnsFail', 'udpPacketLoss', 'mobileLatency', 'webgetAvg'],
  test: ['httpget', 'ping', 'mobile_youtube', 'traceroute'],
  splits: ['isp', 'package', 'cohort', 'custom.cohort', 'unit', 'threads', 'base'],
  id: ['isp', 'cohort', 'custom.cohort', 'unit', 'threads', 'agent', 'target'],
  filterValues: ['Northwave', 'spring', '4711', '3', 'box-1'],
  from: ['2026-01-01 00:00', '2026-01-01', '2026-01', '-7 days', 'last monday'],
  to: ['2026-01-31 23:59:59', '2026-01-31', '2026-01', 'now', 'this friday'],
  package: ['Northwave:Fibre 500', 'Northwave:', 'Brightline:Cable'],
  isp: ['Northwave', 'Brightline'],
  timezone: ['Europe/London', 'Asia/Kathmandu'],
  agent_id: ['box-1', 'BOX 1'],
  mac_address: ['00:00:00:00:47:11'],
  field: ['agent', 'unit', 'mac'],
  value: ['box1', '4711', '000000004711'],
  search: ['n', '47', 'spr'],
  Prefer: ['respond-async', 'return=minimal, respond-async'],
};

function knownText(name: string): fc.Arbitrary<string> {
  return fc.constantFrom(...(known[name] ?? ['x']));
}

function integerOf(name: string): fc.Arbitrary<number> {
  if (name === 'backdate_from') {
    return fc.integer({ min: 0, max: 28 * 86_400 - 60 }).map((ago) => nowS() - ago);
  }
  return fc.constantFrom(4711, 1, 100);
}

function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', ' ', 'null', 'NaN', '-0', '1e400', 'toString', 'hasOwnProperty', '__proto__'),
  fc.constantFrom(...injectionCorpus),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('x'.repeat(4_000), '💥'.repeat(300), "'".repeat(1_000), 'é'.repeat(65)),
);

export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -1, 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, -(2 ** 53), 2 ** 63),
  fc.constantFrom(0.1, 1e-300, 1e300, Number.MAX_VALUE, Number.MIN_VALUE, 1e21),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);
