import { operations, type Schema } from '../security/contract.ts';

/** A field with a value that does not change a request: null, or its documented default. */
export interface NeutralField {
  readonly path: readonly string[];
  readonly value: unknown;
}

type Json = Readonly<Record<string, unknown>>;

interface DocumentedSchema extends Schema {
  readonly default?: unknown;
  readonly description?: string;
}

/** The fields that the contract of POST /metric_data allows to add to a request, also within its objects. */
export function neutralFields(request: object): readonly NeutralField[] {
  const { bodySchema } = operations.find(({ id }) => id === 'postMetricData')!;
  return fieldsWithin(request as Json, bodySchema!, []);
}

function fieldsWithin(
  object: Json,
  { properties = {} }: Schema,
  parent: readonly string[],
): readonly NeutralField[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...parent, name];
    const sent = object[name];
    if (sent !== undefined) {
      const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
      return isObject ? fieldsWithin(sent as Json, schema, path) : [];
    }
    const { type, default: value, description = '' } = schema as DocumentedSchema;
    const usual = value ?? /Default: `(\w+)`/.exec(description)?.[1];
    return [
      ...(Array.isArray(type) ? [{ path, value: null }] : []),
      ...(usual === undefined ? [] : [{ path, value: usual }]),
    ];
  });
}

export function withFields(request: object, fields: readonly NeutralField[]): object {
  return fields.reduce(
    (changed, { path, value }) => withField(changed as Json, path, value),
    request,
  );
}

function withField(object: Json, [name = '', ...inner]: readonly string[], value: unknown): Json {
  const changed = inner.length === 0 ? value : withField(object[name] as Json, inner, value);
  return { ...object, [name]: changed };
}
