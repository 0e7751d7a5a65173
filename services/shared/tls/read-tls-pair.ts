import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../config/common-settings.ts';

/** A certificate with its chain, and its key, in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export async function readTlsPair({ tlsCertFile, tlsKeyFile }: TlsFiles): Promise<TlsPair> {
  // Sequentially, so that the error is the same every time if both files are missing.
  const cert = await readNamed('TLS_CERT_FILE', tlsCertFile);
  const key = await readNamed('TLS_KEY_FILE', tlsKeyFile);
  return { cert, key };
}

/**
 * Returns the expiry of the pair: the earliest expiry in its chain. Throws an Error that names the
 * setting if the pair is unusable. The message never contains the content of the files.
 */
export function checkTlsPair({ cert, key }: TlsPair): Date {
  const chain = parsed('TLS_CERT_FILE must contain a certificate in PEM', () =>
    (cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? ['']).map(
      (pem) => new X509Certificate(pem),
    ),
  );
  const privateKey: KeyObject = parsed(
    'TLS_KEY_FILE must contain a private key in PEM without a passphrase',
    () => createPrivateKey(key),
  );
  if (chain[0]?.checkPrivateKey(privateKey) !== true) {
    throw new Error('TLS_KEY_FILE does not match the certificate in TLS_CERT_FILE');
  }
  // OpenSSL refuses weak keys, such as RSA with 512 bits.
  parsed('OpenSSL refuses TLS_CERT_FILE and TLS_KEY_FILE: the key is too weak', () =>
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

// OpenSSL's messages name functions and offsets, which does not help an operator.
function parsed<T>(problem: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Error(problem, { cause: error });
  }
}
