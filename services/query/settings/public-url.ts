import { isIP } from 'node:net';

interface Addresses {
  readonly publicUrl: string;
  readonly host: string;
  readonly port: number;
  readonly tlsCertFile: string;
}

/** The address in links to this service. */
export function publicUrlOf({ publicUrl, host, port, tlsCertFile }: Addresses): string {
  if (publicUrl !== '') return publicUrl;
  const scheme = tlsCertFile === '' ? 'http' : 'https';
  return `${scheme}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** A link to 0.0.0.0 works for no client. */
export function publicUrlProblem({ publicUrl, host }: Partial<Addresses>): string | undefined {
  if (publicUrl === undefined || host === undefined) return undefined;
  if (publicUrl === '') {
    if (!isWildcard(host)) return undefined;
    return `PUBLIC_URL must be set if HOST is ${host}: links to exports need the address that clients use`;
  }
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && !isWildcard(url.hostname);
  if (isUsable && url.search === '' && url.hash === '') return undefined;
  return `PUBLIC_URL must be an http or https URL that clients can reach, without a query, not "${publicUrl}"`;
}

function isWildcard(host: string): boolean {
  return ['0.0.0.0', '::', '[::]'].includes(host);
}

/** The URL of a path of this service; without PUBLIC_URL the path itself, relative to the address of the request. */
export function publicLink({ publicUrl }: { readonly publicUrl: string }, path: string): string {
  return `${publicUrl.replace(/\/+$/, '')}${path}`;
}
