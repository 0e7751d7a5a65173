import type { ControlPlane } from './control-plane.ts';

/** A namespace that admits only pods of the restricted standard, and denies all traffic by default. */
export async function addStrictNamespace({ apply }: ControlPlane, name: string): Promise<void> {
  await apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  await apply({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'default-deny', namespace: name },
    spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
  });
}
