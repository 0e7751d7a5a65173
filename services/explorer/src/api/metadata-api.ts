import {
  createMetadataClient,
  type DryRun,
  type MetadataChange,
  type MetadataWarning,
} from '../../../../openapi/client/index.ts';
import type { AgentLookup } from '../state/view-state.ts';
import { apiResponse, dataOf, requestSender } from './api-response.ts';

/** The newest periods or changes of an agent. */
export interface Newest<T> {
  readonly items: readonly T[];
  readonly isComplete: boolean;
}

export type AgentUpdate = Omit<MetadataChange, 'agent'>;

export interface ChangePreview {
  /** Undefined if the change would change nothing. */
  readonly change: DryRun['changes'][number] | undefined;
  readonly warnings: readonly MetadataWarning[];
}

export type MetadataApi = ReturnType<typeof metadataApi>;

export function metadataApi(baseUrl: string, token: string) {
  const client = createMetadataClient({
    baseUrl,
    token,
    fetch: requestSender('metadata interface'),
  });
  return {
    agents: async (search: string, after?: string) => {
      const query = {
        ...(search === '' ? {} : { search }),
        ...(after === undefined ? {} : { after }),
      };
      const { data, next } = await apiResponse(client.GET('/agents', { params: { query } }));
      // `after` of the next page; undefined: this is the last one.
      return { agents: data, next: next === undefined ? undefined : afterOf(next) };
    },
    /** The packages with this text that agents have. */
    packages: async (search: string) => {
      const query = { ...(search === '' ? {} : { search }), limit: 200 };
      const agents = await dataOf(client.GET('/agents', { params: { query } }));
      const names = agents.flatMap(({ package: name }) => name ?? []);
      const isMatch = (name: string) => name.toLowerCase().includes(search.toLowerCase());
      return [...new Set(names)].filter(isMatch).sort();
    },
    agent: (agent: AgentLookup) => dataOf(client.GET('/agents/{field}/{value}', of(agent))),
    current: (agent: AgentLookup) => dataOf(client.GET('/metadata/{field}/{value}', of(agent))),
    history: (agent: AgentLookup) =>
      newest(client.GET('/metadata/{field}/{value}/history', of(agent))),
    changes: (agent: AgentLookup) =>
      newest(client.GET('/metadata/{field}/{value}/changes', of(agent))),
    /** What a change would do, without doing it. */
    preview: async (agentId: string, update: AgentUpdate): Promise<ChangePreview> => {
      const body = { agent: { agent_id: agentId }, ...update };
      const params = { query: { dry_run: true } };
      const response = await apiResponse(client.PUT('/metadata', { body, params }));
      return {
        change: response.data.changes[0],
        warnings: response.warnings as unknown as readonly MetadataWarning[],
      };
    },
    /** Resolves with the message of the service. */
    change: async (agentId: string, update: AgentUpdate) => {
      const body = { agent: { agent_id: agentId }, ...update };
      return (await apiResponse(client.PUT('/metadata', { body }))).message;
    },
  };
}

async function newest<T>(
  call: Parameters<typeof apiResponse<readonly T[]>>[0],
): Promise<Newest<T>> {
  const { data, next } = await apiResponse(call);
  return { items: data, isComplete: next === undefined };
}

function of({ field, value }: AgentLookup) {
  return { params: { path: { field, value } } };
}

/** `next` is a path of the service, such as `/agents?limit=50&after=box-9`. */
function afterOf(next: string): string {
  return new URL(next, 'http://service').searchParams.get('after') ?? '';
}
