import { expect } from 'chai';
import { LinkSigner } from '../../services/query/export/link-signer.ts';
import { operations } from './contract.ts';
import { wrongWith } from './checked-answer.ts';
import { type Received, send } from './send.ts';
import { setStage, type Stage } from './stage.ts';

const hour = 3_600_000;

for (const id of ['getCsv', 'getObject'] as const) {
  describe(`a link of ${id} without a token`, function () {
    this.timeout(180_000);
    const operation = operations.find((one) => one.id === id)!;
    let stage: Stage;
    let link: URL;

    before(async () => {
      stage = await setStage();
      link = new URL(id === 'getCsv' ? stage.csvLink : stage.objectLink, stage.stack.queryUrl);
    });

    it('gives the file', async () => {
      const { status, text } = await get(link.pathname + link.search);
      expect(status).to.equal(200);
      expect(text.split('\n')).to.have.length(62);
    });

    it('is refused when its signature was changed, cut, left out or sent twice', async () => {
      const signature = link.searchParams.get('signature') ?? '';
      const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
      for (const changed of [flipped, signature.slice(0, -1), `${signature}A`, '', 'é']) {
        await expectRefused(changedLink({ signature: changed }), 'The link is not valid.');
      }
      const { pathname, searchParams } = link;
      const expires = searchParams.get('expires') ?? '';
      await expectRefused(`${pathname}?expires=${expires}`, 'The link is not valid.');
      await expectRefused(`${pathname}${link.search}&signature=x`, 'The link is not valid.');
    });

    it('is refused for a later end, for another file, and for what lies beside the files', async () => {
      const later = Number(link.searchParams.get('expires')) + 1;
      await expectRefused(changedLink({ expires: String(later) }), 'The link is not valid.');
      await expectRefused(changedLink({ expires: '9e99' }), 'The link is not valid.');
      const elsewhere = link.pathname.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const path of [elsewhere, '/csv/..%2f..%2fenv', '/objects/..%2fenv']) {
        await expectRefused(path + link.search, 'The link is not valid.');
      }
    });

    it('is refused once it has expired, though its signature is right', async () => {
      const signer = new LinkSigner('', stage.stack.env.EXPORT_LINK_SECRET ?? '');
      const soon = signer.link(link.pathname, new Date(Date.now() + hour));
      expect((await get(soon)).status).to.equal(200);
      const late = signer.link(link.pathname, new Date(Date.now() - 1_000));
      await expectRefused(late, 'The link has expired.');
    });

    function changedLink(changes: Readonly<Record<string, string>>): string {
      const changed = new URL(link);
      for (const [name, value] of Object.entries(changes)) changed.searchParams.set(name, value);
      return changed.pathname + changed.search;
    }

    async function expectRefused(path: string, message: string): Promise<void> {
      const answer = await get(path);
      expect(answer.status, path).to.equal(403);
      expect(JSON.parse(answer.text)).to.deep.equal({ code: 'ACCESS_DENIED', message });
      expect(await wrongWith(operation, answer)).to.equal(undefined);
    }

    function get(path: string): Promise<Received> {
      return send(stage.stack.queryUrl, { method: 'GET', path });
    }
  });
}

describe('the contracts', () => {
  it('are for everybody', async () => {
    const { stack } = await setStage();
    for (const url of [stack.queryUrl, stack.metadataUrl]) {
      const { status, text } = await send(url, { method: 'GET', path: '/openapi.yaml' });
      expect(status).to.equal(200);
      expect(text).to.match(/^openapi: 3/);
    }
  });
});
