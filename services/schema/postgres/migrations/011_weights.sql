-- Custom fields that are weights of households: netpanel weights rake and presets write them, and listings mark them.

alter table custom_keys add column is_weight boolean not null default false;
