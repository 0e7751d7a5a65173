import { failureOf } from '../api/api-error.ts';
import { isNewerLink, withSavedState } from '../state/url-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { DataApi } from '../api/data-api.ts';

/** The link of a saved view, for everyone with a data token of the organisation. */
export function viewLink(id: string): string {
  return `${location.origin}${location.pathname}${viewHref(id)}`;
}

/** The same link, inside the page. */
export function viewHref(id: string): string {
  return `#saved=${id}`;
}

/**
 * Shows the saved view if the URL names one. Resolves with a message if it cannot be opened. In both cases
 * the URL then has the complete view instead of the id.
 */
export async function openLinkedView(store: ViewStore, api: DataApi): Promise<string | undefined> {
  const { saved } = store.view();
  if (isNewerLink(location.hash)) {
    return 'A newer version of the explorer made this link. Parts of it may be missing here.';
  }
  if (saved === '') return undefined;
  try {
    store.set(withSavedState(location.hash, (await api.savedView(saved)).state));
    return undefined;
  } catch (error) {
    const { isDenied, status, message } = failureOf(error);
    // The id stays in the URL: the next token may open it.
    if (isDenied) throw error;
    store.set({ saved: '' });
    if (status === 404) {
      return 'The saved view of this link was deleted, or belongs to another organisation.';
    }
    return `The saved view could not be opened. ${message}`;
  }
}
