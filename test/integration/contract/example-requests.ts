import type { Operation, Parameter } from '../../security/contract.ts';

export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/**
 * The requests that the examples of an operation describe: each body, without and with the examples of
 * optional parameters. A path whose parameters have no examples, such as the id of an export, is the link
 * of an earlier response.
 */
export function exampleRequests(
  { method, path, parameters, bodyExamples, textBodies }: Operation,
  link: string | undefined,
): readonly ExampleRequest[] {
  const paths = path.includes('{') ? filledPaths(path, parameters, link) : [path];
  const bodies = [
    ...bodyExamples.map((body) => ({ type: 'application/json', text: JSON.stringify(body) })),
    ...textBodies,
  ];
  const optional = parameters.filter(
    (one) => one.in !== 'path' && one.required !== true && valuesOf(one).length > 0,
  );
  return paths.flatMap((filled) =>
    (bodies.length === 0 ? [undefined] : bodies).flatMap((body) =>
      [[], ...optional.map((one) => [one])].map((sent) => ({
        method,
        path: filled + queryOf(sent),
        headers: {
          ...(body === undefined ? {} : { 'content-type': body.type }),
          ...Object.fromEntries(sent.filter(isHeader).map((one) => [one.name, valuesOf(one)[0]!])),
        },
        body: body?.text,
      })),
    ),
  );
}

/** Examples of the same name belong together: `field` agent and `value` wb-0002-2ffa8b. */
function filledPaths(
  path: string,
  parameters: readonly Parameter[],
  link: string | undefined,
): readonly string[] {
  const inPath = parameters.filter((one) => one.in === 'path');
  const names = Object.keys(inPath[0]?.examples ?? (inPath[0]?.example ? { example: '' } : {}));
  if (names.length === 0) return link === undefined ? [] : [link];
  return names.map((name) =>
    path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
      const written = inPath.find((one) => one.name === parameter);
      const value = written?.examples?.[name]?.value ?? written?.example;
      return encodeURIComponent(String(value));
    }),
  );
}

function queryOf(sent: readonly Parameter[]): string {
  const query = sent.filter((one) => one.in === 'query');
  if (query.length === 0) return '';
  const values = Object.fromEntries(query.map((one) => [one.name, valuesOf(one)[0]!]));
  return `?${new URLSearchParams(values).toString()}`;
}

function isHeader(parameter: Parameter): boolean {
  return parameter.in === 'header';
}

function valuesOf({ example, examples = {} }: Parameter): readonly string[] {
  const named = Object.values(examples).map(({ value }) => value);
  return (example === undefined ? named : [example, ...named]).map(String);
}
