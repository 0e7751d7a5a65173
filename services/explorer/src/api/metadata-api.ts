import {
  type AgentMetadata,
  createMetadataClient,
  type MetadataChange,
  type MetadataPeriod,
} from '../../../../openapi/client/index.ts';
import type { AgentLookup } from '../state/view-state.ts';
import { apiResponse, sendRequest } from './api-response.ts';

/** The newest periods of an agent, at most 1,000. */
export interface AgentHistory {
  readonly periods: readonly MetadataPeriod[];
  readonly isComplete: boolean;
}

export interface MetadataApi {
  readonly current: (agent: AgentLookup) => Promise<AgentMetadata>;
  readonly history: (agent: AgentLookup) => Promise<AgentHistory>;
  /** Resolves with the message of the service. */
  readonly change: (agent: AgentLookup, change: Omit<MetadataChange, 'agent'>) => Promise<string>;
}

export function metadataApi(baseUrl: string, token: string): MetadataApi {
  const client = createMetadataClient({ baseUrl, token, fetch: sendRequest });
  return {
    current: async (agent) =>
      (await apiResponse(client.GET('/metadata/{field}/{value}', of(agent)))).data,
    history: async (agent) => {
      const page = await apiResponse(client.GET('/metadata/{field}/{value}/history', of(agent)));
      return { periods: page.data, isComplete: page.next === undefined };
    },
    change: async (agent, change) => {
      const body = { agent: selectorOf(agent), ...change };
      return (await apiResponse(client.PUT('/metadata', { body }))).message;
    },
  };
}

function of({ field, value }: AgentLookup) {
  return { params: { path: { field, value } } };
}

function selectorOf({ field, value }: AgentLookup): MetadataChange['agent'] {
  if (field === 'agent') return { agent_id: value };
  return field === 'mac' ? { mac_address: value } : { unit_id: Number(value) };
}
