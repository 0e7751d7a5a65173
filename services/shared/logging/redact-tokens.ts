/** netpanel's own tokens, wherever they stand: `npd_…` for the data, `npm_…` for the metadata interface. */
const ownToken = /np[dm]_[A-Za-z0-9]{8,}/g;
/** Whatever stood in an Authorization header, when an error of some library repeats it. */
const authorizationValue = /("?authorization"?\s*[:=]\s*\\?"?)(?:Bearer\s+)?[^"\s,}\\]+/gi;

/** For lines of the log. */
export function redactTokens(text: string): string {
  return redactOwnTokens(text).replace(authorizationValue, '$1[token]');
}

/** For what is JSON and must stay so: a caller may have put a token into the wrong place. */
export function redactOwnTokens(text: string): string {
  return text.replace(ownToken, '[token]');
}
