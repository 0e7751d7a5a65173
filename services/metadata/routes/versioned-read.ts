import type { Response } from 'express';
import { readMetadataVersions } from '../../registry/metadata-versions.ts';
import { metadataVersionHeader } from '../../shared/http/metadata-version-header.ts';
import { callerOf } from '../../shared/http/request-context.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { postgresSpanAttributes } from '../../shared/postgres/postgres-span-attributes.ts';
import { traced } from '../../shared/tracing/traced.ts';

/** Sends the metadata version as a header. It is read first, so that the response is not older. */
export function versionedRead<T>(
  database: Database,
  res: Response,
  read: (transaction: Database) => Promise<T>,
): Promise<T> {
  const { organisationId } = callerOf(res);
  return traced('database', postgresSpanAttributes('read'), () =>
    inOrganisation(database, organisationId, async (transaction) => {
      const { current } = await readMetadataVersions(transaction, organisationId);
      res.set(metadataVersionHeader, String(current));
      return read(transaction);
    }),
  );
}
