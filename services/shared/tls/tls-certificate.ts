import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { metricsOf, type Registry } from '../metrics.ts';
import type { TlsFiles } from '../config/common-settings.ts';
import { SettingsError } from '../config/read-settings.ts';
import type { Logger } from '../logging/create-logger.ts';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

interface Tools {
  readonly logger: Logger;
  readonly registry: Registry;
  /** How often the files are read. */
  readonly intervalMs?: number;
}

export type TlsCertificate = NonNullable<Awaited<ReturnType<typeof openTlsCertificate>>>;

/**
 * The certificate of a service, reloaded when its files change. The files are polled, not watched: a
 * Kubernetes secret changes by a symbolic link two folders up, which a watch does not notice. Throws a
 * SettingsError if the files are unusable. Returns undefined if TLS is not configured.
 */
export async function openTlsCertificate(files: TlsFiles, tools: Tools) {
  if (files.tlsCertFile === '') return undefined;
  const { logger, registry, intervalMs = 1_000 } = tools;
  const expiry = metricsOf(registry).gauge(
    'netpanel_tls_certificate_expiry_seconds',
    'Expiry of the certificate, or of its chain if earlier, as a UNIX timestamp.',
  );
  let current = await readTlsPair(files)
    .then(checked)
    .catch((error: unknown) => {
      throw new SettingsError([(error as Error).message]);
    });
  // The content at the last poll, and the content last applied or rejected.
  let lastRead = identity(current);
  let lastChecked = lastRead;
  let use: (options: SecureContextOptions) => void = () => undefined;
  const timer = setInterval(() => void poll(), intervalMs);
  timer.unref();
  const options = (): SecureContextOptions => ({ ...current, minVersion: 'TLSv1.2' });
  return {
    /** The initial options of a server. */
    options,
    /** `use` is called with new options on every change. Existing connections keep theirs. */
    onChange: (onChange: typeof use) => {
      use = onChange;
    },
    close: () => clearInterval(timer),
  };

  function checked(pair: TlsPair): TlsPair {
    expiry.set(checkTlsPair(pair).getTime() / 1000);
    return pair;
  }

  async function poll(): Promise<void> {
    const found = await readTlsPair(files).catch((error: unknown) => error as Error);
    const content = identity(found);
    // Apply only content that is unchanged since the last poll: both files are completely written.
    const isStable = content === lastRead;
    lastRead = content;
    if (!isStable || content === lastChecked) return;
    lastChecked = content;
    apply(found);
  }

  function apply(found: TlsPair | Error): void {
    try {
      if (found instanceof Error) throw found;
      const expiresAt = checkTlsPair(found);
      use({ ...options(), ...found });
      current = checked(found);
      logger.info('TLS certificate reloaded', { expiresAt: expiresAt.toISOString() });
    } catch (error) {
      const reason = (error as Error).message;
      logger.error('keeping the old TLS certificate: the new files are unusable', { reason });
    }
  }
}

function identity(found: TlsPair | Error): string {
  return found instanceof Error ? found.message : `${found.cert}\n${found.key}`;
}

/** A certificate with its chain, and its key, in PEM. */
interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

async function readTlsPair({ tlsCertFile, tlsKeyFile }: TlsFiles): Promise<TlsPair> {
  // Sequentially, so that the error is the same every time if both files are missing.
  const cert = await readNamed('TLS_CERT_FILE', tlsCertFile);
  const key = await readNamed('TLS_KEY_FILE', tlsKeyFile);
  return { cert, key };
}

/**
 * Returns the expiry of the pair: the earliest expiry in its chain. Throws an Error that names the
 * setting if the pair is unusable. The message never contains the content of the files.
 */
function checkTlsPair({ cert, key }: TlsPair): Date {
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
