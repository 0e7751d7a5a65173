import { expect } from 'chai';
import { localStack } from '../../support/local-stack.ts';
import { metadataTenant } from '../../support/metadata-tenant.ts';

describe('pages of other origins and the metadata interface', () => {
  const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } };

  it("lets the explorer's origin call it, and says so before the call, without a token", async () => {
    const { metadataUrl, queryUrl } = await localStack();
    const asked = await fetch(`${metadataUrl}/metadata`, {
      ...preflight,
      headers: { ...preflight.headers, Origin: queryUrl },
    });
    expect(asked.status).to.equal(204);
    expect(asked.headers.get('access-control-allow-origin')).to.equal(queryUrl);
    expect(asked.headers.get('access-control-allow-methods')).to.equal('GET, PUT');
    expect(asked.headers.get('access-control-allow-headers')).to.contain('Authorization');
    expect(asked.headers.get('access-control-allow-credentials')).to.equal(null);
    expect(asked.headers.get('vary')).to.contain('Origin');
  });

  it('lets it read answers and refusals alike', async () => {
    const { metadataUrl, queryUrl } = await localStack();
    const { tenant } = await metadataTenant();
    const ask = (token: string) =>
      fetch(`${metadataUrl}/metadata/unit/1`, {
        headers: { Origin: queryUrl, Authorization: `Bearer ${token}` },
      });
    for (const [token, status] of [
      [tenant.metadataToken, 200],
      ['wrong', 403],
    ] as const) {
      const answer = await ask(token);
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('access-control-allow-origin')).to.equal(queryUrl);
    }
  });

  it('tells a page of any other origin nothing', async () => {
    const { metadataUrl, queryUrl } = await localStack();
    for (const origin of ['https://elsewhere.example', 'null', `${queryUrl}0`]) {
      const asked = await fetch(`${metadataUrl}/metadata`, {
        ...preflight,
        headers: { ...preflight.headers, Origin: origin },
      });
      expect(asked.status).to.equal(403);
      expect(asked.headers.get('access-control-allow-origin')).to.equal(null);
    }
  });
});
