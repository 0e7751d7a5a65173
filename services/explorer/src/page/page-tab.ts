export interface PageTab {
  readonly element: HTMLElement;
  /** Called when the tab becomes visible. */
  readonly show: () => void;
  /** Called when the URL changed: shows the view in it. */
  readonly navigate: () => void;
  /** Removes the stored token. */
  readonly forget: () => void;
}
