import { ApiError, unexpectedError } from '../api/api-error.ts';
import { fragmentToView } from '../state/url-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { ViewsApi } from './views-api.ts';

/** The link of a saved view, for everyone with a data token of the organisation. */
export function viewLink(id: string): string {
  return `${location.origin}${location.pathname}#view=${encodeURIComponent(id)}`;
}

/**
 * Shows the saved view that the URL names, if it does. Resolves with a message if it cannot be opened; then the URL
 * names it no more.
 */
export async function openLinkedView(store: ViewStore, api: ViewsApi): Promise<string | undefined> {
  const id = new URLSearchParams(location.hash.slice(1)).get('view');
  if (id === null) return undefined;
  try {
    store.set(fragmentToView(await api.stateOf(id)));
    return undefined;
  } catch (error) {
    store.set({});
    const failure = error instanceof ApiError ? error : undefined;
    if (failure?.isDenied === true) throw error;
    if (failure?.status === 404) {
      return 'The saved view of this link does not exist any more, or belongs to another organisation.';
    }
    return `The saved view could not be opened. ${failure?.message ?? unexpectedError}`;
  }
}
