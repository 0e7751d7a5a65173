import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('docs/security.md', () => {
  const document = readFileSync(join(repositoryRoot, 'docs/security.md'), 'utf8');
  const [, section = ''] = document.split('\n## Threats\n');
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('lists threats', () => {
    expect(rows.length).to.be.greaterThan(25);
  });

  it('names an existing test for every threat', () => {
    for (const [, threat = '', wall = '', tests = ''] of rows) {
      const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      expect(wall, threat).not.to.equal('');
      expect(files, threat).not.to.deep.equal([]);
      for (const file of files)
        expect(existsSync(join(repositoryRoot, 'test', file)), file).to.equal(true);
    }
  });
});
