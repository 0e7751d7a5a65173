import { expect } from 'chai';
import { localStack } from '../../support/local-stack.ts';
import { metadataTenant } from '../../support/metadata-tenant.ts';

describe('CORS of the metadata interface', () => {
  const preflight = { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } };

  it("allows the explorer's origin in a preflight request without a token", async () => {
    const { metadataUrl, queryUrl } = await localStack();
    const response = await fetch(`${metadataUrl}/metadata`, {
      ...preflight,
      headers: { ...preflight.headers, Origin: queryUrl },
    });
    expect(response.status).to.equal(204);
    expect(response.headers.get('access-control-allow-origin')).to.equal(queryUrl);
    expect(response.headers.get('access-control-allow-methods')).to.equal('GET, PUT');
    expect(response.headers.get('access-control-allow-headers')).to.contain('Authorization');
    expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
    expect(response.headers.get('vary')).to.contain('Origin');
  });

  it("lets the explorer's origin read successful and error responses", async () => {
    const { metadataUrl, queryUrl } = await localStack();
    const { tenant } = await metadataTenant();
    const send = (token: string) =>
      fetch(`${metadataUrl}/metadata/unit/1`, {
        headers: { Origin: queryUrl, Authorization: `Bearer ${token}` },
      });
    for (const [token, status] of [
      [tenant.metadataToken, 200],
      ['wrong', 403],
    ] as const) {
      const response = await send(token);
      expect(response.status).to.equal(status);
      expect(response.headers.get('access-control-allow-origin')).to.equal(queryUrl);
      expect(response.headers.get('access-control-expose-headers')?.split(', ')).to.have.members([
        'X-Request-Id',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Link',
        'Netpanel-Metadata-Version',
        'Netpanel-Warnings',
        'Netpanel-Clock',
      ]);
    }
  });

  it('rejects any other origin', async () => {
    const { metadataUrl, queryUrl } = await localStack();
    for (const origin of ['https://elsewhere.example', 'null', `${queryUrl}0`]) {
      const response = await fetch(`${metadataUrl}/metadata`, {
        ...preflight,
        headers: { ...preflight.headers, Origin: origin },
      });
      expect(response.status).to.equal(403);
      expect(response.headers.get('access-control-allow-origin')).to.equal(null);
    }
  });
});
