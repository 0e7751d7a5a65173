import { metricFields } from '../services/query/request/fields/metric-fields.ts';
import type {
  RequestField,
  RequestFields,
} from '../services/query/request/fields/request-field.ts';
import { viewFields } from '../services/query/request/parse-saved-view.ts';
import { testFields } from '../services/query/request/parse-test-query.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The schemas of the query contract that follow the declared fields of requests, by name. */
export function requestSchemas(): Readonly<Record<string, Schema>> {
  const components = new Map<string, Schema>();
  const { name } = viewFields;
  const bodies = {
    NewView: { ...objectSchema(viewFields, components), additionalProperties: false },
    ViewName: { ...objectSchema({ name }, components), additionalProperties: false },
    MetricQuery: objectSchema(metricFields, components),
    MetricDownload: withFormat('MetricQuery', objectSchema(metricFields, components)),
    TestQuery: objectSchema(testFields, components),
    TestDownload: withFormat('TestQuery', objectSchema(testFields, components)),
  };
  return { ...bodies, ...Object.fromEntries(components) };
}

function withFormat(query: string, schema: ObjectSchema): Schema {
  const format = { $ref: '#/components/schemas/ExportFormat' };
  return {
    description: `The fields of \`${query}\`, and the format of the file.`,
    ...schema,
    properties: { ...schema.properties, format },
  };
}

type ObjectSchema = Schema & { readonly properties: Schema };

function objectSchema(fields: RequestFields, components: Map<string, Schema>): ObjectSchema {
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired);
  const properties = Object.entries(fields).map(([name, field]) => [
    name,
    schemaOf(field, components),
  ]);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties) as Schema,
  };
}

/** A reference if the schema has a name, under which it is added to the components. */
function schemaOf(field: RequestField, components: Map<string, Schema>): Schema {
  const { schema, component, fields, items, example, isRequired } = field;
  const isNullable = field.isNullable ?? isRequired !== true;
  const { type, enum: names, ...limits } = schema;
  const types = isNullable ? [type, 'null'] : type;
  const inner = {
    type: types,
    ...(Array.isArray(names) && { enum: isNullable ? [...(names as unknown[]), null] : names }),
    ...limits,
    ...(typeof field.default === 'boolean' && { default: field.default }),
    ...describedBy(field),
    ...(items && { items: schemaOf({ isNullable: false, ...items }, components) }),
    ...(fields && { ...objectSchema(fields, components), type: types }),
    ...(example !== undefined && { examples: [example] }),
  };
  if (component === undefined) return inner;
  components.set(component, inner);
  return { $ref: `#/components/schemas/${component}` };
}

/** A text has its default in the description: generators make another type of an enum with a default. */
function describedBy({ about, default: fallback }: RequestField): Schema {
  if (about === undefined) return {};
  const end = typeof fallback === 'string' ? ` Default: \`${fallback}\`.` : '';
  return { description: `${about}${end}` };
}
