import { expect } from 'chai';
import { LinkSigner } from '../../../services/query/export/link-signer.ts';

const inAMinute = () => new Date(Date.now() + 60_000);

describe('a signed link', () => {
  const signer = new LinkSigner('https://data.example.net/', 'secret');

  it('starts with the public URL and is valid until it expires', () => {
    const link = new URL(signer.link('/csv/1', inAMinute()));
    expect(link.href).to.match(/^https:\/\/data\.example\.net\/csv\/1\?expires=\d+&signature=/);
    expect(() => signer.verify('/csv/1', given(link))).not.to.throw();
  });

  it('is not valid with another secret', () => {
    const link = new URL(signer.link('/csv/1', inAMinute()));
    const other = new LinkSigner('https://data.example.net', 'another');
    expect(() => other.verify('/csv/1', given(link))).to.throw('not valid');
  });

  it('is signed with a random secret if none is configured', () => {
    const [one, two] = [new LinkSigner('http://x', ''), new LinkSigner('http://x', '')];
    const link = new URL(one.link('/csv/1', inAMinute()));
    expect(() => two.verify('/csv/1', given(link))).to.throw('not valid');
  });
});

function given(link: URL) {
  return {
    expires: link.searchParams.get('expires') ?? '',
    signature: link.searchParams.get('signature') ?? '',
  };
}
