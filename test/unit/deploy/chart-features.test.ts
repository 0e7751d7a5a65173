import { expect } from 'chai';
import {
  claim,
  type Container,
  describeRendered,
  everyFeature,
  ofKind,
  podMetadataOf,
  type PodSpec,
  podsOf,
  podTemplateOf,
  type Rendered,
} from './rendered-chart.ts';

describeRendered('the features of the chart', everyFeature, (objects) => {
  const pods = podsOf(objects);

  it('label and annotate every pod, also those of the migrations and the test', () => {
    for (const { labels, annotations } of podMetadataOf(objects)) {
      expect(labels).to.include({ team: 'panel' });
      expect(annotations).to.include({ 'sidecar.istio.io/inject': 'false' });
    }
  });

  it('place every pod', () => {
    for (const pod of pods) {
      expect(pod.affinity).to.have.property('nodeAffinity');
      expect(pod.tolerations).to.have.length(1);
      expect(pod.nodeSelector).to.deep.equal({ 'kubernetes.io/arch': 'arm64' });
    }
    for (const { spec } of ofKind(objects, 'Deployment')) {
      const pod = spec.template?.spec;
      expect(pod?.priorityClassName).to.equal('important');
      expect(pod?.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey)).to.deep.equal([
        'example.org/rack',
        'kubernetes.io/hostname',
      ]);
    }
  });

  it('pull the image by its digest, with a secret, in every pod', () => {
    for (const pod of pods) {
      expect(pod.imagePullSecrets).to.deep.equal([{ name: 'netpanel-registry' }]);
      for (const { image, imagePullPolicy } of pod.containers) {
        expect(image).to.match(/^registry\.example\.org\/netpanel@sha256:0123/);
        expect(imagePullPolicy).to.equal('Always');
      }
    }
  });

  it('connect each role to the named database, with its user and its key of the password', () => {
    const roles = { query: 'reader', metadata: 'writer', ingest: 'collector', migrate: 'owner' };
    for (const [name, user] of Object.entries(roles)) {
      const container = containerOf(name, objects);
      expect(variableOf(container, 'CLICKHOUSE_DATABASE')?.value).to.equal('panel');
      expect(variableOf(container, 'CLICKHOUSE_USER')?.value).to.equal(user);
      expect(variableOf(container, 'CLICKHOUSE_PASSWORD')?.valueFrom?.secretKeyRef).to.deep.equal({
        name: 'netpanel-clickhouse',
        key: user,
      });
    }
  });

  it('give the services the variables of the secret of tracing', () => {
    for (const name of ['query', 'metadata', 'ingest']) {
      expect(containerOf(name, objects)?.envFrom).to.deep.equal([
        { secretRef: { name: 'netpanel-tracing' } },
      ]);
    }
  });

  it('sign the links of exports with the given secret, without generating one', () => {
    const used = variableOf(containerOf('query', objects), 'EXPORT_LINK_SECRET');
    expect(used?.valueFrom?.secretKeyRef).to.deep.equal({ name: 'netpanel-links', key: 'secret' });
    expect(ofKind(objects, 'Secret')).to.deep.equal([]);
  });

  it('expose the query service alone through a load balancer', () => {
    const outside = ofKind(objects, 'Service').filter(({ spec }) => spec.type === 'LoadBalancer');
    expect(outside.map(({ metadata }) => metadata.name)).to.deep.equal(['panel-query']);
  });

  it('label the dashboard, and scrape as often as asked', () => {
    const [dashboard] = ofKind(objects, 'ConfigMap');
    expect(dashboard?.metadata.labels).to.include({ dashboards: 'panel' });
    const [monitor] = ofKind(objects, 'ServiceMonitor');
    expect(monitor?.spec).to.have.nested.property('endpoints[0].interval', '15s');
  });

  it('limit the disruptions of a service as asked', () => {
    const budgets = ofKind(objects, 'PodDisruptionBudget').map(
      ({ metadata, spec }) => [metadata.name, spec.maxUnavailable] as const,
    );
    expect(budgets).to.deep.include.members([
      ['panel-query', 2],
      ['panel-metadata', 1],
    ]);
  });

  it('let every pod that connects to a store trust a private authority', () => {
    const connecting = pods.filter(({ containers }) =>
      containers.some(({ env = [] }) => env.some(({ name }) => name === 'CLICKHOUSE_URL')),
    );
    expect(connecting).not.to.deep.equal([]);
    for (const { containers, volumes = [] } of connecting) {
      const file = containers[0]?.env?.find(({ name }) => name === 'NODE_EXTRA_CA_CERTS')?.value;
      expect(file).to.equal('/etc/netpanel/ca/ca.crt');
      const mount = containers[0]?.volumeMounts?.find(({ mountPath }) =>
        file?.startsWith(`${mountPath}/`),
      );
      const volume = volumes.find(({ name }) => name === mount?.name);
      expect(volume?.secret).to.deep.include({
        secretName: 'netpanel-ca',
        items: [{ key: 'authorities.pem', path: 'ca.crt' }],
      });
    }
  });

  it('create service accounts without a token, for the migrations before their Job', () => {
    const accounts = ofKind(objects, 'ServiceAccount');
    expect(accounts.map(({ metadata }) => metadata.name)).to.have.members([
      'panel-query',
      'panel-migrations',
    ]);
    for (const account of accounts) {
      expect(account).to.have.property('automountServiceAccountToken', false);
    }
    const [query, migrations] = ['panel-query', 'panel-migrations'].map((wanted) =>
      accounts.find(({ metadata }) => metadata.name === wanted),
    );
    expect(query?.metadata.annotations).to.have.property('eks.amazonaws.com/role-arn');
    expect(migrations?.metadata.annotations).to.include({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-10',
    });
    const used = objects.map(podTemplateOf).map((template) => template?.spec.serviceAccountName);
    expect(used).to.include.members(['panel-query', 'existing-account', 'panel-migrations']);
  });

  it('add variables, volumes and annotations to the Deployments', () => {
    const [query] = ofKind(objects, 'Deployment').filter(({ metadata: { name } }) =>
      name.endsWith('-query'),
    );
    expect(query?.metadata.annotations).to.include({ 'reloader.stakater.com/auto': 'true' });
    const pod = query?.spec.template?.spec;
    expect(pod?.containers[0]?.env).to.deep.include({
      name: 'NODE_OPTIONS',
      value: '--max-old-space-size=512',
    });
    expect(pod?.volumes?.map(({ name }) => name)).to.include('cache');
    expect(pod?.containers[0]?.volumeMounts?.map(({ name }) => name)).to.include('cache');
  });

  it('mount a map for the explorer, and name its field', () => {
    const [query] = ofKind(objects, 'Deployment').filter(({ metadata: { name } }) =>
      name.endsWith('-query'),
    );
    const pod = query?.spec.template?.spec;
    const { env = [], volumeMounts = [] } = pod?.containers[0] ?? {};
    const file = '/etc/netpanel/map/regions.geojson';
    expect(env).to.deep.include.members([
      { name: 'EXPLORER_MAP_FILE', value: file },
      { name: 'EXPLORER_MAP_FIELD', value: 'district' },
      { name: 'EXPLORER_MAP_PROPERTY', value: 'NAME' },
    ]);
    const mount = volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const volume = pod?.volumes?.find(({ name }) => name === mount?.name);
    expect(volume).to.deep.include({
      configMap: {
        name: 'netpanel-regions',
        items: [{ key: 'districts.json', path: 'regions.geojson' }],
      },
    });
  });

  it('route requests through the Gateway API', () => {
    const routes = ofKind(objects, 'HTTPRoute');
    expect(routes.map(({ spec }) => spec.hostnames)).to.have.deep.members([
      ['data.example.org'],
      ['metadata.example.org'],
      ['ingest.example.org'],
    ]);
    for (const { metadata, spec } of routes) {
      expect(spec.parentRefs?.[0]).to.include({ name: 'public' });
      expect(spec.rules).to.have.nested.property('[0].backendRefs[0].name', metadata.name);
    }
  });

  it('scale on query slots beside the CPU', () => {
    const [scaler] = ofKind(objects, 'HorizontalPodAutoscaler').filter(({ metadata: { name } }) =>
      name.endsWith('-query'),
    );
    expect(scaler?.spec.metrics).to.have.length(2);
    expect(scaler?.spec.metrics?.[1]).to.deep.equal({
      type: 'Pods',
      pods: {
        metric: { name: 'netpanel_query_slots_running' },
        target: { type: 'AverageValue', averageValue: '8' },
      },
    });
  });

  it('limit the egress of each component', () => {
    const portsOf = (component: string) => {
      const [policy] = ofKind(objects, 'NetworkPolicy').filter(({ metadata: { name } }) =>
        name.endsWith(component),
      );
      return policy?.spec.egress?.flatMap(({ ports }) => ports.map(({ port }) => port));
    };
    expect(portsOf('-query')).to.deep.equal([53, 53, 443, 8443, 5432, 4318]);
    expect(portsOf('-metadata')).to.deep.equal([53, 53, 8443, 5432]);
    expect(portsOf('-ingest')).to.deep.equal([53, 53, 8443, 5432]);
    expect(portsOf('-migrate')).to.deep.equal([53, 53, 8443, 5432]);
  });

  it('give each role its own secret with the address of Postgres', () => {
    const used = pods.flatMap(({ containers }) =>
      containers.flatMap(({ env = [] }) =>
        env.filter(({ name }) => name === 'DATABASE_URL').map(({ valueFrom }) => valueFrom),
      ),
    );
    expect(used.map((one) => one?.secretKeyRef)).to.have.deep.members([
      { name: 'netpanel-postgres-query', key: 'URL' },
      { name: 'netpanel-postgres-metadata', key: 'URL' },
      { name: 'netpanel-postgres-ingest', key: 'URL' },
      { name: 'netpanel-postgres-owner', key: 'OWNER_URL' },
    ]);
  });
});

