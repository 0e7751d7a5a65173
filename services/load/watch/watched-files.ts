import { type Claim, lockClaim } from '../../shared/jobs/durable-job.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import type { FoundFile } from './watched-place.ts';

/** The outcome of an attempt to load a file. */
export interface EndedLoad {
  /** retrying: after a temporary failure. failed: the file is bad. */
  readonly status: 'loaded' | 'retrying' | 'failed';
  readonly test: string | null;
  readonly message: string | null;
  readonly summary: object | null;
}

/** Which files of earlier runs are loaded again. */
export interface Redo {
  readonly failed: boolean;
  readonly loaded: boolean;
  /** Files that ended since then are not repeated. */
  readonly before: Date;
}

/** The records of a place in Postgres: which files were loaded, by this watcher or another one. */
export class WatchedFiles {
  readonly claim: Claim<FoundFile>;
  readonly #database: Database;
  readonly #organisationId: number;
  readonly #place: string;
  readonly #redo: Redo;
  /** Versions that need no further look. Without it, every round would ask Postgres about every file. */
  #finished = new Map<string, string>();

  constructor(database: Database, organisationId: number, place: string, redo: Redo) {
    this.claim = lockClaim(database, ({ name }) =>
      lockTable.watchedFile(organisationId, place, name),
    );
    this.#database = database;
    this.#organisationId = organisationId;
    this.#place = place;
    this.#redo = redo;
  }

  /** Forgets files that are not there any more. */
  keepOnly(found: readonly FoundFile[]): void {
    const finished = found.filter((file) => this.#isKnownFinished(file));
    this.#finished = new Map(finished.map(({ name, version }) => [name, version]));
  }

  /** The files to load now, the oldest first. */
  async due(files: readonly FoundFile[], includesRetries: boolean): Promise<readonly FoundFile[]> {
    const due: FoundFile[] = [];
    const unknown = files.filter((file) => !this.#isKnownFinished(file));
    for (let start = 0; start < unknown.length; start += filesPerQuery) {
      const some = unknown.slice(start, start + filesPerQuery);
      const states = await this.#states(some);
      some.forEach((file, i) => {
        const state = states[i];
        if (state?.isFinished === true) this.#finished.set(file.name, file.version);
        else if (includesRetries || state?.isWaiting !== true) due.push(file);
      });
    }
    return due.sort((a, b) => Number(a.modifiedAt) - Number(b.modifiedAt) || order(a.name, b.name));
  }

  /** Runs `load` and records its result, unless another watcher has. `load` returns undefined if the file is gone. */
  async load<T extends EndedLoad>(
    file: FoundFile,
    load: (isRepeated: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const [state] = await this.#states([file]);
    if (state?.isFinished === true) return undefined;
    await this.#start(file);
    const ended = await load(state?.isLoading === true);
    await (ended === undefined ? this.#forget(file) : this.#end(file, ended));
    return ended;
  }

  #isKnownFinished({ name, version }: FoundFile): boolean {
    return this.#finished.get(name) === version;
  }

  async #states(files: readonly FoundFile[]): Promise<readonly FileState[]> {
    const { failed, loaded, before } = this.#redo;
    const { rows } = await this.#database.raw<{ rows: FileState[] }>(
      `select coalesce(w.status in ('loaded', 'failed') and not (w.ended_at < :before
                and (:loaded or (:failed and w.status = 'failed'))), false) as "isFinished",
              coalesce(w.next_attempt_at > now(), false) as "isWaiting",
              coalesce(w.status = 'loading', false) as "isLoading"
       from unnest(cast(:names as text[]), cast(:versions as text[])) with ordinality as f (name, version, n)
         left join watched_files w on w.organisation_id = :organisationId and w.place = :place
           and w.name = f.name and w.version = f.version
       order by f.n`,
      {
        before,
        loaded,
        failed,
        names: files.map(({ name }) => name),
        versions: files.map(({ version }) => version),
        organisationId: this.#organisationId,
        place: this.#place,
      },
    );
    return rows;
  }

  async #start(file: FoundFile): Promise<void> {
    await this.#database('watched_files')
      .insert({
        ...this.#keyOf(file),
        size_bytes: file.sizeBytes,
        modified_at: file.modifiedAt,
        status: 'loading',
      })
      .onConflict(['organisation_id', 'place', 'name', 'version'])
      .merge({
        status: 'loading',
        attempts: this.#database.raw('watched_files.attempts + 1'),
        started_at: this.#database.fn.now(),
        ended_at: null,
        next_attempt_at: null,
      });
  }

  async #end(file: FoundFile, { status, test, message, summary }: EndedLoad): Promise<void> {
    const retryAt = this.#database.raw(
      `now() + make_interval(secs => least(${maxRetrySeconds}, ${firstRetrySeconds} * 2 ^ least(attempts - 1, 20)))`,
    );
    await this.#database('watched_files')
      .where(this.#keyOf(file))
      .update({
        status,
        test,
        message,
        // jsonb cannot store a NUL, which a column name may have.
        summary: summary === null ? null : JSON.stringify(summary).replaceAll('\\u0000', ''),
        ended_at: this.#database.fn.now(),
        next_attempt_at: status === 'retrying' ? retryAt : null,
      });
    if (status !== 'retrying') this.#finished.set(file.name, file.version);
  }

  async #forget(file: FoundFile): Promise<void> {
    await this.#database('watched_files').where(this.#keyOf(file)).delete();
  }

  #keyOf({ name, version }: FoundFile) {
    return { organisation_id: this.#organisationId, place: this.#place, name, version };
  }
}

interface FileState {
  readonly isFinished: boolean;
  /** For its next attempt. */
  readonly isWaiting: boolean;
  /** By a watcher that holds the lock, or was killed. */
  readonly isLoading: boolean;
}

const filesPerQuery = 10_000;
const firstRetrySeconds = 10;
const maxRetrySeconds = 600;

function order(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** The files of an organisation, or of one of its places, the last ones first. */
export async function listWatchedFiles(
  database: Database,
  organisationId: number,
  place: string | undefined,
  limit: number,
): Promise<ListedFile[]> {
  return database('watched_files')
    .where({ organisation_id: organisationId, ...(place === undefined ? {} : { place }) })
    .orderBy([{ column: 'started_at', order: 'desc' }, 'place', 'name'])
    .limit(limit)
    .select<ListedFile[]>(
      'place',
      'name as file',
      'status',
      'test',
      database.raw(`cast(summary ->> 'rowsRead' as bigint) as rows`),
      database.raw(`cast(summary ->> 'loaded' as bigint) as loaded`),
      database.raw(`cast(summary ->> 'rejected' as bigint) as rejected`),
      'attempts',
      'ended_at as ended',
      'next_attempt_at as next attempt',
      'message',
    );
}

/** What netpanel watch --status prints. */
export const watchedFileColumns = [
  'place',
  'file',
  'status',
  'test',
  'rows',
  'loaded',
  'rejected',
  'attempts',
  'ended',
  'next attempt',
  'message',
] as const;

type ListedFile = Record<(typeof watchedFileColumns)[number], string | number | Date | null>;
