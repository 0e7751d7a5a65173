/** Users of the local Postgres, with the roles of deploy/postgres/roles.sql. */
export const serviceUsers = {
  query: { user: 'local_query', role: 'netpanel_query' },
  metadata: { user: 'local_metadata', role: 'netpanel_metadata' },
  ingest: { user: 'local_ingest', role: 'netpanel_ingest' },
} as const;

/** The URL of a database of the local Postgres for a service; the password is the owner's. */
export function serviceDatabaseUrl(service: keyof typeof serviceUsers, ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = serviceUsers[service].user;
  return url.href;
}
