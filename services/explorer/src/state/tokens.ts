export type TokenKind = 'data' | 'metadata';

// The tab's own storage: another tab does not see it, and it ends with the tab.
const nameOf = (kind: TokenKind) => `netpanel.${kind}-token`;

export function keptToken(kind: TokenKind): string | undefined {
  return sessionStorage.getItem(nameOf(kind)) ?? undefined;
}

export function keepToken(kind: TokenKind, token: string): void {
  sessionStorage.setItem(nameOf(kind), token);
}

export function forgetToken(kind: TokenKind): void {
  sessionStorage.removeItem(nameOf(kind));
}
