/** netpanel's own tokens: `npd_…` for the data interface, `npm_…` for the metadata interface. */
const ownToken = /np[dm]_[A-Za-z0-9]{8,}/g;
/** The value of an Authorization header, which errors of libraries may contain. */
const authorizationValue = /("?authorization"?\s*[:=]\s*\\?"?)(?:Bearer\s+)?[^"\s,}\\]+/gi;

/** For log lines. */
export function redactTokens(text: string): string {
  return redactOwnTokens(text).replace(authorizationValue, '$1[token]');
}

/** For JSON, which stays valid: a client may have sent a token in the wrong place. */
export function redactOwnTokens(text: string): string {
  return text.replace(ownToken, '[token]');
}
