import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { engineVersions, testsOf } from '../../engines/engine-versions.ts';
import { longTests } from '../../runner/long-tests.ts';

describe('the lists of tests', () => {
  it('name existing files, so that a renamed test still runs on every engine', () => {
    const paths = readdirSync(`${repositoryRoot}/test`, { recursive: true, encoding: 'utf8' });
    const listed = [...longTests, ...engineVersions.flatMap(testsOf)];
    const missing = listed.filter((start) => !paths.some((path) => path.startsWith(start)));
    expect(missing).to.deep.equal([]);
  });
});
