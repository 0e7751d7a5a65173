/** Text columns of test tables. Columns with the same name have the same type in all tests. */
const textColumns: ReadonlySet<string> = new Set([
  'base',
  'agent_id',
  'target',
  'target_group',
  'address',
  'nameserver',
  'lookup_host',
  'record_type',
  'response_ip',
  'line_load',
  'video_id',
  'protocol',
  'hop_address',
  'hop_name',
  'manufacturer',
  'model',
  'operating_system',
  'operating_system_version',
  'app_version',
  'geo_country',
  'connection_type',
  'cellular_technology',
  'carrier_name',
]);

export function columnType(name: string): 'text' | 'number' {
  return textColumns.has(name) ? 'text' : 'number';
}

export function isTimeColumn(name: string): boolean {
  return name === 'dtime' || name === 'ddate' || name === 'period_end';
}
