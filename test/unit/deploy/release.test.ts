import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { chartFile } from '../../../deploy/helm/chart-files.ts';
import { provenance } from '../../../deploy/release/provenance.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('a release', () => {
  it('has the same version in every file', () => {
    expect(parse(chartFile('Chart.yaml'))).to.include({ version, appVersion: version });
    expect(read('deploy/docker/Dockerfile')).to.include(`\nARG VERSION=${version}\n`);
    expect(read('clients/python/pyproject.toml')).to.include(`\nversion = "${version}"\n`);
    const images = [...read('deploy/docker/compose.yaml').matchAll(/image: netpanel-\w+:(.*)/g)];
    expect(images).to.have.length(5);
    for (const [, tag] of images) expect(tag).to.equal(version);
    for (const example of ['trial', 'production', 'clickhouse-cluster']) {
      const { image } = parse(chartFile(`examples/${example}.yaml`)) as { image: { tag: string } };
      expect(image.tag).to.equal(version);
    }
    expect(read('CHANGELOG.md')).to.match(
      new RegExp(`^## ${version} - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
    );
  });

  it('states which files were built from which revision and base image', () => {
    const statement = provenance({
      checksums: `${'a'.repeat(64)}  netpanel-0.1.0.tgz\n${'b'.repeat(64)}  netpanel-query-0.1.0.tar\n`,
      revision: 'c0ffee',
      base: 'node:22-bookworm-slim',
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
        { name: 'node:22-bookworm-slim', digest: { sha256: '1234' } },
      ],
    );
  });
});
