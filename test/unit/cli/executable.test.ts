import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

describe('the built command line', () => {
  it('is executable, so that npx netpanel runs after every build', () => {
    const { mode } = statSync(join(repositoryRoot, 'dist/services/cli/netpanel.js'));
    expect(mode & 0o111).to.equal(0o111);
  });
});
