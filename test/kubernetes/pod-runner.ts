import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { PodSpec } from '../unit/deploy/rendered-chart.ts';
import type { ControlPlane } from './control-plane.ts';

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
    readonly deletionTimestamp?: string;
  };
  readonly spec: PodSpec;
}

/**
 * Takes the place of the nodes: reports each new pod as running and ready, or, if it is not of a ReplicaSet, as
 * succeeded, after `run` has resolved; as failed if it rejects. Without `run` nothing is executed.
 */
export function runPods(
  { kubectl, env }: ControlPlane,
  bin: string,
  run: (pod: Pod) => Promise<void> = () => Promise.resolve(),
): { readonly errors: readonly unknown[]; readonly stop: () => Promise<void> } {
  const errors: unknown[] = [];
  const seen = new Set<string>();
  const columns = 'NAMESPACE:.metadata.namespace,NAME:.metadata.name,UID:.metadata.uid';
  const watch = spawn(
    join(bin, 'kubectl'),
    ['get', 'pods', '--all-namespaces', '--watch', '--no-headers', `-ocustom-columns=${columns}`],
    { env, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  createInterface(watch.stdout).on('line', (line) => {
    const [namespace = '', name = '', uid = ''] = line.split(/\s+/);
    if (seen.has(uid)) return;
    seen.add(uid);
    void report(namespace, name).catch((error: unknown) => errors.push(error));
  });

  async function report(namespace: string, name: string): Promise<void> {
    const place = ['pod', name, '--namespace', namespace];
    const found = await kubectl('get', ...place, '--ignore-not-found', '--output=json');
    if (found === '') return;
    const pod = JSON.parse(found) as Pod;
    if (pod.metadata.deletionTimestamp !== undefined) return;
    const phase = await run(pod).then(
      () => (isOfReplicaSet(pod) ? 'Running' : 'Succeeded'),
      (error: unknown) => {
        errors.push(error);
        return 'Failed';
      },
    );
    const conditions = [{ type: 'Ready', status: phase === 'Running' ? 'True' : 'False' }];
    const patch = JSON.stringify({ status: { phase, conditions } });
    await kubectl('patch', ...place, '--subresource=status', '--type=merge', '--patch', patch);
  }

  return {
    errors,
    stop: async () => {
      watch.kill();
      await once(watch, 'exit');
    },
  };
}

function isOfReplicaSet({ metadata: { ownerReferences = [] } }: Pod): boolean {
  return ownerReferences.some(({ kind }) => kind === 'ReplicaSet');
}
