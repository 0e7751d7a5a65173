import { expect } from 'chai';
import {
  everyFeature,
  ofKind,
  podMetadataOf,
  podsOf,
  podTemplateOf,
  renderedExample,
} from './rendered-chart.ts';

describe('the features of the chart', () => {
  const objects = renderedExample(everyFeature);
  const pods = podsOf(objects);

  it('label and annotate every pod, also those of the migrations and the test', () => {
    const all = podMetadataOf(objects);
    expect(all).to.have.length(5);
    for (const { labels, annotations } of all) {
      expect(labels).to.include({ team: 'panel' });
      expect(annotations).to.include({ 'sidecar.istio.io/inject': 'false' });
    }
  });

  it('place every pod', () => {
    for (const pod of pods) {
      expect(pod.affinity).to.have.property('nodeAffinity');
      expect(pod.tolerations).to.have.length(1);
    }
  });

  it('let every pod that connects to a store trust a private authority', () => {
    const connecting = pods.filter(({ containers }) =>
      containers.some(({ env = [] }) => env.some(({ name }) => name === 'CLICKHOUSE_URL')),
    );
    expect(connecting).to.have.length(4);
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
    for (const { spec } of routes) expect(spec.parentRefs?.[0]).to.include({ name: 'public' });
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

  it('store exports of several pods in a claim, with one generated secret for their links', () => {
    const claimed = renderedExample('claim');
    const [query] = ofKind(claimed, 'Deployment').filter(({ metadata: { name } }) =>
      name.endsWith('-query'),
    );
    const volume = query?.spec.template?.spec.volumes?.find(({ name }) => name === 'exports');
    expect(volume?.persistentVolumeClaim).to.deep.equal({ claimName: 'netpanel-exports' });
    const [secret] = ofKind(claimed, 'Secret');
    const used = query?.spec.template?.spec.containers[0]?.env?.find(
      ({ name }) => name === 'EXPORT_LINK_SECRET',
    );
    expect(used?.valueFrom?.secretKeyRef?.name).to.equal(secret?.metadata.name);
    expect(ofKind(claimed, 'NetworkPolicy')).to.deep.equal([]);
    expect(ofKind(claimed, 'Job')).to.deep.equal([]);
  });
});
