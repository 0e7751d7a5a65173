import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { metricFields } from '../../../services/query/request/fields/metric-fields.ts';
import type { RequestFields } from '../../../services/query/request/fields/request-field.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { operations, type Schema, serviceNames } from '../../security/contract.ts';

type Node = Readonly<Record<string, unknown>>;

/** The values that callers choose, so that any JSON value is possible. */
const openFields = ['metadata.components.schemas.ChangeWarning.properties.value'];

// Client generators write one class per schema. Of a field with two types they make a wrapper that does not compile, or
// that loses columns.
describe('the OpenAPI documents', () => {
  for (const service of serviceNames) {
    it(`have one JSON type per field: ${service}`, () => {
      const text = readFileSync(join(repositoryRoot, `openapi/${service}.yaml`), 'utf8');
      const found = schemasOf(parse(text), service);
      expect(found.length).to.be.greaterThan(50);
      expect(found.flatMap(problemsOf)).to.deep.equal([]);
    });
  }

  it('are refused with a field of two types', () => {
    const refused = (schema: object) =>
      schemasOf({ components: { schemas: { A: { type: 'object', properties: { b: schema } } } } })
        .flatMap(problemsOf)
        .map((problem) => problem.replace(/^.*: /, ''));
    expect(refused({ anyOf: [{ type: 'string' }, { type: 'number' }] })).to.include('has anyOf');
    expect(refused({ oneOf: [{ type: 'object' }] })).to.include('has oneOf');
    expect(refused({ type: ['string', 'number'] })).to.deep.equal(['has several types']);
    expect(refused({ type: ['string', 'null'] })).to.deep.equal([]);
    expect(refused({})).to.deep.equal(['has no type']);
    expect(refused({ type: 'boolean', enum: [true] })).to.deep.equal(['has an enum of booleans']);
    expect(refused({ type: 'string', enum: ['1', 1] })).to.deep.equal(['has the enum value 1']);
    expect(refused({ type: 'string', enum: ['1', null] })).to.deep.equal([
      'has the enum value null',
    ]);
    expect(refused({ type: ['string', 'null'], enum: ['1', null] })).to.deep.equal([]);
  });

  it('have the defaults that the service leaves out of a request for metric data', () => {
    const body = operations.find(({ id }) => id === 'postMetricData')!.bodySchema!;
    expect(defaultsOf(body)).to.deep.equal(declaredDefaults(metricFields));
  });

  it('allow null for the fields that a request for metric data may have as null', () => {
    const body = operations.find(({ id }) => id === 'postMetricData')!.bodySchema!;
    expect(nullableProperties(body)).to.have.members(nullableFields(metricFields));
  });
});

/** The fields that may be null, also within objects. */
function nullableFields(fields: RequestFields, path = ''): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...((field.isNullable ?? field.isRequired !== true) ? [path + name] : []),
    ...nullableFields(field.fields ?? {}, `${path}${name}.`),
  ]);
}

function nullableProperties({ properties = {} }: Schema, path = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    ...(Array.isArray(schema.type) ? [path + name] : []),
    ...nullableProperties(schema, `${path}${name}.`),
  ]);
}

/** Every schema of a document, by its path. */
function schemasOf(
  node: unknown,
  path = '',
  isSchema = false,
): readonly (readonly [string, Node])[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, child]: [string, unknown]) => {
    if (['example', 'examples', 'enum', 'default'].includes(name)) return [];
    const isNamed = /\.(properties|components\.schemas|allOf|anyOf|oneOf)$/.test(`.${path}`);
    const isOne = ['schema', 'items', 'additionalProperties'].includes(name) && !isNamed;
    return schemasOf(child, path === '' ? name : `${path}.${name}`, isNamed || isOne);
  });
  return isSchema ? [[path, node as Node], ...inner] : inner;
}

function problemsOf([path, schema]: readonly [string, Node]): readonly string[] {
  const { type: written, enum: values = [] } = schema as { enum?: unknown[] } & Node;
  const [type, ...otherTypes] = (Array.isArray(written) ? written : [written]) as unknown[];
  const isNullable = otherTypes.length === 1 && otherTypes[0] === 'null';
  const isOpen = path.endsWith('.additionalProperties') || openFields.includes(path);
  const problems = [
    ...['anyOf', 'oneOf', 'not'].filter((word) => word in schema).map((word) => `has ${word}`),
    ...(typeof type === 'string' || '$ref' in schema || 'allOf' in schema || isOpen
      ? []
      : ['has no type']),
    ...(otherTypes.length === 0 || isNullable ? [] : ['has several types']),
    ...(type === 'boolean' && values.length > 0 ? ['has an enum of booleans'] : []),
    ...values
      .filter((value) => (value === null ? !isNullable : typeof value !== jsonType(type)))
      .map((value) => `has the enum value ${JSON.stringify(value)}`),
  ];
  return problems.map((problem) => `${path}: ${problem}`);
}

function jsonType(type: unknown): unknown {
  return type === 'integer' ? 'number' : type;
}

function declaredDefaults(fields: RequestFields): Node {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const inner = declaredDefaults(field.fields ?? {});
    const own = field.default ?? (Object.keys(inner).length > 0 ? inner : undefined);
    return own === undefined ? [] : [[name, own] as const];
  });
  return Object.fromEntries(entries);
}

/** The documented default of each field, also within objects: `default`, or the words "Default: `asOf`". */
function defaultsOf({ properties = {} }: Schema): Node {
  const entries = Object.entries(properties).flatMap(([name, schema]) => {
    const { default: value, description = '' } = schema as { default?: unknown } & Node;
    const [, written] = /Default: `(\w+)`/.exec(description as string) ?? [];
    const inner = defaultsOf(schema);
    const own = value ?? written ?? (Object.keys(inner).length > 0 ? inner : undefined);
    return own === undefined ? [] : [[name, own] as const];
  });
  return Object.fromEntries(entries);
}
