-- Custom fields that are weights of households: netpanel weights rake and presets write them, and listings mark them.

alter table custom_keys add column is_weight boolean not null default false;

-- Replicate weights of raked households (delete-a-group jackknife), for intervals that include the raking. A set is valid
-- from a time until the next set of its field; a superseded one was replaced by a later raking from the same time or
-- earlier.

create table weight_replicates (
  id               bigint generated always as identity primary key,
  organisation_id  integer not null references organisations,
  -- Of custom metadata, which has the weights.
  key              text not null,
  valid_from       timestamptz not null,
  -- 0: from then on the field has weights without replicates.
  replicate_count  smallint not null check (replicate_count between 0 and 200),
  recorded_at      timestamptz not null default now(),
  superseded_at    timestamptz,
  unique (organisation_id, id)
);
create unique index on weight_replicates (organisation_id, key, valid_from) where superseded_at is null;

create table weight_replicate_factors (
  organisation_id  integer not null,
  replicates_id    bigint not null,
  agent_key        bigint not null references agents,
  -- The weight in each replicate, divided by the weight; 0 in that of the agent's own group.
  factors          double precision[] not null,
  primary key (replicates_id, agent_key),
  foreign key (organisation_id, replicates_id) references weight_replicates (organisation_id, id)
    on delete cascade
);
create index on weight_replicate_factors (agent_key);
create index on weight_replicate_factors (organisation_id);

create policy own_organisation on weight_replicates using (
  (select sees_all_organisations()) or organisation_id = (select current_organisation()));
alter table weight_replicates enable row level security;
create policy own_organisation on weight_replicate_factors using (
  (select sees_all_organisations()) or organisation_id = (select current_organisation()));
alter table weight_replicate_factors enable row level security;
