import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

export type ServiceName = 'query' | 'metadata' | 'ingest';

export const serviceNames: readonly ServiceName[] = ['query', 'metadata', 'ingest'];

/** The part of JSON Schema that the tests use. */
export interface Schema {
  /** Two names if it may be null. */
  readonly type?: string | readonly [string, 'null'];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: NamedExamples;
}

/** Examples by name, as OpenAPI writes them. */
type NamedExamples = Readonly<Record<string, { readonly value: unknown }>>;

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
  /** Examples of bodies that are not JSON. */
  readonly textBodies: readonly TextBody[];
  readonly statuses: readonly number[];
  readonly responseExamples: readonly ResponseExample[];
}

export interface TextBody {
  readonly type: string;
  readonly text: string;
}

interface ResponseExample {
  readonly status: number;
  readonly body: unknown;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];

/** Every operation of the OpenAPI documents. The tests cover new operations automatically. */
export const operations: readonly Operation[] = serviceNames.flatMap((service) =>
  operationsOf(service, contractText(service)),
);

function contractText(service: ServiceName): string {
  return readFileSync(join(repositoryRoot, `openapi/${service}.yaml`), 'utf8');
}

/** The operations of an OpenAPI document. */
export function operationsOf(service: ServiceName, text: string): Operation[] {
  const root = parse(text) as Json;
  const { paths, security } = withoutReferences(root, root) as { paths: Json; security: unknown[] };
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in (item as Json))
      .map((method) => {
        const shared = (item as { parameters?: Parameter[] }).parameters ?? [];
        const operation = (item as Record<string, WrittenOperation>)[method]!;
        const json = operation.requestBody?.content['application/json'];
        return {
          service,
          document: `${service}.yaml`,
          path,
          method: method.toUpperCase(),
          id: operation.operationId,
          needsToken: (operation.security ?? security).length > 0,
          scope: operation['x-scope'],
          parameters: [...shared, ...(operation.parameters ?? [])],
          bodySchema: json?.schema,
          bodyExamples: examplesOf(json),
          textBodies: textBodiesOf(operation.requestBody),
          statuses: Object.keys(operation.responses).map(Number),
          responseExamples: Object.entries(operation.responses).flatMap(([status, { content }]) =>
            examplesOf(content?.['application/json']).map((body) => ({
              status: Number(status),
              body,
            })),
          ),
        };
      }),
  );
}

/** The values of `example` and `examples`. */
function examplesOf(written: WrittenExamples | undefined): readonly unknown[] {
  const { example, examples = {} } = written ?? {};
  const named = Object.values(examples).map(({ value }) => value);
  return example === undefined ? named : [example, ...named];
}

function textBodiesOf(body: WrittenContent | undefined): readonly TextBody[] {
  return Object.entries(body?.content ?? {}).flatMap(([type, written]) =>
    examplesOf(written)
      .filter((text) => typeof text === 'string')
      .map((text) => ({ type, text })),
  );
}

type Json = Record<string, unknown>;

interface WrittenOperation {
  readonly operationId: string;
  readonly 'x-scope'?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: WrittenContent;
  readonly responses: Readonly<Record<string, Partial<WrittenContent>>>;
}

interface WrittenContent {
  readonly content: Readonly<Record<string, WrittenBody | undefined>>;
}

interface WrittenBody extends WrittenExamples {
  readonly schema: Schema;
}

interface WrittenExamples {
  readonly example?: unknown;
  readonly examples?: NamedExamples;
}

/** Replaces every `$ref` by its target. Our documents have no recursive schemas. */
export function withoutReferences(value: unknown, root: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, root));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) {
    const steps = (value.$ref as string).slice('#/'.length).split('/');
    return withoutReferences(
      steps.reduce<unknown>((at, step) => (at as Json)[step], root),
      root,
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutReferences(item, root)]),
  );
}
