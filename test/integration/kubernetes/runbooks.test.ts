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
import { runPods } from '../../kubernetes/pod-runner.ts';
import { addStrictNamespace } from '../../kubernetes/strict-namespace.ts';
import { operatorPages } from '../../support/operator-pages.ts';
import { runProgram } from '../../support/run-program.ts';
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts';
import { skipBecause } from '../../support/skip-because.ts';

const values = join(chartFolder, 'examples/trial.yaml');

/** These read from or write to a container, or need cert-manager. */
const needsNode = /^kubectl (exec|cp|logs|describe certificate)/;

// The commands of the documents for operators, in their order, as an operator pastes them.
describe('the kubectl commands of the runbooks', () => {
  let cluster: ControlPlane;
  let podErrors: readonly unknown[] = [];
  const stops: (() => unknown)[] = [];

  before(async function () {
    const bin = controlPlanePrograms();
    if (bin === undefined) return skipBecause(this, 'make test-kubernetes runs it');
    cluster = await startControlPlane(bin);
    stops.push(cluster.stop);
    const pods = runPods(cluster, bin);
    stops.push(pods.stop);
    podErrors = pods.errors;
    await cluster.apply(...customResources);
    await addStrictNamespace(cluster, 'netpanel');
    const { cert } = selfSignedCertificate();
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'netpanel-query-tls', namespace: 'netpanel' },
      stringData: { 'tls.crt': cert },
    });
    await cluster.helm(
      ...['install', 'netpanel', chartFolder, '--namespace', 'netpanel', '--values', values],
    );
    return undefined;
  });
  afterEach(() => expect(podErrors).to.deep.equal([]));
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it('succeed', async () => {
    const commands = documentedCommands().filter((command) => !needsNode.test(command));
    expect(commands).to.have.length.greaterThan(9);
    for (const command of commands) {
      const { code, stderr } = await runProgram('bash', ['-o', 'pipefail', '-c', command], {
        cwd: repositoryRoot,
        env: cluster.env,
      });
      expect(code, `${command}\n${stderr}`).to.equal(0);
    }
  });
});

/** Lines of code blocks, continued ones included, and code in sentences. */
function documentedCommands(): readonly string[] {
  const commands = operatorPages().matchAll(
    /^ *((?:kubectl|helm template)(?:.*\\\n)*.*)$|`(kubectl [^`]+)`/gm,
  );
  return [...commands].map(([, line, inline]) =>
    (line ?? inline ?? '').replace('-f yours.yaml', `-f ${values}`),
  );
}
