import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../services/shared/repository-root.ts';

/** The parts of a schema that become a type. */
interface Schema {
  readonly $ref?: string;
  /** Two names if it may be null. */
  readonly type?: string | readonly [string, 'null'];
  readonly enum?: readonly (string | null)[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Fields that the Python client has arguments of its own for. */
const ownArguments = [
  'metric',
  'chartType',
  'aggregation',
  'normalised',
  'prefilter',
  'splits',
  'filters',
  'time',
];

/** Generates clients/python/src/netpanel/fields.py: the fields of a request for metric data, and their types. */
export function pythonTypes(): string {
  const contract = parse(readFileSync(join(repositoryRoot, 'openapi/query.yaml'), 'utf8')) as {
    components: { schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = contract.components;
  const definitions = new Map<string, string>();

  function typeOf(schema: Schema, name: string): string {
    const { $ref, properties, items } = schema;
    if ($ref !== undefined) return referenced($ref.slice($ref.lastIndexOf('/') + 1));
    const base = properties
      ? defined(name, schema)
      : plainType(schema, items && typeOf(items, name));
    return union([base, ...(Array.isArray(schema.type) ? ['None'] : [])]);
  }

  function referenced(name: string): string {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`The contract has no schema ${name}`);
    if (schema.properties !== undefined) return typeOf(schema, name);
    if (!definitions.has(name))
      definitions.set(name, `${name}: TypeAlias = ${typeOf(schema, name)}`);
    return name;
  }

  /** A TypedDict by a call: `from` is a keyword of Python. */
  function defined(name: string, { properties = {}, required = [] }: Schema): string {
    const fields = Object.entries(properties).map(([field, schema]) => {
      const type = typeOf(schema, `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`);
      return `            "${field}": ${required.includes(field) ? `Required[${type}]` : type},`;
    });
    definitions.set(
      name,
      [
        `${name} = TypedDict(`,
        `        "${name}",`,
        '        {',
        ...fields,
        '        },',
        '        total=False,',
        '    )',
      ].join('\n'),
    );
    return name;
  }

  const fields = Object.entries(schemas.MetricQuery?.properties ?? {}).filter(
    ([name]) => !ownArguments.includes(name),
  );
  referenced('Aggregation');
  defined('MetricFields', { properties: Object.fromEntries(fields) });
  return `# Generated from openapi/query.yaml by make generate. Change the contract, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING

METRIC_FIELDS = (
${fields.map(([name]) => `    "${name}",`).join('\n')}
)

if TYPE_CHECKING:
    # Type checkers know this module; it need not be installed.
    from typing import Literal, Sequence

    from typing_extensions import Required, TypeAlias, TypedDict

    ${[...definitions.values()].join('\n    ')}
`;
}

function plainType({ type, enum: values }: Schema, item: string | undefined): string {
  if (values !== undefined) {
    const texts = values.filter((value) => value !== null);
    return texts.length === 0 ? 'None' : `Literal[${texts.map((text) => `"${text}"`).join(', ')}]`;
  }
  const name = typeof type === 'string' ? type : type?.[0];
  if (name === 'array') return `Sequence[${item ?? 'object'}]`;
  const plain = { string: 'str', boolean: 'bool', integer: 'int', number: 'float' }[name ?? ''];
  if (plain === undefined) throw new Error(`No Python type for ${name}`);
  return plain;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}
