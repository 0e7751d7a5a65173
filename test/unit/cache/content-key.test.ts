import { expect } from 'chai';
import { contentKey } from '../../../services/query/cache/content-key.ts';

describe('the key of an answer', () => {
  it('is another one in another release, whose views may give other values for the same SQL', () => {
    const query = ['SELECT value FROM results_httpget', { organisation: 1 }];
    expect(contentKey(query))
      .to.equal(contentKey([...query]))
      .and.have.length(32);
    expect(contentKey(query, '0.0.1')).not.to.equal(contentKey(query));
    expect(contentKey(query, '0.0.1')).not.to.equal(contentKey(query, '0.0.2'));
  });
});
