import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ingestSettings } from '../../../services/ingest/config.ts';
import { querySettings, readQueryConfig } from '../../../services/query/config.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';
import { environmentOf, settingsOf, tableOf } from './container-settings.ts';
import {
  claim,
  type Container,
  describeRendered,
  everyFeature,
  examples,
  type Labels,
  ofKind,
  podMetadataOf,
  podsOf,
  podTemplateOf,
  type Rendered,
  valuesFile,
} from './rendered-chart.ts';

for (const example of [...examples, everyFeature, claim]) {
  describeRendered(`the chart rendered for ${example}`, example, (objects) => {
    const pods = podsOf(objects);
    const deployments = ofKind(objects, 'Deployment');
    const containers = pods.flatMap((pod) => pod.containers);

    const isWithoutOptions = example === claim;
    const fullname = example === everyFeature ? 'panel' : 'netpanel';

    it('has the services, a test and, unless switched off, a migration', () => {
      expect(deployments.map(({ metadata }) => metadata.name)).to.have.members([
        `${fullname}-query`,
        `${fullname}-metadata`,
        `${fullname}-ingest`,
      ]);
      const jobs = ofKind(objects, 'Job');
      expect(jobs).to.have.length(isWithoutOptions ? 0 : 1);
      for (const { metadata } of jobs) {
        expect(metadata.annotations?.['helm.sh/hook']).to.equal('pre-install,pre-upgrade');
      }
      const [test] = ofKind(objects, 'Pod');
      expect(test?.metadata.annotations?.['helm.sh/hook']).to.equal('test');
      expect(new Set(containers.map(({ image }) => image))).to.have.length(1);
    });

    it('runs no pod as root, with a service account token or in host namespaces', () => {
      for (const pod of pods) {
        expect(pod.automountServiceAccountToken).to.equal(false);
        expect(pod.securityContext).to.deep.include({
          runAsNonRoot: true,
          runAsUser: 65532,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(pod.hostNetwork ?? pod.hostPID ?? false).to.equal(false);
        for (const { name, ...source } of pod.volumes ?? []) {
          const kinds = {
            tls: ['secret'],
            'certificate-authorities': ['secret', 'configMap'],
            map: ['configMap'],
            exports: ['emptyDir', 'persistentVolumeClaim'],
          }[name];
          expect(kinds ?? ['emptyDir']).to.include(Object.keys(source).join());
        }
      }
    });

    it('runs containers without capabilities, with a read-only root and a memory limit', () => {
      for (const container of containers) {
        expect(container.securityContext).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(container.resources?.requests).to.include.keys('cpu', 'memory');
        expect(container.resources?.limits).to.include.keys('memory');
        expect(container.image).to.match(/:[\w.-]+$|@sha256:/);
        expect(container.image).not.to.match(/:latest$/);
      }
    });

    it('reads every secret from a Kubernetes secret', () => {
      const ofStores = ['DATABASE_URL', 'CLICKHOUSE_PASSWORD'];
      for (const container of connecting()) {
        const settings = container.name === 'migrate' ? [] : secretsOf(container);
        const secrets = [...ofStores, ...settings];
        const given = (container.env ?? []).filter(({ name }) => secrets.includes(name));
        expect(given.map(({ name }) => name)).to.include.members(ofStores);
        for (const { value, valueFrom } of given) {
          expect(value).to.equal(undefined);
          expect(valueFrom?.secretKeyRef?.name).to.match(/^(netpanel|panel)-/);
        }
      }
    });

    it('connects each role as its own user of ClickHouse', () => {
      const users = connecting().map(({ env = [] }) =>
        JSON.stringify(env.filter(({ name }) => /^CLICKHOUSE_(USER|PASSWORD)$/.test(name))),
      );
      expect(new Set(users)).to.have.property('size', users.length);
    });

    it('uses every value of its file', () => {
      // No migration uses its user, and the size is that of the claim.
      if (isWithoutOptions) return;
      const rendered = scalars(objects).join('\n');
      const given = parse(readFileSync(valuesFile(example), 'utf8')) as object;
      for (const value of scalars(given)) expect(rendered).to.include(value);
    });

    it('selects pods of the chart with every selector', () => {
      const labelsOfPods = podMetadataOf(objects).map(({ labels }) => labels);
      const selectors = objects.map(selectorOf).filter((selector) => selector !== undefined);
      expect(selectors.length).to.be.at.least(3 * deployments.length);
      for (const selector of selectors) {
        const selected = labelsOfPods.filter((labels = {}) =>
          Object.entries(selector).every(([name, value]) => labels[name] === value),
        );
        expect(selected, JSON.stringify(selector)).not.to.deep.equal([]);
      }
    });

    it('listens on the ports that are probed, scraped and allowed', () => {
      for (const container of services()) {
        const { port, opsPort } = settingsOf(container);
        expect(container.ports?.map(({ containerPort }) => containerPort)).to.deep.equal([
          port,
          opsPort,
        ]);
        const ofService = ({ metadata }: Rendered) =>
          metadata.name === `${fullname}-${container.name}`;
        const [policy] = ofKind(objects, 'NetworkPolicy').filter(ofService);
        const allowed = policy?.spec.ingress?.flatMap(({ ports }) => ports.map((one) => one.port));
        expect(allowed ?? [port, opsPort]).to.deep.equal([port, opsPort]);
        const [test] = ofKind(objects, 'Pod');
        expect(JSON.stringify(test)).to.include(
          `//${fullname}-${container.name}-ops:${opsPort}/readyz`,
        );
      }
    });

    it('probes the ops port, and the liveness probe uses no database', () => {
      for (const container of services()) {
        expect(container.startupProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
        expect(container.readinessProbe?.httpGet).to.deep.equal({ path: '/readyz', port: 'ops' });
        expect(container.livenessProbe?.httpGet).to.deep.equal({ path: '/healthz', port: 'ops' });
      }
    });

    it('stops no pod before its longest request has ended', () => {
      for (const { spec } of deployments) {
        const pod = spec.template?.spec;
        const [container] = pod?.containers ?? [];
        const preStopS = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
        const { stopGraceMs } = settingsOf(container);
        expect(stopGraceMs).to.be.at.least(longestRequestMs(container));
        expect(preStopS).to.be.greaterThan(0);
        expect(pod?.terminationGracePeriodSeconds).to.be.greaterThan(preStopS + stopGraceMs / 1000);
      }
    });

    it('has only settings that the services accept, and listens on all interfaces', () => {
      for (const container of services()) {
        const known = Object.values(tableOf(container)).map(({ name }) => name);
        // Variables of Node itself.
        const ofNode = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];
        const given = (container.env ?? []).map(({ name }) => name);
        expect([...known, ...ofNode]).to.include.members(given);
        expect(given).to.have.length(new Set(given).size);
        expect(settingsOf(container).host).to.equal('0.0.0.0');
      }
    });

    it('spreads pods, and has network policies for all of them', () => {
      for (const { spec } of deployments) {
        expect(spec.template?.spec.topologySpreadConstraints).to.have.length(2);
        expect(spec.template?.metadata.labels).to.include(spec.selector?.matchLabels);
      }
      const policies = ofKind(objects, 'NetworkPolicy').map(({ spec }) => spec);
      if (isWithoutOptions) return expect(policies).to.deep.equal([]);
      const component = 'app.kubernetes.io/component';
      expect(policies.map((spec) => spec.podSelector?.matchLabels[component])).to.have.members([
        'query',
        'metadata',
        'ingest',
        'migrate',
        'test',
      ]);
      for (const spec of policies) expect(spec.policyTypes).to.have.members(['Ingress', 'Egress']);
      return undefined;
    });

    it('stores exports where the service can write, with links that clients can open', () => {
      const [query] = services().filter(({ name }) => name === 'query');
      // The file of the map is in a ConfigMap.
      const elsewhere = { EXPLORER_MAP_FILE: '' };
      const bucket = { S3_BUCKET: 'in-the-secret', ...environmentOf(query), ...elsewhere };
      const config = readQueryConfig(bucket);
      expect(config.exportLinkSecret).not.to.equal('');
      expect(config.publicUrl).to.match(/^https?:\/\/[a-z0-9]/);
      if (config.exportStore === 's3') return;
      const exports = podTemplateOf(deployments[0]!)?.spec.volumes?.find(
        ({ name }) => name === 'exports',
      );
      const mounts = query?.volumeMounts?.filter(({ readOnly = false }) => !readOnly) ?? [];
      expect(mounts.map(({ mountPath }) => mountPath)).to.include(config.exportFolder);
      // Several pods share a claim.
      if (exports?.persistentVolumeClaim !== undefined) return;
      const [deployment] = deployments.filter(({ metadata }) => metadata.name.endsWith('-query'));
      expect(deployment?.spec.replicas).to.equal(1);
    });

    it('allows the traffic of the migrations before they start', () => {
      if (isWithoutOptions) return;
      const [policy] = ofKind(objects, 'NetworkPolicy').filter(({ metadata }) =>
        metadata.name.endsWith('-migrate'),
      );
      const [job] = ofKind(objects, 'Job');
      const hook = 'helm.sh/hook';
      expect(policy?.metadata.annotations?.[hook]).to.equal(job?.metadata.annotations?.[hook]);
      const weightOf = (annotations: Readonly<Record<string, string>> = {}) =>
        Number(annotations['helm.sh/hook-weight']);
      expect(weightOf(policy?.metadata.annotations)).to.be.lessThan(
        weightOf(job?.metadata.annotations),
      );
    });

    it('gives metrics the label "job" that the alerts use', () => {
      const ops = ofKind(objects, 'Service').filter(({ metadata }) =>
        metadata.name.endsWith('-ops'),
      );
      expect(ops.map(({ metadata }) => metadata.labels?.['netpanel/job'])).to.have.members([
        'netpanel-query',
        'netpanel-metadata',
        'netpanel-ingest',
      ]);
      for (const { spec } of ofKind(objects, 'ServiceMonitor')) {
        expect(spec.jobLabel).to.equal('netpanel/job');
      }
    });

    it('does not expose health and metrics outside of the cluster', () => {
      const outside = ofKind(objects, 'Service').filter(({ spec }) => spec.type !== 'ClusterIP');
      const ops = ofKind(objects, 'Service').filter(({ spec }) =>
        spec.ports?.some(({ name }) => name === 'ops'),
      );
      expect(outside.filter((service) => ops.includes(service))).to.deep.equal([]);
      expect(ops).to.have.length(3);
      for (const { spec } of ops) expect(spec.ports).to.have.length(1);
    });

    it('uses the same protocol in pods, Services and Ingresses', () => {
      for (const { metadata, spec } of deployments) {
        const [container] = spec.template?.spec.containers ?? [];
        const scheme = settingsOf(container).tlsCertFile === '' ? 'http' : 'https';
        expect(container?.ports?.map(({ name }) => name)).to.deep.equal([scheme, 'ops']);
        const [service] = ofKind(objects, 'Service').filter(
          ({ metadata: { name } }) => name === metadata.name,
        );
        expect(service?.spec.ports?.[0]).to.include({ name: scheme, targetPort: scheme });
        const [ingress] = ofKind(objects, 'Ingress').filter(
          ({ metadata: { name } }) => name === metadata.name,
        );
        const backend = ingress?.spec.rules?.[0]?.http.paths[0]?.backend.service.port.name;
        expect(backend ?? scheme).to.equal(scheme);
      }
    });

    it('has no ingress without TLS', () => {
      for (const { spec } of ofKind(objects, 'Ingress')) {
        expect(spec.tls?.[0]?.hosts).to.deep.equal(spec.rules?.map(({ host }) => host));
        expect(spec.tls?.[0]?.secretName).to.be.a('string').that.is.not.empty;
      }
    });

    /** The containers that connect to the stores. */
    function connecting(): Container[] {
      return [...services(), ...containers.filter(({ name }) => name === 'migrate')];
    }

    function services(): Container[] {
      return deployments.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
    }
  });
}

/** The service waits 5 seconds longer than its timeout for a hanging ClickHouse. */
function longestRequestMs(container: Container | undefined): number {
  if (container?.name === 'metadata') return 25_000;
  if (container?.name === 'ingest') {
    const { queueMs, insertTimeoutMs } = readSettings(ingestSettings, environmentOf(container));
    // A request is queued for a slot of its organisation, and then for memory.
    return 2 * queueMs + insertTimeoutMs + 5_000;
  }
  const limits = readSettings(querySettings, environmentOf(container));
  return Math.max(limits.queryTimeoutMs + limits.queryQueueMs, limits.exportWaitMs) + 5_000;
}

/** What an object says about the labels of pods. */
function selectorOf({ kind, spec }: Rendered): Labels | undefined {
  if (kind === 'Service') return spec.selector as Labels;
  if (kind === 'NetworkPolicy') return spec.podSelector?.matchLabels;
  if (['Deployment', 'PodDisruptionBudget'].includes(kind)) return spec.selector?.matchLabels;
  return undefined;
}

/** The texts and numbers in a tree of values, as text. */
function scalars(node: unknown): string[] {
  if (typeof node === 'object' && node !== null) return Object.values(node).flatMap(scalars);
  return typeof node === 'string' || typeof node === 'number' ? [String(node)] : [];
}

function secretsOf(container: Container): readonly string[] {
  const settings = Object.values(tableOf(container)).filter(({ secret }) => secret);
  return settings.map(({ name }) => name);
}
