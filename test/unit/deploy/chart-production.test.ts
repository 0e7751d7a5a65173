import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { chartFile } from '../../../deploy/helm/chart-files.ts';
import { ingestSettings } from '../../../services/ingest/config.ts';
import { skipBecause } from '../../support/skip-because.ts';
import { settingsOf } from './container-settings.ts';
import {
  describeRendered,
  goldenFile,
  hasHelm,
  helmOutput,
  isInGolden,
  ofKind,
  parseObjects,
} from './rendered-chart.ts';

describeRendered('the chart rendered for production', 'production', (objects) => {
  it('is the recorded text (make chart UPDATE=1)', function () {
    if (!hasHelm) return skipBecause(this, 'helm is not installed');
    const text = helmOutput('production')
      .split(/^(?=---$)/m)
      .filter((one) => parseObjects(one).every(isInGolden))
      .join('');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(goldenFile, text);
    expect(text).to.equal(readFileSync(goldenFile, 'utf8'));
  });

  for (const name of ['netpanel-query', 'netpanel-metadata', 'netpanel-ingest']) {
    it(`scales ${name} and limits its disruptions`, () => {
      const [scaler] = ofKind(objects, 'HorizontalPodAutoscaler').filter(
        ({ spec }) => spec.scaleTargetRef?.name === name,
      );
      expect(scaler?.spec.minReplicas).to.be.at.least(2);
      const [budget] = ofKind(objects, 'PodDisruptionBudget').filter(
        ({ metadata }) => metadata.name === name,
      );
      expect(budget?.spec.maxUnavailable).to.equal(1);
      const [deployment] = ofKind(objects, 'Deployment').filter(
        ({ metadata }) => metadata.name === name,
      );
      expect(budget?.spec.selector).to.deep.equal(deployment?.spec.selector);
      // The autoscaler sets it; an upgrade would reset it.
      expect(deployment?.spec.replicas).to.equal(undefined);
    });
  }

  it('mounts certificates read-only, as a folder that follows the secret', () => {
    for (const { metadata, spec } of ofKind(objects, 'Deployment')) {
      const pod = spec.template?.spec;
      const [container] = pod?.containers ?? [];
      const volume = pod?.volumes?.find(({ name }) => name === 'tls');
      expect(volume?.secret).to.include({
        secretName: `${metadata.name}-tls`,
        defaultMode: 0o440,
      });
      const mount = container?.volumeMounts?.find(({ name }) => name === 'tls');
      // A file mounted with subPath is never updated.
      expect(mount).to.deep.equal({ name: 'tls', mountPath: '/etc/netpanel/tls', readOnly: true });
      const { tlsCertFile, tlsKeyFile } = settingsOf(container);
      expect([tlsCertFile, tlsKeyFile]).to.deep.equal([
        '/etc/netpanel/tls/tls.crt',
        '/etc/netpanel/tls/tls.key',
      ]);
    }
  });

  it('uses the public URL in export links', () => {
    const [query] = ofKind(objects, 'Deployment')
      .flatMap(({ spec }) => spec.template?.spec.containers ?? [])
      .filter(({ name }) => name === 'query');
    const [url] = query?.env?.filter(({ name }) => name === 'PUBLIC_URL') ?? [];
    expect(url?.value).to.equal('https://data.example.org');
  });

  it('lets the largest allowed request through the proxy', () => {
    const [ingress] = ofKind(objects, 'Ingress').filter(
      ({ metadata }) => metadata.name === 'netpanel-ingest',
    );
    const size = ingress?.metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'];
    expect(size).to.equal(`${Number(ingestSettings.maxResultsBytes.fallback) / 1024 ** 2}m`);
  });

  it('has Ingresses and a ServiceMonitor', () => {
    expect(ofKind(objects, 'Ingress')).to.have.length(3);
    expect(ofKind(objects, 'ServiceMonitor')).to.have.length(1);
  });

  it('has the alerts and the dashboard', function () {
    if (!hasHelm) return skipBecause(this, 'helm is not installed');
    const [rule] = ofKind(objects, 'PrometheusRule');
    expect({ groups: rule?.spec.groups }).to.deep.equal(parse(chartFile('files/alerts.yaml')));
    const [dashboard] = ofKind(objects, 'ConfigMap');
    expect(dashboard?.metadata.labels).to.include({ grafana_dashboard: '1' });
    expect(JSON.parse(dashboard?.data?.['netpanel.json'] ?? '')).to.deep.equal(
      JSON.parse(chartFile('files/dashboard.json')),
    );
  });
});
