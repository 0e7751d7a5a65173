import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dependenciesOf, stages } from '../../../services/query/compiler/stages.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { metricQuery } from '../../support/metric-request.ts';

describe('the stages of a query', () => {
  it('are those of docs/statistics.md, in its order', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/statistics.md'), 'utf8');
    const reports = page.slice(page.indexOf('\n## Reports'), page.indexOf('\n## Privacy floor'));
    const headings = [...reports.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map(([, heading = '']) =>
      heading.replaceAll('`', '').toLowerCase(),
    );
    const names = stages.map(({ name }) => name.toLowerCase());
    const places = headings.map((heading) =>
      names.findIndex((name) => name.startsWith(heading) || heading.startsWith(name)),
    );
    expect(headings).to.have.length(14);
    expect(places).not.to.include(-1);
    expect(places).to.deep.equal(places.toSorted((a, b) => a - b));
  });

  it('say what an answer depends on besides the results of each bucket', () => {
    const of = (changes: Readonly<Record<string, unknown>>) => [
      ...dependenciesOf(metricQuery(changes)),
    ];
    expect(of({ splits: ['isp'] })).to.deep.equal([]);
    expect(of({ household: { statistic: 'mean', minResults: 5 } })).to.deep.equal([]);
    for (const changes of [
      { household: { statistic: 'trimmedMean' } },
      { switchers: 'longest' },
      { overBuckets: 'busiest' },
    ]) {
      expect(of(changes), JSON.stringify(changes)).to.deep.equal(['other buckets']);
    }
    expect(of({ coverage: true })).to.deep.equal(['the clock']);
  });
});
