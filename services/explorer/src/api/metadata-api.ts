import type { AgentLookup } from '../state/view-state.ts';
import { callApi } from './call-api.ts';

export type CustomFields = Readonly<Record<string, string | number>>;

export interface AgentMetadata {
  readonly package: string | null;
  readonly isp: string | null;
  readonly timezone: string | null;
  readonly custom: CustomFields;
}

export interface Stretch extends AgentMetadata {
  readonly from: string | null;
  readonly to: string | null;
  readonly recordedAt: string;
}

/** What a form sends: only what was filled in. */
export interface MetadataChange {
  readonly metadata: {
    readonly package?: string;
    readonly timezone?: string;
    readonly custom?: CustomFields;
  };
  readonly backdate_from?: number;
  readonly overwrite_all?: boolean;
}

export interface MetadataApi {
  readonly current: (agent: AgentLookup) => Promise<AgentMetadata>;
  readonly history: (agent: AgentLookup) => Promise<readonly Stretch[]>;
  /** Resolves with the service's own words. */
  readonly change: (agent: AgentLookup, change: MetadataChange) => Promise<string>;
}

export function metadataApi(baseUrl: string, token: string): MetadataApi {
  const base = baseUrl.replace(/\/$/, '');
  const authorization = `Bearer ${token}`;
  const pathOf = ({ field, value }: AgentLookup) =>
    `${base}/metadata/${field}/${encodeURIComponent(value)}`;
  return {
    current: async (agent) => (await callApi<AgentMetadata>(pathOf(agent), { authorization })).data,
    history: async (agent) =>
      (await callApi<readonly Stretch[]>(`${pathOf(agent)}/history`, { authorization })).data,
    change: async (agent, change) => {
      const { message } = await callApi(`${base}/metadata`, {
        method: 'PUT',
        authorization,
        body: { agent: selectorOf(agent), ...change },
      });
      return message;
    },
  };
}

function selectorOf({ field, value }: AgentLookup): Readonly<Record<string, string | number>> {
  if (field === 'agent') return { agent_id: value };
  return field === 'mac' ? { mac_address: value } : { unit_id: Number(value) };
}
