-- Cells of publications are agents, but not households.

alter table agents drop constraint agents_kind_check,
  add constraint agents_kind_check check (kind in ('whitebox', 'cpe', 'mobile', 'web', 'cell'));
