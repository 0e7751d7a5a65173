import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import { importRelease } from '../../agents/import-release.ts';
import type { InputFile } from '../input/input-files.ts';
import type { Mapping } from '../mapping/compile-mapping.ts';
import type { SourceReader } from '../sources/source-rows.ts';
import { DescribedAgents } from './described-agents.ts';

interface AgentsImport {
  /** A line for the report. */
  readonly note: string;
  /** Columns of the files that describe agents. */
  readonly columnsRead: ReadonlySet<string>;
}

interface Options {
  readonly database: Database;
  readonly organisationId: number;
  readonly mayRewrite: boolean;
  readonly isDryRun: boolean;
  /** Reads the rows of a file. */
  readonly read: (file: InputFile, reader: SourceReader) => Promise<void>;
}

/**
 * Imports what the rows of all files say about agents, in one transaction: a release that begins with the first
 * result.
 */
export async function importDescribedAgents(
  files: readonly InputFile[],
  mapping: Mapping,
  { database, organisationId, mayRewrite, isDryRun, read }: Options,
): Promise<AgentsImport> {
  const described = new DescribedAgents(mapping);
  for (const file of files) await read(file, described.reader(file.name));
  const records = described.records();
  const title = files.length > 1 ? 'files' : 'file';
  const { columnsRead, fromUtc } = described;
  if (isDryRun) {
    const note = `${records.length} units in the ${title}, not imported in a dry run`;
    return { note, columnsRead };
  }
  const release = {
    path: files.map(({ name }) => name).join(', '),
    records,
    title,
    advice: 'Use --rewrite to replace them, or --no-agents to load only the results.',
  };
  const note = await importRelease(database, release, { organisationId, fromUtc, mayRewrite });
  return { note, columnsRead };
}
