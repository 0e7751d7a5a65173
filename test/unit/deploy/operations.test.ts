import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { operatorPages } from '../../support/operator-pages.ts';
import { runNetpanel } from '../../support/netpanel.ts';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');
const operations = operatorPages();

describe('the runbooks', () => {
  it('use existing netpanel commands and options', async () => {
    // `netpanel token create --org demo …` in a block, or between backticks.
    const lines = [...operations.matchAll(/(?:^|`)netpanel ([a-z-]+)([^`\n#]*)/gm)];
    const used = new Map(lines.map(([line, command = '', rest = '']) => [line, { command, rest }]));
    expect(used.size).to.be.greaterThan(6);
    for (const command of new Set([...used.values()].map((one) => one.command))) {
      const { stdout } = await runNetpanel({}, ['help', command]);
      // For an unknown command, help prints the overview.
      expect(stdout, command).to.match(new RegExp(`^netpanel ${command}\\b`));
      const options = [...used.values()]
        .filter((one) => one.command === command)
        .flatMap(({ rest }) => rest.match(/--[a-z-]+|^ [a-z]+\b/g) ?? []);
      for (const option of options) expect(stdout, command).to.include(option.trim());
    }
  });

  it('refer to existing files and settings', () => {
    const files = [...operations.matchAll(/`(deploy\/[\w./-]+\.\w+)`/g)].map(([, file]) => file);
    expect(files.length).to.be.greaterThan(2);
    for (const file of files) expect(() => read(file ?? '')).to.not.throw();
    const settingsPage = read('docs/settings.md');
    const settings = [...operations.matchAll(/`([A-Z0-9]+(?:_[A-Z0-9]+)+)`/g)];
    expect(settings.length).to.be.greaterThan(3);
    for (const [quoted] of settings) expect(settingsPage).to.include(`| ${quoted}`);
  });
});
