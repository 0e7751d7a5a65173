import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import {
  type ControlPlane,
  controlPlanePrograms,
  startControlPlane,
} from '../../kubernetes/control-plane.ts';
import { skipBecause } from '../../support/skip-because.ts';

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: object;
}

const examples = [
  ['clickhouse/operator/altinity.yaml', 'replicasCount', 'replicaCount'],
  ['clickhouse/operator/clickhouse.yaml', 'keeperClusterRef', 'keeperRef'],
  ['postgres/operator/cloudnative-pg.yaml', 'imageName', 'image'],
] as const;

// An API server with the operators' own definitions, which test/kubernetes/build-control-plane.sh fetches. The operators
// do not run: this tests the fields and values of the examples, not what the operators do with them.
describe('the examples for operators on an API server', () => {
  let cluster: ControlPlane;
  let stop: () => unknown = () => undefined;
  let definitions = '';

  before(async function () {
    const bin = controlPlanePrograms();
    if (bin === undefined) return skipBecause(this, 'make test-kubernetes runs it');
    definitions = join(bin, 'crds');
    cluster = await startControlPlane(bin);
    stop = cluster.stop;
    for (const namespace of ['clickhouse', 'postgres']) {
      await cluster.kubectl('create', 'namespace', namespace);
    }
    return undefined;
  });
  after(() => stop());

  for (const [path, field, misspelt] of examples) {
    it(`${path} is accepted with every field, and refused with a misspelt one`, async function () {
      const text = readFileSync(join(repositoryRoot, 'deploy', path), 'utf8');
      const resources = resourcesOf(text);
      for (const resource of resources) {
        const definition = definitionOf(resource);
        if (definition === undefined) {
          return skipBecause(this, `${definitions} has no definition of ${resource.kind}`);
        }
        await cluster.kubectl('create', '--filename', definition);
      }
      await cluster.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');

      // kubectl asks for strict validation. Without it, the API server would drop unknown fields.
      const wrong = text.replaceAll(`${field}:`, `${misspelt}:`);
      const error = await cluster.apply(...resourcesOf(wrong)).then(() => 'accepted', String);
      expect(error).to.include('unknown field').and.to.include(misspelt);
      await cluster.apply(...resources);
      for (const resource of resources) {
        expect(await storedSpec(resource), resource.kind).to.containSubset(resource.spec);
      }
      return undefined;
    });
  }

  function definitionOf({ apiVersion, kind }: Resource): string | undefined {
    if (!existsSync(definitions)) return undefined;
    const files = readdirSync(definitions).map((name) => join(definitions, name));
    return files.find((file) => {
      const { spec } = parse(readFileSync(file, 'utf8')) as {
        spec: { group: string; names: { kind: string } };
      };
      return spec.group === groupOf(apiVersion) && spec.names.kind === kind;
    });
  }

  async function storedSpec({ apiVersion, kind, metadata }: Resource): Promise<object> {
    const place = [`${kind}.${groupOf(apiVersion)}`, metadata.name];
    const text = await cluster.kubectl(
      ...['get', ...place, '--namespace', metadata.namespace, '--output=json'],
    );
    return (JSON.parse(text) as Resource).spec;
  }
});

function resourcesOf(text: string): readonly Resource[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Resource);
}

function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0]!;
}
