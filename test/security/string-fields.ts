import type { Operation, Schema } from './contract.ts';
import { sampleBody, sampleRequest } from './sample-request.ts';
import type { RawRequest } from './send.ts';
import { ownPackage, type Fixture } from './security-fixture.ts';

/** A field of an operation's request that takes text. */
export interface StringField {
  readonly operation: Operation;
  /** `path id`, `header Prefer`, `body filters.0.id`, `body metadata.custom{key}` */
  readonly name: string;
  /** A valid request with this text in the field. */
  readonly request: (text: string) => RawRequest;
}

/** Every text field of an operation, from the OpenAPI document. */
export function stringFields(operation: Operation, fixture: () => Fixture): StringField[] {
  const good = () => fullRequest(operation, fixture());
  const fields = operation.parameters.map(({ name, in: place }) => ({
    name: `${place} ${name}`,
    request: (text: string): RawRequest => {
      const { path, headers, ...rest } = good();
      if (place === 'header') {
        return { ...rest, path, headers: { ...headers, [name]: sendable(text) } };
      }
      return { ...rest, headers: headers ?? {}, path: placed(operation, path, place, name, text) };
    },
  }));
  const headers = ['authorization', 'x-request-id', 'accept', 'user-agent'].map((name) => ({
    name: `header ${name}`,
    request: (text: string): RawRequest => {
      const request = good();
      return { ...request, headers: { ...request.headers, [name]: sendable(text) } };
    },
  }));
  const written = textPathsInSchema(operation.bodySchema ?? {});
  const sent = textPaths(fullBody(operation));
  const places = [...new Set([...written, ...sent].map((one) => one.join('.')))];
  const inBody = places.map((place) => ({
    name: `body ${place}`,
    request: (text: string): RawRequest => {
      const { body, ...request } = good();
      const changed = withText(JSON.parse(String(body)), place.split('.'), text);
      return { ...request, body: JSON.stringify(changed) };
    },
  }));
  return [...fields, ...headers, ...inBody].map((field) => ({ operation, ...field }));
}

function fullRequest(operation: Operation, fixture: Fixture): RawRequest {
  const request = sampleRequest(operation, fixture);
  const body = fullBody(operation);
  return body === undefined ? request : { ...request, body: JSON.stringify(body) };
}

/** With every optional field, so that each text field exists. */
function fullBody(operation: Operation): object | undefined {
  const body = sampleBody(operation);
  if (body === undefined) return undefined;
  if (operation.id === 'putMetadata') {
    const metadata = { package: ownPackage, timezone: 'Europe/London', custom: { note: 'x' } };
    return { ...body, metadata };
  }
  if (!('metric' in body)) return body;
  const filters = [{ id: 'cohort', filterType: 'exclude', filterValues: ['none'] }];
  return { ...body, splits: ['cohort'], filters };
}

/** The paths of all texts in a body. */
function textPaths(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textPaths(inner, [...at, name]));
}

/** `{*}` stands for a field name that the client chooses. */
function textPathsInSchema(schema: Schema, at: readonly string[] = []): (readonly string[])[] {
  const { type, properties, items, additionalProperties, allOf } = schema;
  // A value of any type, such as that of a custom field.
  const isOpen = at.length > 0 && type === undefined && allOf === undefined;
  return [
    ...([type].flat().includes('string') || isOpen ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) =>
      textPathsInSchema(inner, [...at, name]),
    ),
    ...(items === undefined ? [] : textPathsInSchema(items, [...at, '0'])),
    ...(typeof additionalProperties === 'object'
      ? [[...at, '{*}'], ...textPathsInSchema(additionalProperties, [...at, 'note'])]
      : []),
    ...(allOf ?? []).flatMap((one) => textPathsInSchema(one, at)),
  ];
}

function withText(value: unknown, [step, ...rest]: readonly string[], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value)) {
    return [withText(value[0], rest, text), ...(value.slice(1) as unknown[])];
  }
  const fields = (value ?? {}) as Record<string, unknown>;
  const entries = Object.entries(fields).filter(([name]) => name !== step);
  if (step === '{*}') return Object.fromEntries([...entries, [text, 'x']]);
  const inner = fields[step] ?? (rest[0] === '0' ? [] : undefined);
  return Object.fromEntries([...entries, [step, withText(inner, rest, text)]]);
}

function placed(
  { path: template }: Operation,
  path: string,
  place: string,
  name: string,
  text: string,
): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  const [pathname = '', query = ''] = path.split('?');
  if (place === 'query') {
    const others = query.split('&').filter((pair) => !pair.startsWith(`${name}=`) && pair !== '');
    return `${pathname}?${[...others, `${name}=${encoded}`].join('&')}`;
  }
  const steps = pathname.split('/');
  const index = template.split('/').indexOf(`{${name}}`);
  return `${[...steps.slice(0, index), encoded, ...steps.slice(index + 1)].join('/')}${query && `?${query}`}`;
}

/** HTTP headers allow only these characters. */
function sendable(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}
