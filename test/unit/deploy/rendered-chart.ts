import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartFolder } from '../../../deploy/helm/chart-files.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

/** The part of a Kubernetes object that the tests use. */
export interface Rendered {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Labels;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: Spec;
  readonly data?: Readonly<Record<string, string>>;
}

interface Spec {
  readonly selector?: { readonly matchLabels?: Labels };
  readonly template?: {
    readonly metadata: { readonly labels: Labels; readonly annotations?: Labels };
    readonly spec: PodSpec;
  };
  readonly egress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
  readonly jobLabel?: string;
  readonly metrics?: readonly object[];
  readonly parentRefs?: readonly object[];
  readonly hostnames?: readonly string[];
  readonly groups?: readonly object[];
  readonly replicas?: number;
  readonly minReplicas?: number;
  readonly maxUnavailable?: number;
  readonly scaleTargetRef?: { readonly name: string };
  readonly podSelector?: { readonly matchLabels: Labels };
  readonly policyTypes?: readonly string[];
  readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
  readonly rules?: readonly { readonly host: string; readonly http: IngressPaths }[];
  readonly ports?: readonly { readonly name: string; readonly targetPort?: string }[];
  readonly type?: string;
}

interface IngressPaths {
  readonly paths: readonly {
    readonly backend: { readonly service: { readonly port: { readonly name: string } } };
  }[];
}

export type Labels = Readonly<Record<string, string>>;

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: object;
  readonly terminationGracePeriodSeconds?: number;
  readonly topologySpreadConstraints?: readonly object[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly serviceAccountName?: string;
  readonly affinity?: object;
  readonly tolerations?: readonly object[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: object;
  readonly configMap?: object;
  readonly persistentVolumeClaim?: object;
  readonly secret?: { readonly secretName: string; readonly defaultMode: number };
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly securityContext?: object;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly ports?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
    readonly subPath?: string;
  }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
}

interface EnvVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

/** Values with the features that no example uses, which make chart renders too. */
export const everyFeature = 'every-feature';

export const examples = readdirSync(join(chartFolder, 'examples')).map((file) =>
  file.replace('.yaml', ''),
);

/** The output of helm for an example, written by make chart UPDATE=1. */
export function renderedExample(example: string): readonly Rendered[] {
  const file = join(repositoryRoot, `test/unit/deploy/golden/${example}.yaml`);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as Rendered);
}

export function ofKind(objects: readonly Rendered[], kind: string): readonly Rendered[] {
  return objects.filter((object) => object.kind === kind);
}

/** The pods of an example, including those of jobs and tests. */
export function podsOf(objects: readonly Rendered[]): readonly PodSpec[] {
  return objects.flatMap((object) => {
    if (object.kind === 'Pod') return [object.spec as unknown as PodSpec];
    const template = podTemplateOf(object);
    return template === undefined ? [] : [template.spec];
  });
}

/** The pod of a Deployment or Job. A Secret or ConfigMap has no spec. */
export function podTemplateOf({ spec }: Rendered): Spec['template'] {
  return (spec as Spec | undefined)?.template;
}

/** Labels and annotations of every pod. */
export function podMetadataOf(
  objects: readonly Rendered[],
): readonly { readonly labels?: Labels; readonly annotations?: Labels }[] {
  return objects
    .map((object) => (object.kind === 'Pod' ? object.metadata : podTemplateOf(object)?.metadata))
    .filter((metadata) => metadata !== undefined);
}
