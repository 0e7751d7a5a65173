import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

export type ServiceName = 'query' | 'metadata';

/** The part of JSON Schema that the tests use. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly service: ServiceName;
  readonly document: string;
  readonly id: string;
  readonly method: string;
  /** Such as `/exports/{id}`. */
  readonly path: string;
  readonly needsToken: boolean;
  /** The scope that a token needs; undefined if the operation needs no token. */
  readonly scope: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly bodySchema: Schema | undefined;
  /** The body examples of the document. */
  readonly bodyExamples: readonly unknown[];
  readonly statuses: readonly number[];
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];

/** Every operation of both OpenAPI documents. The tests cover new operations automatically. */
export const operations: readonly Operation[] = [
  ...operationsOf('query', 'query.yaml'),
  ...operationsOf('metadata', 'metadata.yaml'),
];

function operationsOf(service: ServiceName, document: string): Operation[] {
  const text = readFileSync(join(repositoryRoot, 'openapi', document), 'utf8');
  const root = parse(text) as Json;
  const { paths, security } = resolved(root, root) as { paths: Json; security: unknown[] };
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in (item as Json))
      .map((method) => {
        const shared = (item as { parameters?: Parameter[] }).parameters ?? [];
        const operation = (item as Record<string, WrittenOperation>)[method]!;
        const json = operation.requestBody?.content['application/json'];
        return {
          service,
          document,
          path,
          method: method.toUpperCase(),
          id: operation.operationId,
          needsToken: (operation.security ?? security).length > 0,
          scope: operation['x-scope'],
          parameters: [...shared, ...(operation.parameters ?? [])],
          bodySchema: json?.schema,
          bodyExamples: [
            ...(json?.example === undefined ? [] : [json.example]),
            ...Object.values(json?.examples ?? {}).map(({ value }) => value),
          ],
          statuses: Object.keys(operation.responses).map(Number),
        };
      }),
  );
}

type Json = Record<string, unknown>;

interface WrittenOperation {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, WrittenBody | undefined>>;
  };
  readonly responses: Json;
}

interface WrittenBody {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Replaces every `$ref` by its target. Our documents have no recursive schemas. */
function resolved(value: unknown, root: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, root));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) {
    const steps = (value.$ref as string).slice('#/'.length).split('/');
    return resolved(
      steps.reduce<unknown>((at, step) => (at as Json)[step], root),
      root,
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolved(item, root)]),
  );
}
