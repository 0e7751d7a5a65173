import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { parse } from 'yaml';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { serviceNames, withoutReferences } from '../../security/contract.ts';

type Node = Record<string, unknown>;

// In OpenAPI 3.1 a schema is JSON Schema 2020-12.
describe('the OpenAPI documents', () => {
  for (const service of serviceNames) {
    const document = parse(
      readFileSync(join(repositoryRoot, `openapi/${service}.yaml`), 'utf8'),
    ) as Node;

    it(`are valid by the schema of OpenAPI 3.1: ${service}`, async () => {
      expect(document.openapi).to.match(/^3\.1\./);
      const errorsOf = async (contract: Record<string, unknown>) =>
        (await new Validator().validate(contract)).errors ?? [];
      expect(await errorsOf(document)).to.deep.equal([]);
      expect(await errorsOf({ ...document, info: { title: 'no version' } })).not.to.be.empty;
    });

    it(`have examples and defaults that match their schemas: ${service}`, () => {
      const { checked, problems } = checkExamples(document);
      expect(problems).to.deep.equal([]);
      expect(checked).to.be.greaterThan(10);
    });
  }

  it('are refused with an example or a default that does not match, and with words of OpenAPI 3.0', () => {
    const problemsOf = (schema: object) =>
      checkExamples({ components: { schemas: { A: schema } } }).problems;
    expect(problemsOf({ type: 'integer', examples: [1] })).to.deep.equal([]);
    expect(problemsOf({ type: 'integer', examples: ['1'] })).to.have.lengthOf(1);
    expect(problemsOf({ type: 'integer', default: 'none' })).to.have.lengthOf(1);
    expect(problemsOf({ type: 'integer', example: 1 })).to.have.lengthOf(1);
    expect(problemsOf({ type: 'integer', nullable: true })).to.have.lengthOf(1);
    const media = { schema: { type: 'array' }, examples: { one: { value: {} } } };
    expect(checkExamples({ components: { responses: { B: media } } }).problems).to.have.lengthOf(1);
  });
});

/** Compiles every schema of a document, and validates the examples and defaults that it has. */
function checkExamples(document: Node): { checked: number; problems: readonly string[] } {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  const problems: string[] = [];
  let checked = 0;

  const check = (schema: Node, values: readonly unknown[], path: string) => {
    try {
      const validate = ajv.compile(schema);
      for (const value of values) {
        checked++;
        if (!validate(value)) problems.push(`${path}: ${ajv.errorsText(validate.errors)}`);
      }
    } catch (error) {
      problems.push(`${path}: ${String(error)}`);
    }
  };
  const checkSchema = (schema: Node, path: string) => {
    const { examples = [], properties = {}, allOf = [], items, additionalProperties } = schema;
    // Ajv accepts it, without any effect on types.
    if ('nullable' in schema) problems.push(`${path} has nullable, a word of OpenAPI 3.0`);
    const values = [...(examples as unknown[]), ...('default' in schema ? [schema.default] : [])];
    if (values.length > 0) check(schema, values, path);
    const parts = [
      ...Object.entries(properties as Node),
      ...Object.entries({ items, additionalProperties }),
      ...(allOf as Node[]).map((part, i) => [`allOf[${i}]`, part] as const),
    ];
    for (const [name, inner] of parts) {
      if (typeof inner === 'object' && inner !== null) {
        checkSchema(inner as Node, `${path}.${name}`);
      }
    }
  };
  const visit = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return;
    // A parameter, header or media type.
    const { schema, example, examples = {} } = node as Node;
    if (schema !== undefined) {
      const named = Object.values(examples as Record<string, { value: unknown }>);
      check(
        schema as Node,
        [...(example === undefined ? [] : [example]), ...named.map(({ value }) => value)],
        path,
      );
    }
    for (const [name, inner] of Object.entries(node)) {
      if (name === 'schema') checkSchema(inner as Node, path);
      else if (name === 'schemas') {
        for (const [of, one] of Object.entries(inner as Node)) {
          check(one as Node, [], of);
          checkSchema(one as Node, of);
        }
      } else visit(inner, `${path}.${name}`);
    }
  };
  visit(withoutReferences(document, document), 'contract');
  return { checked, problems };
}
