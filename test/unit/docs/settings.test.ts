import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { ingestSettings } from '../../../services/ingest/config.ts';
import { querySettings } from '../../../services/query/config.ts';
import type { Setting } from '../../../services/shared/config/setting.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

// After a change of a setting: UPDATE_GOLDEN=1 npm test -- unit/docs, then review the diff.

describe('docs/settings.md', () => {
  it('lists every setting of the services with its default and its meaning', () => {
    const file = join(repositoryRoot, 'docs/settings.md');
    const page = readFileSync(file, 'utf8');
    const wanted = page.replace(/^\| variable [^]*?\n\n/m, () => `${settingsTable()}\n\n`);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, wanted);
    else expect(page).to.equal(wanted);
  });
});

function settingsTable(): string {
  const settings = [querySettings, metadataSettings, ingestSettings].flatMap((table) =>
    Object.values<Setting<unknown>>(table),
  );
  const byName = new Map(
    settings.map(({ name, fallback, about }) => [name, [`\`${name}\``, shown(fallback), about]]),
  );
  const rows = [['variable', 'default', 'meaning'], ...byName.values()];
  return [rows[0] ?? [], ['---', '---', '---'], ...rows.slice(1)]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function shown(fallback: string | undefined): string {
  if (fallback === undefined) return 'required';
  return fallback === '' ? '' : `\`${fallback}\``;
}