describeRendered('the chart without what a cluster may lack', claim, (objects) => {
  it('stores exports of several pods in a claim, with one generated secret for their links', () => {
    const volume = podOf('query', objects)?.volumes?.find(({ name }) => name === 'exports');
    expect(volume?.persistentVolumeClaim).to.deep.equal({ claimName: 'netpanel-exports' });
    const [secret] = ofKind(objects, 'Secret');
    const used = variableOf(containerOf('query', objects), 'EXPORT_LINK_SECRET');
    expect(used?.valueFrom?.secretKeyRef?.name).to.equal(secret?.metadata.name);
    expect(secret?.data).to.have.property('EXPORT_LINK_SECRET').that.is.not.empty;
  });
});

describeRendered('the chart for a cluster of ClickHouse', 'clickhouse-cluster', (objects) => {
  it('names the cluster in every pod that connects, and waits longer for migrations', () => {
    for (const name of ['query', 'metadata', 'ingest', 'migrate']) {
      expect(variableOf(containerOf(name, objects), 'CLICKHOUSE_CLUSTER')?.value).to.equal('panel');
    }
    expect(ofKind(objects, 'Job')[0]?.spec).to.have.property('activeDeadlineSeconds', 1800);
  });

  it('allows the traffic to the namespace of ClickHouse and the network of Postgres only', () => {
    for (const name of ['query', 'metadata', 'ingest', 'migrate']) {
      const [policy] = ofKind(objects, 'NetworkPolicy').filter(({ metadata }) =>
        metadata.name.endsWith(`-${name}`),
      );
      expect(policy?.spec.egress?.at(-1)?.to).to.deep.equal([
        {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'clickhouse' } },
        },
        { ipBlock: { cidr: '10.20.0.0/16' } },
      ]);
    }
  });
});

function podOf(component: string, objects: readonly Rendered[]): PodSpec | undefined {
  return podsOf(objects).find(({ containers }) => containers[0]?.name === component);
}

function containerOf(component: string, objects: readonly Rendered[]): Container | undefined {
  return podOf(component, objects)?.containers[0];
}

function variableOf(container: Container | undefined, name: string) {
  return container?.env?.find((one) => one.name === name);
}
