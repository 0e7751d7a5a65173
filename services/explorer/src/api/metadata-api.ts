import {
  type Agent,
  type AgentChange,
  type AgentMetadata,
  createMetadataClient,
  type DryRun,
  type MetadataChange,
  type MetadataPeriod,
  type MetadataWarning,
} from '../../../../openapi/client/index.ts';
import type { AgentLookup } from '../state/view-state.ts';
import { apiResponse, sendRequest } from './api-response.ts';

/** The newest periods of an agent, at most 1,000. */
export interface AgentHistory {
  readonly periods: readonly MetadataPeriod[];
  readonly isComplete: boolean;
}

/** The newest changes of an agent. */
export interface AgentChanges {
  readonly changes: readonly AgentChange[];
  readonly isComplete: boolean;
}

interface AgentsPage {
  readonly agents: readonly Agent[];
  /** `after` of the next page; undefined: this is the last one. */
  readonly next: string | undefined;
}

export type AgentUpdate = Omit<MetadataChange, 'agent'>;

export interface ChangePreview {
  /** Undefined if the change would change nothing. */
  readonly change: DryRun['changes'][number] | undefined;
  readonly warnings: readonly MetadataWarning[];
}

export interface MetadataApi {
  readonly agents: (search: string, after?: string) => Promise<AgentsPage>;
  readonly agent: (agent: AgentLookup) => Promise<Agent>;
  readonly current: (agent: AgentLookup) => Promise<AgentMetadata>;
  readonly history: (agent: AgentLookup) => Promise<AgentHistory>;
  readonly changes: (agent: AgentLookup) => Promise<AgentChanges>;
  /** What a change would do, without doing it. */
  readonly preview: (agentId: string, update: AgentUpdate) => Promise<ChangePreview>;
  /** Resolves with the message of the service. */
  readonly change: (agentId: string, update: AgentUpdate) => Promise<string>;
}

export function metadataApi(baseUrl: string, token: string): MetadataApi {
  const client = createMetadataClient({ baseUrl, token, fetch: sendRequest });
  return {
    agents: async (search, after) => {
      const query = {
        ...(search === '' ? {} : { search }),
        ...(after === undefined ? {} : { after }),
      };
      const { data, next } = await apiResponse(client.GET('/agents', { params: { query } }));
      return { agents: data, next: next === undefined ? undefined : afterOf(next) };
    },
    agent: async (agent) =>
      (await apiResponse(client.GET('/agents/{field}/{value}', of(agent)))).data,
    current: async (agent) =>
      (await apiResponse(client.GET('/metadata/{field}/{value}', of(agent)))).data,
    history: async (agent) => {
      const page = await apiResponse(client.GET('/metadata/{field}/{value}/history', of(agent)));
      return { periods: page.data, isComplete: page.next === undefined };
    },
    changes: async (agent) => {
      const page = await apiResponse(client.GET('/metadata/{field}/{value}/changes', of(agent)));
      return { changes: page.data, isComplete: page.next === undefined };
    },
    preview: async (agentId, update) => {
      const body = { agent: { agent_id: agentId }, ...update };
      const params = { query: { dry_run: true } };
      const response = await apiResponse(client.PUT('/metadata', { body, params }));
      return {
        change: response.data.changes[0],
        warnings: response.warnings as unknown as readonly MetadataWarning[],
      };
    },
    change: async (agentId, update) => {
      const body = { agent: { agent_id: agentId }, ...update };
      return (await apiResponse(client.PUT('/metadata', { body }))).message;
    },
  };
}

function of({ field, value }: AgentLookup) {
  return { params: { path: { field, value } } };
}

/** `next` is a path of the service, such as `/agents?limit=50&after=box-9`. */
function afterOf(next: string): string {
  return new URL(next, 'http://service').searchParams.get('after') ?? '';
}
