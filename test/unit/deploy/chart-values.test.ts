import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import {
  chartFile,
  chartFiles,
  chartFolder,
  chartSettings,
} from '../../../deploy/helm/chart-files.ts';
import { valueRows } from '../../../deploy/helm/chart-readme.ts';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { querySettings } from '../../../services/query/config.ts';
import { examples } from './rendered-chart.ts';

type Schema = Readonly<Record<string, unknown>>;

const schema = JSON.parse(chartFile('values.schema.json')) as Schema & {
  $defs: Record<string, { properties: object }>;
};
const values = parse(chartFile('values.yaml')) as object;
const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

describe('the values of the chart', () => {
  it('are known by their schema, and so are those of every example', () => {
    expect(isValid(values), JSON.stringify(isValid.errors)).to.equal(true);
    expect(examples).to.have.members(['trial', 'production', 'clickhouse-cluster']);
    for (const example of examples) {
      const given = parse(chartFile(`examples/${example}.yaml`)) as object;
      expect(isValid(given), JSON.stringify(isValid.errors)).to.equal(true);
    }
  });

  it('refuse an unknown key, wherever it is', () => {
    expect(objectSchemas(schema).length).to.be.greaterThan(30);
    for (const object of objectSchemas(schema)) {
      const { additionalProperties } = object;
      // Labels and annotations have names of their own; their values are text.
      if (typeof additionalProperties === 'object') {
        expect(additionalProperties).to.deep.equal({ type: 'string' });
      } else expect(additionalProperties, JSON.stringify(object)).to.equal(false);
    }
  });

  it('hold no secret that works', () => {
    const secrets = valueRows(chartFile('values.yaml')).filter(({ path }) =>
      /secret|password|token/i.test(path.replace('passwordKey', '')),
    );
    expect(secrets.length).to.be.greaterThan(5);
    for (const { path, fallback } of secrets) expect(['""', '[]'], path).to.include(fallback);
  });

  it('let every setting of the services be set, secrets through secrets only', () => {
    for (const [name, table] of Object.entries({ querySettings, metadataSettings })) {
      const settable = Object.keys(schema.$defs[name]?.properties ?? {});
      for (const setting of Object.values(table)) {
        const isOwn = chartSettings.includes(setting.name) || setting.secret;
        expect(settable.includes(setting.name), setting.name).to.equal(!isOwn);
      }
    }
  });

  it('each have a comment that says what they mean', () => {
    const told = valueRows(chartFile('values.yaml')).map(({ path }) => path);
    const untold = leaves(values).filter(
      (leaf) => !told.some((path) => leaf === path || leaf.startsWith(`${path}.`)),
    );
    expect(untold).to.deep.equal([]);
  });

  it('are what the README and the schema were generated from (make chart UPDATE=1)', () => {
    for (const [name, text] of chartFiles()) expect(chartFile(name), name).to.equal(text);
  });

  it('are all used by a template', () => {
    const templates = readdirSync(join(chartFolder, 'templates'), { recursive: true })
      .map(String)
      .filter((file) => /\.(yaml|tpl|txt)$/.test(file))
      .map((file) => chartFile(`templates/${file}`))
      .join('\n');
    const unused = leaves(values)
      .map((leaf) => leaf.split('.'))
      // Resources are handed over as they are.
      .filter((path) => !path.includes('resources'))
      .filter((path) => !new RegExp(`\\.${path.at(-1) ?? ''}\\b`).test(templates));
    expect(unused).to.deep.equal([]);
  });
});

function objectSchemas(node: unknown): Schema[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = (node as Schema).type === 'object' ? [node as Schema] : [];
  return [...own, ...Object.values(node).flatMap(objectSchemas)];
}

function leaves(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [path];
  const entries = Object.entries(node);
  if (entries.length === 0) return [path];
  return entries.flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`));
}
