import { join } from 'node:path';
import { expect } from 'chai';
import { chartFolder } from '../../../deploy/helm/chart-files.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import {
  type ControlPlane,
  controlPlanePrograms,
  startControlPlane,
} from '../../kubernetes/control-plane.ts';
import { customResources } from '../../kubernetes/custom-resources.ts';
import { type Pod, runPods } from '../../kubernetes/pod-runner.ts';
import { addStrictNamespace } from '../../kubernetes/strict-namespace.ts';
import { skipBecause } from '../../support/skip-because.ts';
import type { Labels } from '../../unit/deploy/rendered-chart.ts';

interface NetworkPolicies {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly podSelector: { readonly matchLabels?: Labels } };
  }[];
}

const examples = (name: string) => join(chartFolder, `examples/${name}.yaml`);
const testValues = (name: string) => join(repositoryRoot, `test/unit/deploy/values/${name}.yaml`);

// A real API server with its controllers. No node: the pods are admitted, and reported as ready without being run.
describe('the chart on an API server', () => {
  let cluster: ControlPlane;
  let podErrors: readonly unknown[] = [];
  const stops: (() => unknown)[] = [];
  /** The pods of migrations, and the policies that select them when they are created. */
  const migrations: { readonly pod: Pod; readonly policies: readonly string[] }[] = [];

  before(async function () {
    const bin = controlPlanePrograms();
    if (bin === undefined) return skipBecause(this, 'make test-kubernetes runs it');
    cluster = await startControlPlane(bin);
    stops.push(cluster.stop);
    process.stdout.write(`  Kubernetes ${cluster.version}\n`);
    await cluster.apply({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'important' },
      value: 1000,
    });
    const pods = runPods(cluster, bin, async (pod) => {
      if (pod.metadata.labels['app.kubernetes.io/component'] !== 'migrate') return;
      migrations.push({ pod, policies: await policiesOf(pod) });
    });
    stops.push(pods.stop);
    podErrors = pods.errors;
    return undefined;
  });
  afterEach(() => expect(podErrors).to.deep.equal([]));
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it('refuses kinds that the API server does not have, and names what to install', async () => {
    await addStrictNamespace(cluster, 'without-operator');
    const error = await install('without-operator', examples('production')).then(() => '', String);
    expect(error).to.include('serviceMonitor.enabled').and.to.include('Prometheus operator');
    await cluster.apply(...customResources);
    await cluster.kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s');
  });

  for (const [name, values, hasMigration] of [
    ['trial', examples('trial'), true],
    ['production', examples('production'), true],
    ['clickhouse-cluster', examples('clickhouse-cluster'), true],
    ['every-feature', testValues('every-feature'), true],
    ['claim', testValues('claim'), false],
  ] as const) {
    it(`installs, upgrades, rolls back and removes ${name}`, async () => {
      await addStrictNamespace(cluster, name);
      // every-feature names an account instead of creating one.
      await cluster.kubectl('create', 'serviceaccount', 'existing-account', '--namespace', name);
      await install(name, values);
      await rolledOut(name);
      const secret = await linkSecret(name);

      await helm('upgrade', name, '--values', values, '--set', 'podLabels.round=second');
      await rolledOut(name);
      expect(await rounds(name)).to.deep.equal(['second']);
      expect(await linkSecret(name)).to.equal(secret);

      await cluster.helm('rollback', 'netpanel', '1', '--namespace', name, '--timeout=2m');
      await rolledOut(name);
      expect(await rounds(name)).to.deep.equal(['']);
      expect(await linkSecret(name)).to.equal(secret);
      await cluster.helm('test', 'netpanel', '--namespace', name, '--timeout=2m');

      await cluster.helm('uninstall', 'netpanel', '--namespace', name, '--timeout=2m');
      expect(await leftObjects(name)).to.equal('');
      const own = migrations.filter(({ pod }) => pod.metadata.namespace === name);
      expect(own.length > 0).to.equal(hasMigration);
      // In this namespace a pod that no other policy selects reaches nothing.
      for (const { policies } of own) expect(policies).to.have.length.greaterThan(1);
    });
  }

  function helm(command: 'install' | 'upgrade', namespace: string, ...args: readonly string[]) {
    const own = ['--namespace', namespace, '--timeout=2m'];
    return cluster.helm(command, 'netpanel', chartFolder, ...own, ...args);
  }

  function install(namespace: string, values: string): Promise<string> {
    return helm('install', namespace, '--values', values);
  }

  /** Waits until the pods of the newest revision are available. */
  async function rolledOut(namespace: string): Promise<void> {
    const names = await cluster.kubectl('get', 'deployments', '--namespace', namespace, '-oname');
    const deployments = names.trim().split('\n');
    expect(deployments).to.have.lengthOf(3);
    for (const deployment of deployments) {
      await cluster.kubectl(
        ...['rollout', 'status', deployment, '--namespace', namespace, '--timeout=120s'],
      );
    }
  }

  /** The values of the label `round` of the deployments' pods, each once. */
  async function rounds(namespace: string): Promise<readonly string[]> {
    const path = '{range .items[*]}[{.spec.template.metadata.labels.round}]{end}';
    const text = await cluster.kubectl(
      ...['get', 'deployments', '--namespace', namespace, `-ojsonpath=${path}`],
    );
    return [...new Set([...text.matchAll(/\[(.*?)\]/g)].map(([, round = '']) => round))];
  }

  /** The generated secret of export links; empty if the values name one. */
  function linkSecret(namespace: string): Promise<string> {
    const own = ['--namespace', namespace, '--selector=app.kubernetes.io/instance=netpanel'];
    return cluster.kubectl('get', 'secrets', ...own, '-ojsonpath={.items[*].data}');
  }

  async function policiesOf({ metadata: { namespace, labels } }: Pod): Promise<readonly string[]> {
    const text = await cluster.kubectl(
      ...['get', 'networkpolicies', '--namespace', namespace, '-ojson'],
    );
    const { items } = JSON.parse(text) as NetworkPolicies;
    return items
      .filter(({ spec: { podSelector } }) =>
        Object.entries(podSelector.matchLabels ?? {}).every(
          ([key, value]) => labels[key] === value,
        ),
      )
      .map(({ metadata }) => metadata.name);
  }

  /** The objects of the release that remain, apart from pods that are being deleted. */
  async function leftObjects(namespace: string): Promise<string> {
    const kinds = (await cluster.kubectl('api-resources', '--namespaced', '--verbs=list', '-oname'))
      .trim()
      .split('\n')
      .filter((kind) => !/^(events|pods$|replicasets|endpointslices)/.test(kind));
    return cluster.kubectl(
      ...['get', kinds.join(','), '--namespace', namespace, '-oname', '--ignore-not-found'],
      '--selector=app.kubernetes.io/instance=netpanel',
    );
  }
});
