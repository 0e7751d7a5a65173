import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** An environment variable: its name, description, default and parser. */
export interface Setting<T> {
  readonly name: string;
  readonly about: string;
  /** The default, as shown in docs/settings.md; undefined: the variable is required. */
  readonly fallback: string | undefined;
  /** Never shown in a log or an error. */
  readonly secret: boolean;
  /** Returns the value, or throws an Error whose message completes "NAME …". */
  readonly parse: (text: string) => T;
}

interface Options {
  readonly fallback?: string | undefined;
  readonly secret?: boolean;
}

function define<T>(
  name: string,
  about: string,
  parse: (text: string) => T,
  { fallback, secret = false }: Options = {},
): Setting<T> {
  return { name, about, fallback, secret, parse };
}

export const setting = {
  text: (name: string, about: string, fallback = '') =>
    define(name, about, (text) => text, { fallback }),

  /** A secret of another system; undefined: the variable is required. */
  password: (name: string, about: string, fallback: string | undefined) =>
    define(name, about, (text) => text, { fallback, secret: true }),

  /** A key that signs links: at least 32 characters, because a short one can be guessed from a link. May be empty. */
  secret: (name: string, about: string) =>
    define(name, about, secret, { fallback: '', secret: true }),

  port: (name: string, about: string, fallback: number) =>
    define(name, about, wholeNumber(0, 65_535), { fallback: String(fallback) }),

  number: (
    name: string,
    about: string,
    fallback: number,
    min = 0,
    max: number = Number.MAX_SAFE_INTEGER,
  ) => define(name, about, wholeNumber(min, max), { fallback: String(fallback) }),

  /** A retention period: 0 for ever, or at least 30 days, since a typo would delete data. */
  retentionDays: (name: string, about: string, fallback: number) =>
    define(name, about, retentionDays, { fallback: String(fallback) }),

  flag: (name: string, about: string, fallback: boolean) =>
    define(name, about, flag, { fallback: String(fallback) }),

  url: (name: string, about: string, options?: Options) => define(name, about, url, options),

  /** Comma-separated, such as `https://explorer.example.net,http://127.0.0.1:8080`; may be empty. */
  origins: (name: string, about: string) => define(name, about, origins, { fallback: '' }),

  /** `2` proxies, or `10.0.0.0/8,loopback`; empty: none. */
  proxies: (name: string, about: string) => define(name, about, proxies, { fallback: '' }),

  /** A file of certificate authorities. The value is its content in PEM; empty: none. */
  certificates: (name: string, about: string) =>
    define(name, about, certificates, { fallback: '' }),

  /** Used as an SQL identifier: letters, digits and _ only. */
  name: (name: string, about: string, fallback: string) => define(name, about, word, { fallback }),

  oneOf: <T extends string>(name: string, about: string, values: readonly T[], fallback: T) =>
    define(name, about, oneOf(values), { fallback }),
};

function secret(text: string): string {
  if (text === '' || text.length >= 32) return text;
  throw new Error('must have at least 32 characters');
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new Error(`must be a whole number from ${min} to ${max}, not "${text}"`);
  };
}

function retentionDays(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value === 0 || (value >= 30 && value <= 36_500)) return value;
  throw new Error(`must be 0 (for ever) or a whole number of days from 30 to 36500, not "${text}"`);
}

function flag(text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new Error(`must be true or false, not "${text}"`);
}

function url(text: string): string {
  // A URL can contain a password, so the message does not repeat it.
  if (text !== '' && !URL.canParse(text)) throw new Error('must be a URL');
  return text;
}

function origins(text: string): string {
  const listed = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  for (const origin of listed) {
    // The form that browsers send: no path, no trailing slash, no default port.
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error(`must be a list of origins such as https://host:port, not "${origin}"`);
    }
  }
  return listed.join(',');
}

/** The value of Express's setting `trust proxy`. */
export type TrustedProxies = false | number | string[];

function proxies(text: string): TrustedProxies {
  if (text === '') return false;
  if (/^[1-9]$/.test(text)) return Number(text);
  const listed = text.split(',').map((one) => one.trim());
  for (const proxy of listed) {
    if (['loopback', 'linklocal', 'uniquelocal'].includes(proxy) || isSubnet(proxy)) continue;
    throw new Error(
      `must be a number from 1 to 9, or a list of addresses, subnets, loopback, linklocal and uniquelocal, not "${proxy}"`,
    );
  }
  return listed;
}

function isSubnet(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return maxBits > 0;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

function certificates(path: string): string {
  if (path === '') return '';
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new Error(`cannot be read: ${path} (${code})`, { cause: error });
  }
  // Node ignores text that is not PEM: it would trust no authority, and say so only when it connects.
  if (!isCertificate(pem)) throw new Error(`must contain certificates in PEM: ${path}`);
  return pem;
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

function word(text: string): string {
  if (/^\w*$/.test(text)) return text;
  throw new Error(`must consist of letters, digits and _, not "${text}"`);
}

function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new Error(`must be one of ${values.join(', ')}, not "${text}"`);
  };
}
