import { setting } from '../shared/config/setting.ts';

/** Settings of the ingestion service and the loader. */
export const resultSettings = {
  // Clocks of agents that use NTP differ by less than a second; phones by a minute.
  maxAheadS: setting.number(
    'INGEST_MAX_AHEAD_S',
    'How far in the future the time of a result may be, in seconds; also for `netpanel load`.',
    300,
  ),
};
