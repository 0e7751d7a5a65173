import { expect } from 'chai';
import { metadataClient } from '../../support/metadata-client.ts';
import { localStack } from '../../support/local-stack.ts';
import { metadataTenant } from '../../support/metadata-tenant.ts';
import { newTenantToken } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const denied = { status: 403, body: { code: 'ACCESS_DENIED', message: 'Access Denied' } };
const paths = ['/metadata/unit/1', '/metadata/unit/1/history'] as const;

describe('the metadata interface returns 403', () => {
  it('for an unknown, expired or revoked token, and for a token of the data interface', async () => {
    const { tenant, database } = await metadataTenant(1);
    const { metadataUrl } = await localStack();
    const past = new Date(Date.now() - 1000);
    const { organisationId } = tenant;
    const tokens = [
      'npm_unknown',
      tenant.dataToken,
      await newTenantToken(database, organisationId, 'metadata', { expires_at: past }),
      await newTenantToken(database, organisationId, 'metadata', { revoked_at: past }),
    ];
    for (const token of tokens) {
      const client = metadataClient(metadataUrl, token);
      expect(await client.put({})).to.deep.equal(denied);
      for (const path of paths) expect(await client.get(path)).to.deep.equal(denied);
    }
  });

  it('without a token, and for a token without Bearer', async () => {
    const { tenant } = await metadataTenant(1);
    const { metadataUrl } = await localStack();
    for (const headers of [{}, { authorization: tenant.metadataToken }]) {
      const reply = await fetch(`${metadataUrl}/metadata/unit/1`, { headers });
      expect({ status: reply.status, body: await reply.json() }).to.deep.equal(denied);
    }
  });

  it('seconds after a token was revoked', async () => {
    const { client, database, tenant } = await metadataTenant(1);
    expect((await client.get('/metadata/unit/1')).status).to.equal(200);
    await database('api_tokens')
      .where({ organisation_id: tenant.organisationId })
      .update({ revoked_at: new Date() });
    await waitUntil(async () => (await client.get('/metadata/unit/1')).status === 403);
  });
});
