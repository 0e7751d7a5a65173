import { expect } from 'chai';
import { parseRole } from '../../support/users-xml.ts';

describe('the translation of roles to users.xml', () => {
  for (const sql of [
    'REVOKE SELECT ON a.b FROM c',
    'CREATE USER c',
    'CREATE ROW POLICY p ON a.b USING 1 TO c',
    'CREATE SETTINGS PROFILE IF NOT EXISTS p SETTINGS a = 1 WRITABLE',
    'GRANT SELECT ON a.b TO c WITH GRANT OPTION',
    "CREATE ROLE IF NOT EXISTS c SETTINGS PROFILE 'missing'",
  ]) {
    it(`rejects: ${sql}`, () => expect(() => parseRole(sql)).to.throw(/^Unknown /));
  }
});
