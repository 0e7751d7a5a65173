/**
 * A copy of an OpenAPI document without the schemas of JSON request bodies. The service's own parsers
 * validate bodies: they report all problems at once, in the contract's words, where a schema would
 * report "must be object".
 */
export function withoutBodySchemas<T extends object>(document: T): T {
  const copy = structuredClone(document) as Document;
  const operations = Object.values(copy.paths ?? {}).flatMap((path) => Object.values(path));
  for (const body of [
    ...operations.map(({ requestBody }) => requestBody),
    ...Object.values(copy.components?.requestBodies ?? {}),
  ]) {
    const json = body?.content?.['application/json'];
    if (json !== undefined) json.schema = {};
  }
  return copy as T;
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly requestBodies?: Readonly<Record<string, RequestBody>> };
}

interface Operation {
  readonly requestBody?: RequestBody;
}

interface RequestBody {
  readonly content?: Readonly<Record<string, { schema: object }>>;
}
