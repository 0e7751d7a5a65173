import type { Knex } from 'knex';

/**
 * Responses of the ingestion service to requests with an Idempotency-Key: a repeated request gets the response of
 * the first one. A running request holds an advisory lock and has no row yet.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table ingest_requests (
      organisation_id  integer not null references organisations,
      idempotency_key  text not null check (length(idempotency_key) between 1 and 255),
      -- SHA-256 of the route, its parameters and the body.
      request_sha256   bytea not null check (octet_length(request_sha256) = 32),
      -- Of the response: data.
      answer           jsonb not null,
      stored_at        timestamptz not null default now(),
      primary key (organisation_id, idempotency_key)
    );
    create index on ingest_requests (stored_at);
    create index on ingest_requests (organisation_id, stored_at);
    create policy own_organisation on ingest_requests
      using ((select sees_all_organisations()) or organisation_id = (select current_organisation()));
    alter table ingest_requests enable row level security;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table ingest_requests');
}
