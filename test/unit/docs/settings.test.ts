import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { querySettings } from '../../../services/query/config.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the table of settings in the README', () => {
  const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  const settings = { ...querySettings, ...metadataSettings };
  const all = [...Object.values(querySettings), ...Object.values(metadataSettings)];

  for (const setting of new Map(all.map((one) => [one.name, one])).values()) {
    it(`tells ${setting.name}, its default and its meaning`, () => {
      const fallback = setting.fallback === undefined ? 'required' : `\`${setting.fallback}\``;
      const shown = setting.fallback === '' ? '' : fallback;
      expect(tableRow(setting.name)).to.deep.equal([shown, setting.about]);
    });
  }

  it('covers both services', () => {
    expect(Object.keys(settings).length).to.be.greaterThan(10);
  });

  function tableRow(name: string): string[] {
    const line = readme.split('\n').find((row) => row.startsWith(`| \`${name}\``)) ?? '';
    return line
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim());
  }
});
