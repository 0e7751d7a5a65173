import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../config/common-settings.ts';

/** A certificate with its chain, and its key, as they are in the files: PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export async function readTlsPair({ tlsCertFile, tlsKeyFile }: TlsFiles): Promise<TlsPair> {
  // One after the other, so that of two files that are missing it is always the same that is named.
  const cert = await readNamed('TLS_CERT_FILE', tlsCertFile);
  const key = await readNamed('TLS_KEY_FILE', tlsKeyFile);
  return { cert, key };
}

/**
 * When the pair stops being valid: the end of the first of its chain to expire. Throws an Error that
 * names the setting when the two could not be served; what is in the files is never part of it.
 */
export function checkTlsPair({ cert, key }: TlsPair): Date {
  const chain = parsed('TLS_CERT_FILE holds no certificate in PEM', () =>
    (cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? ['']).map(
      (pem) => new X509Certificate(pem),
    ),
  );
  const privateKey: KeyObject = parsed(
    'TLS_KEY_FILE holds no private key in PEM without a passphrase',
    () => createPrivateKey(key),
  );
  if (chain[0]?.checkPrivateKey(privateKey) !== true) {
    throw new Error('TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE');
  }
  // A key of 512 bits, for instance, is a key of its certificate and yet is not served.
  parsed('TLS_CERT_FILE and TLS_KEY_FILE are too weak to be served', () =>
    createSecureContext({ cert, key }),
  );
  return new Date(Math.min(...chain.map(({ validTo }) => Date.parse(validTo))));
}

async function readNamed(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new Error(`${name} cannot be read: ${path} (${code})`, { cause: error });
  }
}

// OpenSSL's own words name functions and offsets, which does not help an operator.
function parsed<T>(problem: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(problem, { cause: error });
  }
}
