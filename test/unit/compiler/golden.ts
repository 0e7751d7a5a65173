import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CompiledQuery } from '../../../services/query/compiler/compiled-query.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const folder = join(repositoryRoot, 'test/unit/compiler/golden');

/**
 * Compares a query with test/unit/compiler/golden/<name>.sql. After an intended change, write the
 * files anew and read the difference before committing it:
 *
 *   UPDATE_GOLDEN=1 npm test -- unit/compiler
 */
export function expectGolden(name: string, compiled: CompiledQuery): void {
  const params = Object.entries(compiled.params).map(
    ([param, { type, value }]) => `-- ${param} ${type} ${JSON.stringify(value)}`,
  );
  const text = [...params, compiled.sql, ''].join('\n');
  const file = join(folder, `${name}.sql`);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).to.equal(readFileSync(file, 'utf8'));
}
