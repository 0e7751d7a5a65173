-- The replicate weights of a household begin at its own midnight if those of all begin on a day; weight_replicates.valid_from
-- is the earliest of them.

alter table weight_replicate_factors add column valid_from timestamptz;
update weight_replicate_factors f set valid_from = s.valid_from
  from weight_replicates s where s.id = f.replicates_id;
alter table weight_replicate_factors alter column valid_from set not null;

-- For retention: replaced sets, first the factors of their households.
create function delete_weight_replicates_before(deleted_before timestamptz, max_rows integer)
  returns bigint language plpgsql
  security definer set search_path from current as $$
declare
  deleted_factors bigint;
  deleted_sets bigint;
begin
  delete from weight_replicate_factors where ctid = any(array(
    select f.ctid from weight_replicate_factors f join weight_replicates s on s.id = f.replicates_id
    where s.superseded_at < deleted_before limit max_rows));
  get diagnostics deleted_factors = row_count;
  delete from weight_replicates where id = any(array(
    select id from weight_replicates s
    where superseded_at < deleted_before
      and not exists (select from weight_replicate_factors f where f.replicates_id = s.id)
    limit max_rows - deleted_factors));
  get diagnostics deleted_sets = row_count;
  return deleted_factors + deleted_sets;
end $$;
