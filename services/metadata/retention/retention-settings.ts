import type { SettingValues } from '../../shared/config/read-settings.ts';
import { setting } from '../../shared/config/setting.ts';

/** How long data is kept, in days. The reasons for the defaults are in docs/retention.md. */
export const retentionSettings = {
  retentionResultsDays: setting.retentionDays(
    'RETENTION_RESULTS_DAYS',
    'How many days results are kept, by whole months; 0: for ever.',
    3_650,
  ),
  retentionMetadataVersionsDays: setting.retentionDays(
    'RETENTION_METADATA_VERSIONS_DAYS',
    'How many days replaced versions of metadata are kept; 0: for ever. Current history is always kept.',
    1_825,
  ),
  retentionAuditDays: setting.retentionDays(
    'RETENTION_AUDIT_DAYS',
    'How many days the audit is kept, in ClickHouse by whole months; 0: for ever.',
    400,
  ),
  retentionCallCountsDays: setting.retentionDays(
    'RETENTION_CALL_COUNTS_DAYS',
    'How many days the counts of metadata calls are kept; 0: for ever.',
    400,
  ),
};

export type RetentionConfig = SettingValues<typeof retentionSettings>;
