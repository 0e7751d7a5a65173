import type { Knex } from 'knex';

/** Organisations with their tokens, grants, ISPs and packages. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table organisations (
      id          integer generated always as identity primary key,
      name        text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
      created_at  timestamptz not null default now()
    );

    create table api_tokens (
      id               integer generated always as identity primary key,
      organisation_id  integer not null references organisations,
      interface        text not null check (interface in ('data', 'metadata')),
      -- The token itself is not stored.
      token_sha256     bytea not null unique check (octet_length(token_sha256) = 32),
      label            text not null,
      created_at       timestamptz not null default now(),
      expires_at       timestamptz,
      revoked_at       timestamptz,
      last_used_at     timestamptz
    );
    create index on api_tokens (organisation_id);

    -- An organisation without rows of a kind sees everything of that kind.
    create table grants (
      organisation_id  integer not null references organisations,
      kind             text not null check (kind in ('metric', 'test')),
      key              text not null,
      primary key (organisation_id, kind, key)
    );

    create table isps (
      id               integer generated always as identity primary key,
      organisation_id  integer not null references organisations,
      name             text not null check (name <> ''),
      unique (organisation_id, name),
      unique (id, organisation_id)
    );

    create table packages (
      id      integer generated always as identity primary key,
      isp_id  integer not null references isps,
      name    text not null check (name <> ''),
      unique (isp_id, name),
      unique (id, isp_id)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table packages, isps, grants, api_tokens, organisations');
}
