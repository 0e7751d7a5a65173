import { fragmentToView, viewToFragment } from './url-state.ts';
import type { DisplayOptions, ViewState } from './view-state.ts';

/** The current view, kept in sync with the URL. */
export interface ViewStore {
  readonly view: () => ViewState;
  /** `push` adds an entry to the browser history, so that Back undoes the change. */
  readonly set: (changes: Partial<ViewState>, how?: 'push') => void;
  readonly setDisplay: (changes: Partial<DisplayOptions>) => void;
}

/** `onNavigate` is called when Back, Forward or a pasted link changed the view. */
export function viewStore(onNavigate: (view: ViewState) => void): ViewStore {
  let current = fragmentToView(location.hash);

  function set(changes: Partial<ViewState>, how?: 'push'): void {
    current = { ...current, ...changes };
    const address = `#${viewToFragment(current)}`;
    if (address === location.hash) return;
    if (how === 'push') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  addEventListener('popstate', () => {
    current = fragmentToView(location.hash);
    onNavigate(current);
  });

  return {
    view: () => current,
    set,
    setDisplay: (changes) => set({ display: { ...current.display, ...changes } }),
  };
}
