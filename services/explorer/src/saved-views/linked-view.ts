import { ApiError, unexpectedError } from '../api/api-error.ts';
import { viewToFragment, withSavedState } from '../state/url-state.ts';
import { defaultView } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { ViewsApi } from './views-api.ts';

/** The link of a saved view, for everyone with a data token of the organisation. */
export function viewLink(id: string): string {
  return `${location.origin}${location.pathname}${viewHref(id)}`;
}

/** The same link, inside the page. */
export function viewHref(id: string): string {
  return `#${viewToFragment({ ...defaultView, saved: id })}`;
}

/**
 * Shows the saved view that the URL names, if it does. Resolves with a message if it cannot be opened. In both cases
 * the URL then has the complete view instead of the id.
 */
export async function openLinkedView(store: ViewStore, api: ViewsApi): Promise<string | undefined> {
  const { saved } = store.view();
  if (saved === '') return undefined;
  try {
    store.set(withSavedState(location.hash, await api.stateOf(saved)));
    return undefined;
  } catch (error) {
    const failure = error instanceof ApiError ? error : undefined;
    // The id stays in the URL: the next token may open it.
    if (failure?.isDenied === true) throw error;
    store.set({ saved: '' });
    if (failure?.status === 404) {
      return 'The saved view of this link does not exist any more, or belongs to another organisation.';
    }
    return `The saved view could not be opened. ${failure?.message ?? unexpectedError}`;
  }
}
