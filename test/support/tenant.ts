import { randomBytes } from 'node:crypto';
import type { ApiInterface } from '../../services/shared/auth/caller.ts';
import { scopes } from '../../services/shared/auth/scopes.ts';
import { ensureOrganisation } from '../../services/registry/organisations/organisations.ts';
import { newToken, tokenHash } from '../../services/registry/tokens/token.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';

export interface Tenant {
  readonly organisationId: number;
  readonly name: string;
  readonly dataToken: string;
  readonly metadataToken: string;
}

interface NewAgent {
  readonly agentId: string;
  readonly unitId?: number;
  readonly macAddress?: string;
  readonly kind?: 'whitebox' | 'cpe' | 'mobile' | 'web' | 'cell';
  readonly base?: string;
  readonly country?: string;
}

/** A new organisation with every metric and test for one test, so that tests do not see each other's agents. */
export async function newTenant(database: Database): Promise<Tenant> {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const { id: organisationId } = await ensureOrganisation(database, name, 'all');
  return {
    organisationId,
    name,
    dataToken: await newTenantToken(database, organisationId, 'data'),
    metadataToken: await newTenantToken(database, organisationId, 'metadata'),
  };
}

export async function newTenantToken(
  database: Database,
  organisationId: number,
  forInterface: ApiInterface,
  columns: {
    expires_at?: Date;
    revoked_at?: Date;
    scopes?: readonly string[];
    min_agents?: number;
    label?: string;
  } = {},
): Promise<string> {
  const token = newToken(forInterface);
  await database('api_tokens').insert({
    organisation_id: organisationId,
    interface: forInterface,
    token_sha256: tokenHash(token),
    label: 'test',
    scopes: scopes[forInterface],
    ...columns,
  });
  return token;
}

/** `{ Northwave: ['Fibre 500', 'Fibre 100'] }` */
export async function addPackages(
  database: Database,
  organisationId: number,
  packagesByIsp: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [isp, packages] of Object.entries(packagesByIsp)) {
    const [row] = await database('isps')
      .insert({ organisation_id: organisationId, name: isp })
      .returning<{ id: number }[]>('id');
    if (packages.length > 0) {
      await database('packages').insert(packages.map((name) => ({ isp_id: row!.id, name })));
    }
  }
}

/** Returns the agent's key in ClickHouse. */
export async function addAgent(
  database: Database,
  organisationId: number,
  agent: NewAgent,
): Promise<number> {
  const [row] = await database('agents')
    .insert({
      organisation_id: organisationId,
      agent_id: agent.agentId,
      unit_id: agent.unitId ?? null,
      mac_address: agent.macAddress ?? null,
      kind: agent.kind ?? 'whitebox',
      base: agent.base ?? '',
      country: agent.country ?? null,
    })
    .returning<{ id: number }[]>('id');
  return row!.id;
}
