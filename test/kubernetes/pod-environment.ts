import type { ControlPlane } from './control-plane.ts';
import type { Pod } from './pod-runner.ts';

/** The environment of the first container of a pod, with the values of the secrets that it names. */
export async function environmentOf(
  { kubectl }: ControlPlane,
  { spec, metadata: { namespace } }: Pod,
): Promise<Record<string, string>> {
  const secret = async (name: string): Promise<Record<string, string>> => {
    const text = await kubectl('get', 'secret', name, '--namespace', namespace, '-ojson');
    const { data = {} } = JSON.parse(text) as { data?: Readonly<Record<string, string>> };
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  };
  const [container] = spec.containers;
  const environment: Record<string, string> = {};
  for (const { secretRef } of container?.envFrom ?? []) {
    Object.assign(environment, await secret(secretRef.name));
  }
  for (const { name, value, valueFrom } of container?.env ?? []) {
    const key = valueFrom?.secretKeyRef;
    const found = key === undefined ? value : (await secret(key.name))[key.key];
    if (key !== undefined && found === undefined) {
      throw new Error(`The secret ${key.name} has no key ${key.key}`);
    }
    environment[name] = found ?? '';
  }
  return environment;
}
