export type TokenKind = 'data' | 'metadata';

// sessionStorage is private to the tab and is deleted with it.
const nameOf = (kind: TokenKind) => `netpanel.${kind}-token`;

export function storedToken(kind: TokenKind): string | undefined {
  return sessionStorage.getItem(nameOf(kind)) ?? undefined;
}

export function storeToken(kind: TokenKind, token: string): void {
  sessionStorage.setItem(nameOf(kind), token);
}

export function forgetToken(kind: TokenKind): void {
  sessionStorage.removeItem(nameOf(kind));
}
