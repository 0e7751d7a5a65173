import type { AgentLookup } from '../state/view-state.ts';
import type {
  AgentMetadata,
  MetadataChange,
  MetadataPeriod,
} from '../../../../openapi/client/index.ts';
import { callApi } from './call-api.ts';

export interface MetadataApi {
  readonly current: (agent: AgentLookup) => Promise<AgentMetadata>;
  readonly history: (agent: AgentLookup) => Promise<readonly MetadataPeriod[]>;
  /** Resolves with the message of the service. */
  readonly change: (agent: AgentLookup, change: Omit<MetadataChange, 'agent'>) => Promise<string>;
}

export function metadataApi(baseUrl: string, token: string): MetadataApi {
  const base = baseUrl.replace(/\/$/, '');
  const authorization = `Bearer ${token}`;
  const pathOf = ({ field, value }: AgentLookup) =>
    `${base}/metadata/${field}/${encodeURIComponent(value)}`;
  return {
    current: async (agent) => (await callApi<AgentMetadata>(pathOf(agent), { authorization })).data,
    history: async (agent) =>
      (await callApi<readonly MetadataPeriod[]>(`${pathOf(agent)}/history`, { authorization }))
        .data,
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
