import type { SecureContextOptions } from 'node:tls';
import { Gauge, type Registry } from 'prom-client';
import type { TlsFiles } from '../config/common-settings.ts';
import { SettingsError } from '../config/read-settings.ts';
import type { Logger } from '../logging/create-logger.ts';
import { checkTlsPair, readTlsPair, type TlsPair } from './read-tls-pair.ts';

interface Tools {
  readonly logger: Logger;
  readonly registry: Registry;
  /** How often the files are looked at. */
  readonly intervalMs?: number;
}

/**
 * The certificate a service serves, taken anew when its files change. The files are read and compared,
 * not watched: a secret of Kubernetes changes by a link two folders up, of which a watch hears nothing.
 */
export class TlsCertificate {
  readonly #files: TlsFiles;
  readonly #tools: Tools;
  readonly #expiry: Gauge;
  readonly #timer: NodeJS.Timeout;
  #current: TlsPair;
  /** As read the last time, and as taken or refused the last time. */
  #seen: string;
  #judged: string;
  #onChange: (options: SecureContextOptions) => void = () => undefined;

  private constructor(files: TlsFiles, tools: Tools, pair: TlsPair, expiresAt: Date) {
    this.#files = files;
    this.#tools = tools;
    this.#current = pair;
    this.#seen = this.#judged = identity(pair);
    this.#expiry = new Gauge({
      name: 'netpanel_tls_certificate_expiry_seconds',
      help: 'When the served certificate, or the first of its chain to do so, expires: unix time.',
      registers: [tools.registry],
    });
    this.#expiry.set(expiresAt.getTime() / 1000);
    this.#timer = setInterval(() => void this.#look(), tools.intervalMs ?? 1_000);
    this.#timer.unref();
  }

  /** Throws a SettingsError when the files cannot be served; undefined when TLS is not set up. */
  static async open(files: TlsFiles, tools: Tools): Promise<TlsCertificate | undefined> {
    if (files.tlsCertFile === '') return undefined;
    try {
      const pair = await readTlsPair(files);
      return new TlsCertificate(files, tools, pair, checkTlsPair(pair));
    } catch (error) {
      throw new SettingsError([(error as Error).message]);
    }
  }

  /** For a server to start with. */
  get options(): SecureContextOptions {
    return { ...this.#current, minVersion: 'TLSv1.2' };
  }

  /** Told the options again whenever they change; connections that exist keep theirs. */
  onChange(use: (options: SecureContextOptions) => void): void {
    this.#onChange = use;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const found = await readTlsPair(this.#files).catch((error: unknown) => error as Error);
    const now = identity(found);
    // What looks the same twice is written to its end, and no half of an old pair is in it.
    const isStill = now === this.#seen;
    this.#seen = now;
    if (!isStill || now === this.#judged) return;
    this.#judged = now;
    this.#judge(found);
  }

  #judge(found: TlsPair | Error): void {
    const { logger } = this.#tools;
    try {
      if (found instanceof Error) throw found;
      const expiresAt = checkTlsPair(found);
      this.#onChange({ ...this.options, ...found });
      this.#current = found;
      this.#expiry.set(expiresAt.getTime() / 1000);
      logger.info('the TLS certificate was changed', { expiresAt: expiresAt.toISOString() });
    } catch (error) {
      const reason = (error as Error).message;
      logger.error('the TLS certificate stays as it was: the new files are not usable', { reason });
    }
  }
}

function identity(found: TlsPair | Error): string {
  return found instanceof Error ? found.message : `${found.cert}\n${found.key}`;
}
