import type { Field, MetadataAttribute } from './field.ts';
import type { Metric } from './metric.ts';
import { columnType } from './test-columns.ts';
import { hasColumn } from './test-tables.ts';

/** The fields of the contract, for all tests that have them. */
export const standardFields: readonly Field[] = [
  column('target_set', 'Server group', 'Set of test servers the target belongs to', 'target_group'),
  metadata('package', 'Package', 'ISP and package of the household, as <isp>:<package>'),
  metadata('country', 'Country', 'Country of the household'),
  column('target', 'Test server', 'Test server'),
  household(column('agent', 'Agent', 'Agent ID, exactly as in the results', 'agent_id')),
  household(column('unit', 'Unit', 'Unit ID', 'unit_id')),
  metadata('isp', 'ISP', 'ISP of the household'),
  column('base', 'Device model', 'Device model'),
  column('model', 'Phone model', 'Model of the phone'),
  column('geo_country', 'Country of the phone', 'Country the phone was in'),
  column('manufacturer', 'Phone manufacturer', 'Manufacturer of the phone'),
  column('connection_type', 'Connection type', 'Wi-Fi or Cellular'),
  column('cellular_technology', 'Cellular technology', '3G, 4G or 5G; null on Wi-Fi'),
  column('carrier_name', 'Mobile carrier', 'Mobile carrier'),
  column(
    'operating_system_version',
    'Operating system version',
    'Version of the operating system of the phone',
  ),
];

/** For filters of all metrics, not for splits. */
export const setField: Field = {
  name: 'set',
  label: 'Agent set',
  description: 'Named set of agents, as saved by netpanel sets',
  source: { kind: 'set' },
};

/** Fields of some metrics only, which list them in `ownFields`. */
export const metricFields: readonly Field[] = [
  column('threads', 'Connections', 'Concurrent TCP connections'),
  column('ip_version', 'IP version', '4 or 6'),
  column('nameserver', 'DNS resolver', 'IP address of the resolver'),
  column('lookup_host', 'Host looked up', 'Host name that was looked up'),
  column('record_type', 'DNS record type', 'Record type: A or AAAA'),
  column('packet_size', 'Packet size', 'Size of the packets, bytes'),
  column('stream_rate', 'Stream rate', 'Rate of the stream, bits per second'),
  column('resolution', 'Video resolution', 'Vertical resolution, lines: 720, 1080, 2160'),
  column('protocol', 'Protocol', 'ICMP, UDP or TCP'),
  column('operating_system', 'Operating system', 'Android or iOS'),
];

/** The fields for splits and filters of a metric, without custom fields. */
export function fieldsOf(metric: Metric): readonly Field[] {
  return [
    ...standardFields.filter(
      ({ source }) => source.kind !== 'column' || hasColumn(metric.test, source.column),
    ),
    ...metricFields.filter(({ name }) => metric.ownFields.includes(name)),
  ];
}

/** `name` is `custom.<key>`, or the key itself if it is not reserved. */
export function customField(name: string, key: string): Field {
  return {
    name,
    label: key,
    description: `Custom field ${key}`,
    source: { kind: 'custom', key },
  };
}

function column(
  name: string,
  label: string,
  description: string,
  columnName: string = name,
): Field {
  const kind = columnType(columnName) === 'text' ? 'text' : 'number';
  const type = columnName === 'unit_id' ? 'id' : kind;
  return { name, label, description, source: { kind: 'column', column: columnName, type } };
}

function household(field: Field): Field {
  return { ...field, identifiesHousehold: true };
}

function metadata(attribute: MetadataAttribute, label: string, description: string): Field {
  return { name: attribute, label, description, source: { kind: 'metadata', attribute } };
}
