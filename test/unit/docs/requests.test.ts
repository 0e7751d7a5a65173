import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseMetricQuery } from '../../../services/query/request/parse-metric-query.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { parseContext } from '../../support/metric-request.ts';

describe('the requests in the documents', () => {
  const documents = readdirSync(join(repositoryRoot, 'docs'), { encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`);
  const requests = ['README.md', ...documents].flatMap((document) =>
    requestsIn(readFileSync(join(repositoryRoot, document), 'utf8')).map(
      (body) => [document, body] as const,
    ),
  );

  it('are found', () => {
    expect(requests).to.have.length.greaterThan(1);
  });

  for (const [i, [document, body]] of requests.entries()) {
    it(`number ${i + 1}, in ${document}, is valid`, () => {
      const context = { ...parseContext, customKeys: customKeysOf(body) };
      expect(() => parseMetricQuery(body, context), JSON.stringify(body)).not.to.throw();
    });
  }
});

/** The bodies of `curl -d '…'` that ask for a metric. Others have shell variables. */
function requestsIn(text: string): readonly object[] {
  return [...text.matchAll(/-d '(\{[^']*\})'/g)].flatMap(([, json = '']) => {
    const body = JSON.parse(json) as object;
    return 'metric' in body ? [body] : [];
  });
}

/** The documents may use any custom field. */
function customKeysOf(body: object): readonly string[] {
  const names = JSON.stringify(body).matchAll(/"custom\.(\w+)"/g);
  return [...new Set([...names].map(([, key = '']) => key))];
}
