import { fragmentToView, viewToFragment } from './url-state.ts';
import type { Look, ViewState } from './view-state.ts';

/** The one place that knows what is looked at; the address of the page follows it. */
export interface ViewStore {
  readonly view: () => ViewState;
  /** A step is one that the browser's Back undoes. */
  readonly set: (changes: Partial<ViewState>, how?: 'step') => void;
  readonly setLook: (changes: Partial<Look>) => void;
}

/** `onTravel` is told when Back, Forward or a pasted link changed the view. */
export function viewStore(onTravel: (view: ViewState) => void): ViewStore {
  let current = fragmentToView(location.hash);

  function set(changes: Partial<ViewState>, how?: 'step'): void {
    current = { ...current, ...changes };
    const address = `#${viewToFragment(current)}`;
    if (address === location.hash) return;
    if (how === 'step') history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  }

  addEventListener('popstate', () => {
    current = fragmentToView(location.hash);
    onTravel(current);
  });

  return {
    view: () => current,
    set,
    setLook: (changes) => set({ look: { ...current.look, ...changes } }),
  };
}
