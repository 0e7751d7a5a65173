import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { chartFolder } from '../../../deploy/helm/chart-files.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { hasProgram } from '../../support/has-program.ts';
import { skipBecause } from '../../support/skip-because.ts';

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
  readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
  readonly egress?: readonly {
    readonly ports: readonly { readonly port: number }[];
    readonly to?: readonly object[];
  }[];
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
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly serviceAccountName?: string;
  readonly affinity?: object;
  readonly nodeSelector?: object;
  readonly priorityClassName?: string;
  readonly imagePullSecrets?: readonly object[];
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
  readonly imagePullPolicy?: string;
  readonly securityContext?: object;
  readonly args?: readonly string[];
  readonly env?: readonly EnvVariable[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
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

/** Values without what a cluster may lack, and with exports in a claim. */
export const claim = 'claim';

export const examples = readdirSync(join(chartFolder, 'examples')).map((file) =>
  file.replace('.yaml', ''),
);

/** The file of values of an example, or of a test. */
export function valuesFile(example: string): string {
  return examples.includes(example)
    ? join(chartFolder, `examples/${example}.yaml`)
    : join(repositoryRoot, `test/unit/deploy/values/${example}.yaml`);
}

/** Without the alerts and the dashboard, which are copies of files of the chart. Written by make chart UPDATE=1. */
export const goldenFile = join(repositoryRoot, 'test/unit/deploy/golden/production.yaml');
export const isInGolden = ({ kind }: Rendered) => !['PrometheusRule', 'ConfigMap'].includes(kind);

export const hasHelm = hasProgram('helm');

/** The text that helm renders for an example. */
export function helmOutput(example: string): string {
  const script = join(repositoryRoot, 'deploy/helm/render-chart.sh');
  const { status, stdout, stderr } = spawnSync(script, [valuesFile(example)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${example}: ${stderr}`);
  return stdout;
}

/** Tests of what helm renders for an example. Without helm, only the recorded rendering of production is tested. */
export function describeRendered(
  title: string,
  example: string,
  define: (objects: readonly Rendered[]) => void,
): void {
  describe(title, () => {
    if (hasHelm) define(parseObjects(helmOutput(example)));
    else if (example === 'production') define(recordedProduction());
    else {
      it('is rendered', function () {
        skipBecause(this, 'helm is not installed');
      });
    }
  });
}

export function recordedProduction(): readonly Rendered[] {
  return parseObjects(readFileSync(goldenFile, 'utf8'));
}

export function parseObjects(text: string): readonly Rendered[] {
  return parseAllDocuments(text).map((one) => one.toJS() as Rendered);
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
