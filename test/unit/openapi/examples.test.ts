import { expect } from 'chai';
import { operations } from '../../security/contract.ts';
import { assertDocumented } from '../../support/assert-documented.ts';
import { datedExamples } from '../../../services/shared/http/openapi-contract.ts';

describe('the OpenAPI documents', () => {
  for (const { id, service, bodySchema, bodyExamples } of operations) {
    if (bodySchema === undefined) continue;
    it(`have an example of the request ${id} of the ${service} service`, () => {
      expect(bodyExamples).not.to.be.empty;
    });
  }

  it('have response examples that match their schemas', async () => {
    const problems: string[] = [];
    for (const { document, method, path, responseExamples } of operations) {
      // Parameter names serve as values: /exports/{id} is checked as /exports/id.
      const sample = path.replaceAll(/[{}]/g, '');
      for (const example of responseExamples) {
        await assertDocumented(document, { method, path: sample, ...example }).catch(
          (error: unknown) => problems.push(String(error)),
        );
      }
    }
    expect(problems).to.deep.equal([]);
  });

  it('are served with timestamps that are a week old on the day of the request', () => {
    const text = 'backdate_from: 1762560000 # a week ago\nother: 1762560000\n';
    expect(datedExamples(text, new Date('2027-01-08T00:00:00Z'))).to.equal(
      `backdate_from: ${Date.UTC(2027, 0, 1) / 1000} # a week ago\nother: 1762560000\n`,
    );
  });

  it('are served with results of the day before the request', () => {
    const text = '{"dtime": "2026-11-15 18:30:00"}, recordedAt: 2026-11-08\n';
    expect(datedExamples(text, new Date('2027-01-01T00:00:00Z'))).to.equal(
      '{"dtime": "2026-12-31 18:30:00"}, recordedAt: 2026-11-08\n',
    );
  });
});
