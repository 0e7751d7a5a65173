export interface PageTab {
  readonly element: HTMLElement;
  /** It has come into view. */
  readonly show: () => void;
  /** The link changed under it. */
  readonly travel: () => void;
  /** Its token is to be forgotten. */
  readonly forget: () => void;
}
