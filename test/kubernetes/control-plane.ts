import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../support/free-ports.ts';
import { runProgram } from '../support/run-program.ts';
import { selfSignedCertificate } from '../support/self-signed-certificate.ts';
import { waitUntil } from '../support/wait-until.ts';

const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl', 'helm'] as const;

/** The controllers that the objects of the chart need. Without a node there is no scheduler. */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'job-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'namespace-controller',
  'garbage-collector-controller',
  'disruption-controller',
  'endpointslice-controller',
];

/** An API server with its store and controllers on loopback, and the programs that talk to it. */
export interface ControlPlane {
  readonly version: string;
  /** Their environment: PATH, KUBECONFIG and folders of helm. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard output. Throws if the program fails. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  readonly helm: (...args: readonly string[]) => Promise<string>;
  /** Creates or changes objects. */
  readonly apply: (...objects: readonly object[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** KUBERNETES_BIN; undefined if it is not set. Throws if a program is missing there. */
export function controlPlanePrograms(): string | undefined {
  const folder = process.env.KUBERNETES_BIN;
  if (folder === undefined || folder === '') return undefined;
  for (const program of programs) {
    try {
      accessSync(join(folder, program), constants.X_OK);
    } catch (error) {
      throw new Error(`KUBERNETES_BIN has no program ${program}: ${folder}`, { cause: error });
    }
  }
  return folder;
}

export async function startControlPlane(bin: string): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-kubernetes-'));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const [etcdPort, peerPort, apiPort, managerPort] = (await freePorts(4)) as [
    number,
    number,
    number,
    number,
  ];
  const server = `https://127.0.0.1:${apiPort}`;
  const token = randomBytes(24).toString('hex');
  const { cert, key } = selfSignedCertificate({ name: 'kube-apiserver' });
  const certificate = file('server.crt', cert);
  const accountKey = file(
    'accounts.key',
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).privateKey,
  );
  const kubeconfig = file('kubeconfig', kubeconfigOf(server, cert, token));
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: folder,
    KUBECONFIG: kubeconfig,
  };

  const running: ChildProcess[] = [];
  const start = (program: string, options: Readonly<Record<string, string>>) => {
    const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const log = openSync(join(folder, `${program}.log`), 'a');
    running.push(spawn(join(bin, program), args, { env, stdio: ['ignore', log, log] }));
  };
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(join(bin, program), args, { env });
    if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.trim()}`);
    return stdout;
  };
  const stop = async () => {
    for (const child of running.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true });
  };

  const etcd = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  start('etcd', {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': etcd,
    'advertise-client-urls': etcd,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'unsafe-no-fsync': 'true',
  });
  start('kube-apiserver', {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'secure-port': String(apiPort),
    'endpoint-reconciler-type': 'none',
    'tls-cert-file': certificate,
    'tls-private-key-file': file('server.key', key),
    'token-auth-file': file('tokens.csv', `${token},admin,admin,"system:masters"\n`),
    'authorization-mode': 'RBAC',
    'service-account-issuer': server,
    'service-account-key-file': accountKey,
    'service-account-signing-key-file': accountKey,
    'service-cluster-ip-range': '10.96.0.0/16',
  });
  start('kube-controller-manager', {
    kubeconfig,
    controllers: controllers.join(','),
    'bind-address': '127.0.0.1',
    'secure-port': String(managerPort),
    'cert-dir': folder,
    'leader-elect': 'false',
    'root-ca-file': certificate,
    'service-account-private-key-file': accountKey,
  });
  const isReady = () =>
    run('kubectl', ['get', '--raw', '/readyz']).then(
      () => true,
      () => false,
    );
  try {
    await waitUntil(isReady);
  } catch (error) {
    await stop();
    throw error;
  }
  const { gitVersion } = JSON.parse(await run('kubectl', ['get', '--raw', '/version'])) as {
    gitVersion: string;
  };
  return {
    version: gitVersion,
    env,
    kubectl: (...args) => run('kubectl', args),
    helm: (...args) => run('helm', args),
    apply: async (...objects) => {
      const list = { apiVersion: 'v1', kind: 'List', items: objects };
      await run('kubectl', ['apply', '--filename', file('objects.json', JSON.stringify(list))]);
    },
    stop,
  };
}

function kubeconfigOf(server: string, certificate: string, token: string): string {
  const authority = Buffer.from(certificate).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'local',
    clusters: [{ name: 'local', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
  });
}
