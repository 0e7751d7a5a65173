import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aggregationKeys } from '../../../services/catalog/aggregations.ts';
import { metricFields, standardFields } from '../../../services/catalog/fields.ts';
import { metrics } from '../../../services/catalog/metrics.ts';
import { statistics } from '../../../services/catalog/statistics.ts';
import { testTables } from '../../../services/catalog/test-tables.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('The catalogue', () => {
  const outside = sourcesOutsideCatalog();

  it('is the only place in services/ that names aggregations, and metrics that are not named as their test', () => {
    const metricKeys = metrics.map(({ key }) => key).filter((key) => !(key in testTables));
    // `daily` is the first view of the explorer, `hour_of_week` its heat map; `total` is a word of many uses.
    const named = ['daily', 'hour_of_week', 'total'];
    const keys = aggregationKeys.filter((key) => !named.includes(key));
    expect(filesNaming([...keys, ...metricKeys])).to.deep.equal([]);
  });

  it('is the only place that names statistics, apart from what the explorer and a terminal show', () => {
    const drawn = ['metricValue', 'ci95', 'sampleCount', 'agentCount', 'min', 'max', 'median'];
    const others = statistics.map(({ name }) => name).filter((name) => !drawn.includes(name));
    expect(filesNaming(others)).to.deep.equal([]);
  });

  it('is the only place that names the fields of phones', () => {
    const fields = [...standardFields, ...metricFields].map(({ name }) => name);
    const ofPhones = fields.filter((name) => name.includes('_') && isPhoneColumn(name));
    expect(ofPhones).to.include('carrier_name');
    expect(filesNaming(ofPhones)).to.deep.equal([]);
  });

  function filesNaming(names: readonly string[]): string[] {
    return outside.flatMap(({ path, text }) =>
      names.filter((name) => text.includes(`'${name}'`)).map((name) => `${path}: ${name}`),
    );
  }
});

function isPhoneColumn(name: string): boolean {
  const phone: readonly string[] = testTables.mobile_download.columns;
  const unit: readonly string[] = testTables.httpget.columns;
  return phone.includes(name) && !unit.includes(name);
}

function sourcesOutsideCatalog(): { path: string; text: string }[] {
  const folder = join(repositoryRoot, 'services');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('catalog/'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}
