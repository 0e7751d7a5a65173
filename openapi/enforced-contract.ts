/**
 * The part of an OpenAPI document that a service enforces: operations, scopes, parameters and the content types
 * of bodies. Without the schemas of JSON request bodies, because the service's own parsers validate bodies: they
 * report all problems at once, in the contract's words, where a schema would report "must be object". Without
 * responses, which only tests validate.
 */
export function enforcedContract(document: OpenApiDocument): object {
  const { openapi, info, servers, security, paths = {}, components = {} } = document;
  const { parameters = {}, requestBodies = {}, securitySchemes = {} } = components;
  return {
    openapi,
    info,
    servers,
    security,
    paths: mapValues(paths, (path) => mapValues(path, enforcedOperation)),
    components: {
      parameters,
      requestBodies: mapValues(requestBodies, withoutSchemas),
      securitySchemes,
    },
  };
}

interface OpenApiDocument {
  readonly openapi?: string;
  readonly info?: object;
  readonly servers?: readonly object[];
  readonly security?: readonly object[];
  /** The item `parameters` of a path is a list. */
  readonly paths?: ByName<ByName<Operation | readonly object[]>>;
  readonly components?: {
    readonly parameters?: ByName<object>;
    readonly requestBodies?: ByName<RequestBody>;
    readonly securitySchemes?: ByName<object>;
  };
}

type ByName<T> = Readonly<Record<string, T>>;

interface Operation {
  readonly responses?: object;
  readonly requestBody?: RequestBody;
}

interface RequestBody {
  readonly $ref?: string;
  readonly content?: ByName<object>;
}

function enforcedOperation(operation: Operation | readonly object[]): object {
  if (isList(operation)) return operation;
  const { requestBody } = operation;
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: withoutSchemas(requestBody) }),
    // OpenAPI requires one.
    responses: { default: { description: 'Any response' } },
  };
}

function isList(item: Operation | readonly object[]): item is readonly object[] {
  return Array.isArray(item);
}

/** A reference stays as it is. */
function withoutSchemas(body: RequestBody): object {
  if (body.content === undefined) return body;
  return { ...body, content: mapValues(body.content, () => ({ schema: {} })) };
}

function mapValues<T, R>(record: ByName<T>, map: (value: T) => R): ByName<R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
