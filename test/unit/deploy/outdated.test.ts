import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { heldBack } from '../../../deploy/audit/held-back.ts';
import { outdatedTable } from '../../../deploy/audit/outdated-table.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('make outdated', () => {
  const engines = 'deploy/local/clickhouse/engines';

  it('lists what holds each package back, and finds those without a reason', () => {
    const { text, unexplained } = outdatedTable(
      [
        { name: 'express', current: '5.3.0', wanted: '5.3.1', latest: '5.3.1' },
        { name: 'typescript', current: '5.9.3', wanted: '5.9.3', latest: '7.0.2' },
        { name: 'knex', current: '3.3.0', wanted: '3.3.2', latest: '4.0.0' },
        { name: 'chdb-wasm', wanted: '0.4.0', latest: '0.4.0' },
      ],
      { typescript: 'the linter' },
    );
    expect(text.trim().split('\n').slice(2)).to.deep.equal([
      '| express | 5.3.0 | 5.3.1 | nothing: `npm update` |',
      '| typescript | 5.9.3 | 7.0.2 | the linter |',
      '| knex | 3.3.0 | 4.0.0 | **no reason in deploy/audit/held-back.ts** |',
    ]);
    expect(unexplained).to.deep.equal(['knex']);
  });

  it('has reasons only for dependencies', () => {
    const names = ['.', `${engines}/native`, `${engines}/wasm`].flatMap((folder) => {
      const file = join(repositoryRoot, folder, 'package.json');
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
        readFileSync(file, 'utf8'),
      ) as Record<string, Record<string, string> | undefined>;
      return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    });
    expect(names).to.include.members(Object.keys(heldBack));
  });
});
