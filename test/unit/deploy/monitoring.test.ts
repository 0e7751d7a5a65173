import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { newRegistry } from '../../../services/shared/metrics.ts';
import { chartFile } from '../../../deploy/helm/chart-files.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Limited {
  readonly resources: { readonly limits: { readonly memory: string } };
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const rules = (
  parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as {
  panels: readonly Panel[];
};

/** By metricsOf. */
const declaredMetric =
  /(?:counter|gauge|histogram|measured|measuredBy|counted)\(\s*'(netpanel_\w+)'/g;

describe('alerts and dashboard', () => {
  const known = knownMetrics();

  for (const { alert, expr } of rules) {
    it(`${alert} uses existing metrics`, () => {
      expect(metricsIn(expr)).to.be.an('array').that.is.not.empty;
      expect(metricsIn(expr).filter((name) => !known.has(name))).to.deep.equal([]);
    });
  }

  it('every panel uses existing metrics', () => {
    const exprs = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(exprs.length).to.be.greaterThan(15);
    for (const expr of exprs) {
      expect(metricsIn(expr), expr).to.be.an('array').that.is.not.empty;
      expect(metricsIn(expr).filter((name) => !known.has(name))).to.deep.equal([]);
    }
  });

  it('every netpanel metric is on the dashboard', () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) => targets).flatMap((t) => metricsIn(t.expr)),
    );
    const missing = ownMetrics().filter(
      (name) => ![name, `${name}_count`, `${name}_bucket`].some((one) => shown.has(one)),
    );
    expect(missing).to.deep.equal([]);
  });

  it('notices a service that is not scraped', () => {
    const exprs = rules.map(({ expr }) => expr).join();
    for (const job of ['netpanel-query', 'netpanel-metadata', 'netpanel-ingest']) {
      expect(exprs).to.include(`absent(up{job="${job}"})`);
    }
  });

  it('warns of memory before the limit of each service in the chart', () => {
    const { expr } = rules.find(({ alert }) => alert === 'NetpanelMemory')!;
    const values = parse(chartFile('values.yaml')) as Record<string, Limited>;
    for (const service of ['query', 'metadata', 'ingest']) {
      const [, threshold] = new RegExp(`service="${service}"} > (\\d+e6)`).exec(expr) ?? [];
      const limit = parseInt(values[service]!.resources.limits.memory, 10) * 1024 * 1024;
      expect(Number(threshold), service).to.be.greaterThan(0.7 * limit);
      expect(Number(threshold), service).to.be.lessThan(0.9 * limit);
    }
  });

  it('every alert has a section in docs/troubleshooting.md', () => {
    const page = read('docs/troubleshooting.md');
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook).to.equal(`docs/troubleshooting.md#${alert.toLowerCase()}`);
      expect(page).to.include(`\n### ${alert}\n`);
      expect(['critical', 'warning']).to.include(labels.severity);
    }
    const sections = [...page.matchAll(/^### (Netpanel\w+)$/gm)].map(([, name]) => name);
    expect(sections).to.deep.equal(rules.map(({ alert }) => alert));
  });
});

const keywords = ['sum', 'max', 'min', 'avg', 'and', 'unless', 'or', 'offset'];

/** The metric names in a PromQL expression: no functions, keywords, labels or texts. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !keywords.includes(name));
}

function knownMetrics(): ReadonlySet<string> {
  const registry = newRegistry('test');
  const names = [...ownMetrics(), ...registry.getMetricsAsArray().map(({ name }) => name), 'up'];
  return new Set(names.flatMap((name) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]));
}

function ownMetrics(): string[] {
  return readdirSync(join(repositoryRoot, 'services'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...read(join('services', file)).matchAll(declaredMetric)])
    .map(([, name]) => name ?? '');
}
