import type { SecureContextOptions } from 'node:tls';
import { Gauge, type Registry } from 'prom-client';
import type { TlsFiles } from '../config/common-settings.ts';
import { SettingsError } from '../config/read-settings.ts';
import type { Logger } from '../logging/create-logger.ts';
import { checkTlsPair, readTlsPair, type TlsPair } from './read-tls-pair.ts';

interface Tools {
  readonly logger: Logger;
  readonly registry: Registry;
  /** How often the files are read. */
  readonly intervalMs?: number;
}

/**
 * The certificate of a service, reloaded when its files change. The files are polled, not watched: a
 * Kubernetes secret changes by a symbolic link two folders up, which a watch does not notice.
 */
export class TlsCertificate {
  readonly #files: TlsFiles;
  readonly #tools: Tools;
  readonly #expiry: Gauge;
  readonly #timer: NodeJS.Timeout;
  #current: TlsPair;
  /** The content at the last poll, and the content last applied or rejected. */
  #lastRead: string;
  #lastChecked: string;
  #onChange: (options: SecureContextOptions) => void = () => undefined;

  private constructor(files: TlsFiles, tools: Tools, pair: TlsPair, expiresAt: Date) {
    this.#files = files;
    this.#tools = tools;
    this.#current = pair;
    this.#lastRead = this.#lastChecked = identity(pair);
    this.#expiry = new Gauge({
      name: 'netpanel_tls_certificate_expiry_seconds',
      help: 'Expiry of the certificate, or of its chain if earlier, as a UNIX timestamp.',
      registers: [tools.registry],
    });
    this.#expiry.set(expiresAt.getTime() / 1000);
    this.#timer = setInterval(() => void this.#poll(), tools.intervalMs ?? 1_000);
    this.#timer.unref();
  }

  /** Throws a SettingsError if the files are unusable. Returns undefined if TLS is not configured. */
  static async open(files: TlsFiles, tools: Tools): Promise<TlsCertificate | undefined> {
    if (files.tlsCertFile === '') return undefined;
    try {
      const pair = await readTlsPair(files);
      return new TlsCertificate(files, tools, pair, checkTlsPair(pair));
    } catch (error) {
      throw new SettingsError([(error as Error).message]);
    }
  }

  /** The initial options of a server. */
  get options(): SecureContextOptions {
    return { ...this.#current, minVersion: 'TLSv1.2' };
  }

  /** `use` is called with new options on every change. Existing connections keep theirs. */
  onChange(use: (options: SecureContextOptions) => void): void {
    this.#onChange = use;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #poll(): Promise<void> {
    const found = await readTlsPair(this.#files).catch((error: unknown) => error as Error);
    const content = identity(found);
    // Apply only content that is unchanged since the last poll: both files are completely written.
    const isStable = content === this.#lastRead;
    this.#lastRead = content;
    if (!isStable || content === this.#lastChecked) return;
    this.#lastChecked = content;
    this.#apply(found);
  }

  #apply(found: TlsPair | Error): void {
    const { logger } = this.#tools;
    try {
      if (found instanceof Error) throw found;
      const expiresAt = checkTlsPair(found);
      this.#onChange({ ...this.options, ...found });
      this.#current = found;
      this.#expiry.set(expiresAt.getTime() / 1000);
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
