import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type AdvisoryLock, lockTable } from '../../../services/shared/postgres/lock-table.ts';
import { maxSharedSlots } from '../../../services/shared/slots/shared-slots.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

/** The files that take locks of the table. */
const lockFunctions = [
  'services/shared/postgres/advisory-locks.ts',
  'services/shared/postgres/with-advisory-lock.ts',
];
const maxInt32 = 2 ** 31 - 1;

describe('the table of advisory locks', () => {
  it('gives no namespace to two purposes', () => {
    const owners = new Map<number, string>();
    for (const [purpose, lock] of Object.entries(lockTable)) {
      for (const namespace of namespacesOf(lock as (...args: unknown[]) => AdvisoryLock)) {
        expect(owners.get(namespace) ?? purpose, `namespace ${namespace}`).to.equal(purpose);
        owners.set(namespace, purpose);
      }
    }
    expect(owners.size).to.equal(Object.keys(lockTable).length - 1 + maxSharedSlots);
  });

  it('has keys of 32 bits for every organisation, slot and text', () => {
    const locks = [
      lockTable.history(maxInt32),
      lockTable.slot(maxInt32, maxSharedSlots - 1),
      ...Array.from({ length: 1_000 }, (_, i) => lockTable.idempotencyKey(i, `key ${i}`)),
    ];
    for (const key of locks.flat()) expect(key).to.be.within(-maxInt32 - 1, maxInt32);
  });

  it('is the only source of keys in services/ and deploy/', () => {
    const others = [
      ...filesWith('services', /pg_\w*advisory/),
      ...filesWith('deploy', /pg_\w*advisory/),
    ].filter(({ path }) => !lockFunctions.includes(path));
    for (const { path, text } of others) {
      expect(path).to.match(/^services\/schema\/postgres\/migrations\//);
      // A trigger: SQL cannot read the table.
      for (const [, namespace] of text.matchAll(/pg_\w*advisory\w*\(([^,)]*)/g)) {
        expect(Number(namespace), path).to.equal(lockTable.history(7)[0]);
      }
    }
    expect(others).not.to.be.empty;
  });
});

function namespacesOf(lock: (...args: unknown[]) => AdvisoryLock): ReadonlySet<number> {
  const namespaces = new Set<number>();
  for (let n = 0; n < maxSharedSlots; n++) namespaces.add(lock(n, n, n)[0]);
  return namespaces;
}

function filesWith(folder: string, pattern: RegExp) {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|sql)$/.test(name))
    .map((name) => ({
      path: `${folder}/${name}`,
      text: readFileSync(join(repositoryRoot, folder, name), 'utf8'),
    }))
    .filter(({ text }) => pattern.test(text));
}
