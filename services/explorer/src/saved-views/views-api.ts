import { createQueryClient, type ListedView } from '../../../../openapi/client/index.ts';
import { apiResponse, sendRequest } from '../api/api-response.ts';

/** The saved views of the organisation of a data token. */
export interface ViewsApi {
  readonly list: () => Promise<readonly ListedView[]>;
  readonly save: (name: string, state: string) => Promise<ListedView>;
  /** The fragment of the URL that was saved. */
  readonly stateOf: (id: string) => Promise<string>;
  readonly rename: (id: string, name: string) => Promise<ListedView>;
  readonly remove: (id: string) => Promise<void>;
}

export function viewsApi(token: string): ViewsApi {
  const client = createQueryClient({ baseUrl: location.origin, token, fetch: sendRequest });
  const of = (id: string) => ({ params: { path: { id } } });
  return {
    list: async () => (await apiResponse(client.GET('/views'))).data,
    save: async (name, state) =>
      (await apiResponse(client.POST('/views', { body: { name, state } }))).data,
    stateOf: async (id) => (await apiResponse(client.GET('/views/{id}', of(id)))).data.state,
    rename: async (id, name) =>
      (await apiResponse(client.PATCH('/views/{id}', { ...of(id), body: { name } }))).data,
    remove: async (id) => {
      await apiResponse<undefined>(client.DELETE('/views/{id}', of(id)));
    },
  };
}
