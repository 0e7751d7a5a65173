import { readdirSync, readFileSync } from 'node:fs';
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
import { ingestSettings } from '../../../services/ingest/config.ts';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { querySettings } from '../../../services/query/config.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { claim, everyFeature, examples } from './rendered-chart.ts';

type Schema = Readonly<Record<string, unknown>>;

const schema = JSON.parse(chartFile('values.schema.json')) as Schema & {
  $defs: Record<string, { properties: object }>;
};
const values = parse(chartFile('values.yaml')) as object;
const isValid = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

describe('the values of the chart', () => {
  it('match their schema, and so do those of every example', () => {
    expect(isValid(values), JSON.stringify(isValid.errors)).to.equal(true);
    expect(examples).to.have.members(['trial', 'production', 'clickhouse-cluster']);
    for (const example of examples) {
      const given = parse(chartFile(`examples/${example}.yaml`)) as object;
      expect(isValid(given), JSON.stringify(isValid.errors)).to.equal(true);
    }
  });

  it('are all used at least once by an example or a test', () => {
    const files = [
      ...examples.map((example) => chartFile(`examples/${example}.yaml`)),
      ...[everyFeature, claim].map((name) =>
        readFileSync(join(repositoryRoot, `test/unit/deploy/values/${name}.yaml`), 'utf8'),
      ),
    ];
    const given = new Set(files.flatMap((text) => leaves(parse(text))));
    const uses = (path: string) =>
      [...given].some((one) => one === path || one.startsWith(`${path}.`));
    const unused = valueRows(chartFile('values.yaml'))
      .map(({ path }) => path)
      .filter((path) => !uses(path));
    // Every service has these values; they are used for one of them.
    expect(unused.filter((path) => !uses(path.replace(/^\w+/, 'query')))).to.deep.equal([]);
  });

  it('reject an unknown key at any level', () => {
    expect(objectSchemas(schema).length).to.be.greaterThan(30);
    for (const object of objectSchemas(schema)) {
      const { additionalProperties } = object;
      if (object === schema.$defs.kubernetes) continue;
      // Labels and annotations have free names; their values are text.
      if (typeof additionalProperties === 'object') {
        expect(additionalProperties).to.deep.equal({ type: 'string' });
      } else expect(additionalProperties, JSON.stringify(object)).to.equal(false);
    }
  });

  it('contain no secrets', () => {
    const secrets = valueRows(chartFile('values.yaml')).filter(({ path }) =>
      /secret|password|token/i.test(path.replace('passwordKey', '')),
    );
    expect(secrets.length).to.be.greaterThan(5);
    for (const { path, fallback } of secrets) expect(['""', '[]'], path).to.include(fallback);
  });

  it('allow every setting of the services, secrets only through Kubernetes secrets', () => {
    for (const [name, table] of Object.entries({
      querySettings,
      metadataSettings,
      ingestSettings,
    })) {
      const settable = Object.keys(schema.$defs[name]?.properties ?? {});
      for (const setting of Object.values(table)) {
        const isOwn = chartSettings.includes(setting.name) || setting.secret;
        expect(settable.includes(setting.name), setting.name).to.equal(!isOwn);
      }
    }
  });

  it('all have a comment', () => {
    const documented = valueRows(chartFile('values.yaml')).map(({ path }) => path);
    const undocumented = leaves(values).filter(
      (leaf) => !documented.some((path) => leaf === path || leaf.startsWith(`${path}.`)),
    );
    expect(undocumented).to.deep.equal([]);
  });

  it('match the generated README and schema (make chart UPDATE=1)', () => {
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
      // Resources are passed through.
      .filter((path) => !path.includes('resources'))
      // Looked up by the name of a component, or passed through.
      .map((path) => (lookedUp.includes(path.at(-2) ?? '') ? path.slice(0, -1) : path))
      .filter((path) => !new RegExp(`\\.${path.at(-1) ?? ''}\\b`).test(templates));
    expect(unused).to.deep.equal([]);
  });
});

const lookedUp = ['urlKeys', 'existingSecrets', 'egress', 'labels'];

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
