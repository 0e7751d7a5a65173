import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { controlPlanePrograms } from './control-plane.ts';

// `make test-kubernetes`: installs the chart on a real API server with its controllers.
//   make test-kubernetes KUBERNETES_BIN=/path/to/programs

if (controlPlanePrograms() === undefined) {
  process.stdout.write(
    'Not run: set KUBERNETES_BIN to a folder with etcd, kube-apiserver, kube-controller-manager, kubectl and helm.\n' +
      'test/kubernetes/build-control-plane.sh OUT builds them with Go.\n',
  );
  process.exit(0);
}

const runner = join(repositoryRoot, 'dist/test/run.js');
const wanted = process.argv.slice(2);
const tests = wanted.length > 0 ? wanted : ['integration/kubernetes'];
const { status } = spawnSync(process.execPath, ['--enable-source-maps', runner, ...tests], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
