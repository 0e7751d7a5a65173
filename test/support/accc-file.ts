/** The columns of the ACCC's unit-level release of May 2022. */
const header = [
  'unit_id,connection_type,technology,tier,rsp,state_or_territory,geography',
  'is_this_service_impaired,is_this_service_underperforming,gateway_mac',
  ...['download speed', 'upload speed', 'latency'].flatMap((what) =>
    ['All hour', 'Busy hour'].flatMap((hours) =>
      ['trimmed mean', 'minimum', 'maximum'].map((statistic) => `${hours} ${statistic} ${what}`),
    ),
  ),
  'Average daily outages',
].join(',');

export interface AcccUnit {
  readonly unit: number | string;
  readonly connectionType?: string;
  readonly tier?: string;
  readonly rsp?: string;
  readonly state?: string;
  readonly geography?: string;
  /** Trimmed means in Mbit/s and ms, as text; '' is a blank cell. */
  readonly download?: string;
  readonly busyDownload?: string;
  readonly upload?: string;
  readonly latency?: string;
  readonly outages?: string;
}

/** A file of the same shape as the ACCC's release. */
export function acccFile(units: readonly AcccUnit[]): string {
  return `${[header, ...units.map(line)].join('\r\n')}\r\n`;
}

function line(unit: AcccUnit): string {
  const { download = '48.5', upload = '18.1', latency = '6.57' } = unit;
  const { busyDownload = '47.9' } = unit;
  return [
    unit.unit,
    unit.connectionType ?? 'NBN',
    'Fibre to the Node',
    unit.tier ?? '50/20 Mbps',
    unit.rsp ?? 'TPG',
    unit.state ?? 'NSW',
    unit.geography ?? 'Urban',
    'TRUE,FALSE,C471xxxxxx',
    ...[download, '39.65', '54.2', busyDownload, '40.17', '53.9'],
    ...[upload, '7.69', '19.2', upload, '7.73', '19.1'],
    ...[latency, '5.96', '8.07', latency, '6.05', '8.07'],
    unit.outages ?? '0.03',
  ].join(',');
}
