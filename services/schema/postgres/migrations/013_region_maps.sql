-- The map of an organisation for the explorer. No trigger for audit_events: the audit of requests has who replaced it.

create table region_maps (
  organisation_id  integer primary key references organisations on delete cascade,
  token_id         integer not null references api_tokens,
  -- The field whose values are the names of the regions, as in GET /splits.
  field            text not null check (char_length(field) between 1 and 300),
  -- JSON: names and outlines. Other properties of the file are not stored.
  regions          text not null check (octet_length(regions) <= 8000000),
  -- Of field and regions.
  tag              text not null,
  updated_at       timestamptz not null default now()
);

create policy own_organisation on region_maps using (
  (select sees_all_organisations()) or organisation_id = (select current_organisation()));
alter table region_maps enable row level security;
