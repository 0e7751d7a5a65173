/**
 * A copy of an OpenAPI document in which every JSON request body is free of rules. The document
 * tells readers everything about a body, but the service's own parser is the judge of it: it names
 * all problems at once, in the contract's words, where a schema would say "must be object".
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
