import { h } from '../dom/h.ts';
import { keepToken, type TokenKind } from '../state/tokens.ts';

interface TokenGateParts {
  readonly kind: TokenKind;
  /** Whether a token was refused a moment ago. */
  readonly isDenied: boolean;
  readonly onToken: (token: string) => void;
}

const words = {
  data: {
    title: 'Look into your panel',
    about:
      'Charts, tables and files of everything your panel has measured. All it needs is a token of the data interface.',
    label: 'Data token',
    placeholder: 'npd_…',
  },
  metadata: {
    title: 'Look an agent up',
    about:
      'What is known of a household, since when, and a form to change it. All it needs is a token of the metadata interface.',
    label: 'Metadata token',
    placeholder: 'npm_…',
  },
} as const;

export function tokenGate({ kind, isDenied, onToken }: TokenGateParts): HTMLElement {
  const { title, about, label, placeholder } = words[kind];
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
    keepToken(kind, token);
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
        'It stays in this tab, is never part of a link, and is gone when you close the tab.',
      ),
    ),
  );
}

function refusal(kind: TokenKind): string {
  return `Access denied: this is no token of the ${kind} interface that is in force. Ask whoever manages your organisation's tokens for one.`;
}
