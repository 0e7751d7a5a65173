/** netpanel's own tokens, wherever they stand: `npd_…` for the data, `npm_…` for the metadata interface. */
const ownToken = /\bnp[dm]_[A-Za-z0-9]{8,}/g;
/** Whatever stood in an Authorization header, when an error of some library repeats it. */
const authorizationValue = /("?authorization"?\s*[:=]\s*\\?"?)(?:Bearer\s+)?[^"\s,}\\]+/gi;

export function withoutTokens(text: string): string {
  return text.replace(ownToken, '[token]').replace(authorizationValue, '$1[token]');
}
