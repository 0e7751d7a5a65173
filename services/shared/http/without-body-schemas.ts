/**
 * A copy of an OpenAPI document in which every JSON request body is free of rules. The document
 * tells readers everything about a body, but the service's own parser is the judge of it: it names
 * all problems at once, in the contract's words, where a schema would say "must be object".
 */
export function withoutBodySchemas<T extends object>(document: T): T {
  const copy = structuredClone(document) as Document;
  for (const path of Object.values(copy.paths ?? {})) {
    for (const operation of Object.values(path)) {
      const json = operation.requestBody?.content?.['application/json'];
      if (json !== undefined) json.schema = {};
    }
  }
  return copy as T;
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema: object }>> };
}
