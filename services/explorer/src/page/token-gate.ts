import { h } from '../dom/h.ts';

interface TokenGateParts {
  readonly kind: TokenKind;
  /** Whether the last token was rejected. */
  readonly isDenied: boolean;
  readonly onToken: (token: string) => void;
}

const texts = {
  data: {
    title: 'Explore your panel',
    about:
      'Charts, tables and CSV files of all measurements of your panel. Enter a token of the data interface.',
    label: 'Data token',
    placeholder: 'npd_…',
  },
  metadata: {
    title: 'Find an agent',
    about:
      'The metadata of a household, its history, and a form to change it. Enter a token of the metadata interface.',
    label: 'Metadata token',
    placeholder: 'npm_…',
  },
} as const;

export function tokenGate({ kind, isDenied, onToken }: TokenGateParts): HTMLElement {
  const { title, about, label, placeholder } = texts[kind];
  const errorId = `${kind}-token-error`;
  const input = h('input', {
    id: `${kind}-token`,
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder,
    required: true,
    'aria-invalid': isDenied ? 'true' : undefined,
    'aria-describedby': `${errorId} ${kind}-token-hint`,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = input.value.trim();
    if (token === '') return;
    storeToken(kind, token);
    onToken(token);
  };
  return h(
    'section',
    { class: 'gate card', 'data-notice': isDenied ? 'denied' : 'token' },
    h('h2', {}, title),
    h('p', { class: 'muted' }, about),
    h(
      'form',
      { onsubmit: submit },
      h('label', { class: 'label', for: input.id }, label),
      h(
        'div',
        { class: 'with-button' },
        input,
        h('button', { type: 'submit', class: 'primary' }, 'Continue'),
      ),
      h('p', { id: errorId, class: 'field-error', role: 'alert' }, isDenied ? refusal(kind) : ''),
      h(
        'p',
        { id: `${kind}-token-hint`, class: 'hint' },
        'The token stays in this tab, is never part of a link, and is deleted when you close the tab.',
      ),
    ),
  );
}

function refusal(kind: TokenKind): string {
  return `Access denied: this is not a valid token of the ${kind} interface. Ask the person who manages your organisation's tokens for one.`;
}

export type TokenKind = 'data' | 'metadata';

// sessionStorage is private to the tab and is deleted with it.
const nameOf = (kind: TokenKind) => `netpanel.${kind}-token`;

export function storedToken(kind: TokenKind): string | undefined {
  return sessionStorage.getItem(nameOf(kind)) ?? undefined;
}

function storeToken(kind: TokenKind, token: string): void {
  sessionStorage.setItem(nameOf(kind), token);
}

export function forgetToken(kind: TokenKind): void {
  sessionStorage.removeItem(nameOf(kind));
}

export interface PageTab {
  readonly element: HTMLElement;
  /** Called when the tab becomes visible. */
  readonly show: () => void;
  /** Called when the URL changed: shows the view in it. */
  readonly navigate: () => void;
  /** Removes the stored token. */
  readonly forget: () => void;
}
