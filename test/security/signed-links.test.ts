import { expect } from 'chai';
import { LinkSigner } from '../../services/query/export/link-signer.ts';
import { operations } from './contract.ts';
import { contractViolation } from './contract-violation.ts';
import { type RawResponse, send } from './send.ts';
import { createFixture, type Fixture } from './security-fixture.ts';

const hour = 3_600_000;

let shared: Promise<Fixture> | undefined;

for (const id of ['getCsv', 'getObject'] as const) {
  describe(`a signed link (${id})`, () => {
    const operation = operations.find((one) => one.id === id)!;
    let fixture: Fixture;
    let link: URL;

    before(async () => {
      fixture = await (shared ??= createFixture());
      link = new URL(
        id === 'getCsv' ? fixture.csvLink : fixture.objectLink,
        fixture.stack.queryUrl,
      );
    });

    it('downloads the file without a token', async () => {
      const { status, text } = await get(link.pathname + link.search);
      expect(status).to.equal(200);
      expect(text.split('\n')).to.have.length(62);
    });

    it('is rejected when its signature is changed, truncated, missing or sent twice', async () => {
      const signature = link.searchParams.get('signature') ?? '';
      const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
      for (const changed of [flipped, signature.slice(0, -1), `${signature}A`, '', 'é']) {
        await expectRejected(changedLink({ signature: changed }), 'The link is not valid.');
      }
      const { pathname, searchParams } = link;
      const expires = searchParams.get('expires') ?? '';
      await expectRejected(`${pathname}?expires=${expires}`, 'The link is not valid.');
      await expectRejected(`${pathname}${link.search}&signature=x`, 'The link is not valid.');
    });

    it('is rejected for a later expiry, another file, and a path outside of the exports', async () => {
      const later = Number(link.searchParams.get('expires')) + 1;
      await expectRejected(changedLink({ expires: String(later) }), 'The link is not valid.');
      await expectRejected(changedLink({ expires: '9e99' }), 'The link is not valid.');
      const otherFile = link.pathname.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const path of [otherFile, '/csv/..%2f..%2fenv', '/objects/..%2fenv']) {
        await expectRejected(path + link.search, 'The link is not valid.');
      }
    });

    it('is rejected after it has expired, even with a valid signature', async () => {
      const signer = new LinkSigner('', fixture.stack.env.EXPORT_LINK_SECRET ?? '');
      const soon = signer.link(link.pathname, new Date(Date.now() + hour));
      expect((await get(soon)).status).to.equal(200);
      const late = signer.link(link.pathname, new Date(Date.now() - 1_000));
      await expectRejected(late, 'The link has expired.');
    });

    function changedLink(changes: Readonly<Record<string, string>>): string {
      const changed = new URL(link);
      for (const [name, value] of Object.entries(changes)) changed.searchParams.set(name, value);
      return changed.pathname + changed.search;
    }

    async function expectRejected(path: string, message: string): Promise<void> {
      const response = await get(path);
      expect(response.status, path).to.equal(403);
      expect(JSON.parse(response.text)).to.deep.equal({ code: 'ACCESS_DENIED', message });
      expect(await contractViolation(operation, response)).to.equal(undefined);
    }

    function get(path: string): Promise<RawResponse> {
      return send(fixture.stack.queryUrl, { method: 'GET', path });
    }
  });
}
