import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  checkVersion,
  newestTestedVersion,
  oldestVersion,
} from '../../../services/shared/clickhouse/supported-versions.ts';
import { UnsupportedVersionError } from '../../../services/shared/http/dependency.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('supported versions of ClickHouse', () => {
  for (const version of ['25.8.1.1', '25.8', '25.10.3.100', '26.1.2.11', '26.9.9.9']) {
    it(`${version} is supported`, () => expect(checkVersion(version)).to.equal(undefined));
  }

  for (const version of ['25.8.2.1-testing', '25.8.16.10002.altinitystable']) {
    it(`the suffix of ${version} does not matter`, () =>
      expect(checkVersion(version)).to.equal(undefined));
  }

  // As text 25.10 sorts before 25.8, and 9.8 after it.
  for (const version of ['25.7.9.1', '25.1.1.1', '24.12.1.1', '24.3.1.2', '9.8.1.1']) {
    it(`${version} is too old`, () => {
      expect(() => checkVersion(version)).to.throw(
        UnsupportedVersionError,
        `ClickHouse ${version} is not supported: netpanel needs 25.8 or later (tested up to 26.9)`,
      );
    });
  }

  for (const version of ['26.10.1.1', '27.1.1.1', '100.1.1.1']) {
    it(`${version} is accepted with a warning: it is newer than tested`, () => {
      expect(checkVersion(version)).to.equal(
        `ClickHouse ${version} is newer than the newest tested version, 26.9`,
      );
    });
  }

  for (const version of ['', 'unknown', '25', '25.', '25.8x', 'v25.8.1.1', '-25.8']) {
    it(`"${version}" is rejected as an invalid version`, () => {
      expect(() => checkVersion(version)).to.throw(
        UnsupportedVersionError,
        `ClickHouse reports the version "${version}", which must look like 25.8.2.29: netpanel needs 25.8 or later`,
      );
    });
  }

  it('match the documentation', () => {
    expect(textOf('README.md')).to.contain(
      `ClickHouse ${oldestVersion} or later (tested up to ${newestTestedVersion})`,
    );
    expect(textOf('docs/install.md')).to.match(
      new RegExp(`\\| ClickHouse \\| ${oldestVersion} \\(LTS\\) +\\| ${newestTestedVersion} `),
    );
  });

  it('include the version of deploy/docker/compose.yaml', () => {
    const text = textOf('deploy/docker/compose.yaml');
    const [, version] = /clickhouse\/clickhouse-server:(\S+)/.exec(text) ?? [];
    expect(checkVersion(version ?? '')).to.equal(undefined);
  });
});

function textOf(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}
