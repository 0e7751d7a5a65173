import { isMasked } from '../masked.ts';
import type { Columns, MetricDefinition, MetricDefinitions } from '../metric-definition.ts';
import { column, isPositiveUpTo, mbps, milliseconds, seconds } from '../metric-terms.ts';

/** A published mean; null is a blank cell of the publication. */
const published = (name: string, isOrdinary: (c: Columns) => boolean) => ({
  test: 'panel' as const,
  masked: name,
  isPlausible: (c: Columns) => isMasked(c, name) || isOrdinary(c),
  everyHours: 1 as const,
  isRatio: false,
  ownFields: [],
  exists: (c: Columns) => c[name] !== null,
  size: () => 1,
});

const speed = (name: string): MetricDefinition => ({
  ...published(name, isPositiveUpTo(name, 12_500_000_000)),
  value: mbps(name),
});

const latency = (name: string): MetricDefinition => ({
  ...published(name, (c) => Number(c[name]) >= 50 && Number(c[name]) <= 10_000_000),
  value: milliseconds(name),
});

const delay = (name: string): MetricDefinition => ({
  ...published(name, isPositiveUpTo(name, 10_000_000)),
  value: milliseconds(name),
});

const load = (name: string): MetricDefinition => ({
  ...published(name, isPositiveUpTo(name, 60_000_000)),
  value: seconds(name),
});

const percent = (name: string): MetricDefinition => ({
  ...published(name, (c) => Number(c[name]) >= 0 && Number(c[name]) <= 100),
  value: column(name),
});

const video = (metric: string, name: string): MetricDefinitions => ({
  ...inAllAndBusyHours(percent, {
    [`${metric}Uhd`]: `${name}_uhd`,
    [`${metric}Hd`]: `${name}_hd`,
    [`${metric}Sd`]: `${name}_sd`,
    [`${metric}Failed`]: `${name}_failed`,
  }),
  ...inAllAndBusyHours(load, { [`${metric}Startup`]: `${name}_startup` }),
});

function inAllAndBusyHours(
  of: (name: string) => MetricDefinition,
  names: Readonly<Record<string, string>>,
): MetricDefinitions {
  return Object.fromEntries(
    Object.entries(names).flatMap(([metric, name]) => [
      [metric, of(name)],
      [`${metric}Busy`, of(`busy_${name}`)],
    ]),
  );
}

const outages: MetricDefinition = {
  ...published(
    'daily_outages',
    (c) => Number(c.daily_outages) >= 0 && Number(c.daily_outages) <= 1440,
  ),
  value: column('daily_outages'),
};

export const panelMetrics: MetricDefinitions = {
  panelDownload: speed('download_mean'),
  panelDownloadBusy: speed('busy_download_mean'),
  panelUpload: speed('upload_mean'),
  panelUploadBusy: speed('busy_upload_mean'),
  panelLatency: latency('latency_mean'),
  panelLatencyBusy: latency('busy_latency_mean'),
  panelOutages: outages,
  panelDisconnections: outages,
  ...inAllAndBusyHours(percent, {
    panelPacketLoss: 'packet_loss',
    panelDnsFailure: 'dns_failure',
  }),
  ...inAllAndBusyHours(delay, {
    panelJitterUp: 'jitter_up_mean',
    panelJitterDown: 'jitter_down_mean',
    panelDns: 'dns_mean',
  }),
  ...inAllAndBusyHours(load, { panelWeb: 'web_mean' }),
  ...video('panelYoutube', 'youtube'),
  ...video('panelNetflix', 'netflix'),
  ...video('panelIplayer', 'iplayer'),
  panelLatencyDownload: delay('latency_download_mean'),
  panelLatencyDownloadMedian: delay('latency_download_median'),
  panelLatencyUpload: delay('latency_upload_mean'),
  panelLatencyUploadMedian: delay('latency_upload_median'),
  panelDownload0to6: speed('download_0to6'),
  panelDownload6to12: speed('download_6to12'),
  panelDownload12to18: speed('download_12to18'),
  panelDownload18to19: speed('download_18to19'),
  panelDownload19to20: speed('download_19to20'),
  panelDownload20to21: speed('download_20to21'),
  panelDownload21to22: speed('download_21to22'),
  panelDownload22to23: speed('download_22to23'),
  panelDownload23to24: speed('download_23to24'),
};
