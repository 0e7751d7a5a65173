import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse } from 'yaml';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
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

  it('every alert has a section in docs/operations.md', () => {
    const operations = read('docs/operations.md');
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook).to.equal(`docs/operations.md#${alert.toLowerCase()}`);
      expect(operations).to.include(`\n### ${alert}\n`);
      expect(['critical', 'warning']).to.include(labels.severity);
    }
    const sections = [...operations.matchAll(/^### (Netpanel\w+)$/gm)].map(([, name]) => name);
    expect(sections).to.deep.equal(rules.map(({ alert }) => alert));
  });
});

/** The metric names in a PromQL expression: no functions, keywords, labels or texts. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '')
    .replace(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['sum', 'max', 'min', 'avg', 'unless'].includes(name));
}

function knownMetrics(): ReadonlySet<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const names = [...ownMetrics(), ...registry.getMetricsAsArray().map(({ name }) => name), 'up'];
  return new Set(names.flatMap((name) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]));
}

function ownMetrics(): string[] {
  return readdirSync(join(repositoryRoot, 'services'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...read(join('services', file)).matchAll(/name: '(netpanel_\w+)'/g)])
    .map(([, name]) => name ?? '');
}
