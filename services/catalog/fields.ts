import { columnType } from './columns.ts';
import type { Field, MetadataAttribute } from './field.ts';
import type { Metric } from './metric.ts';
import { hasColumn } from './test-tables.ts';

/** The contract's fields, for whatever test has them. */
export const standardFields: readonly Field[] = [
  column('target_set', 'Set of test servers the target belongs to', 'target_group'),
  metadata('package', 'ISP and package of the household, as <isp>:<package>'),
  metadata('country', 'Country of the household'),
  column('target', 'Test server'),
  column('agent', 'Agent ID, exactly as in the results', 'agent_id'),
  column('unit', 'Unit ID', 'unit_id'),
  metadata('isp', 'ISP of the household'),
  column('base', 'Device model'),
  column('model', 'Model of the phone'),
  column('geo_country', 'Country the phone was in'),
  column('manufacturer', 'Manufacturer of the phone'),
  column('connection_type', 'Wi-Fi or Cellular'),
  column('cellular_technology', '3G, 4G or 5G; null on Wi-Fi'),
  column('carrier_name', 'Mobile carrier'),
  column('operating_system_version', 'Version of the operating system of the phone'),
];

/** Fields that only some metrics have: a metric names them in `ownFields`. */
export const metricFields: readonly Field[] = [
  column('threads', 'Concurrent TCP connections'),
  column('ip_version', '4 or 6'),
  column('nameserver', 'IP address of the resolver asked'),
  column('lookup_host', 'Name looked up'),
  column('record_type', 'Kind of record asked for: A or AAAA'),
  column('packet_size', 'Size of the packets, bytes'),
  column('stream_rate', 'Rate of the stream, bits per second'),
  column('resolution', 'Lines of the picture: 720, 1080, 2160'),
  column('protocol', 'ICMP, UDP or TCP'),
  column('operating_system', 'Android or iOS'),
];

/** What a metric can be split and filtered by, the organisation's custom fields aside. */
export function fieldsOf(metric: Metric): readonly Field[] {
  return [
    ...standardFields.filter(
      ({ source }) => source.kind !== 'column' || hasColumn(metric.test, source.column),
    ),
    ...metricFields.filter(({ name }) => metric.ownFields.includes(name)),
  ];
}

/** `custom.<key>`, or the key itself where it hides nothing. */
export function customField(name: string, key: string): Field {
  return { name, description: `Custom field ${key}`, source: { kind: 'custom', key } };
}

function column(name: string, description: string, columnName: string = name): Field {
  const type = columnName === 'unit_id' ? 'id' : columnType(columnName);
  return { name, description, source: { kind: 'column', column: columnName, type } };
}

function metadata(attribute: MetadataAttribute, description: string): Field {
  return { name: attribute, description, source: { kind: 'metadata', attribute } };
}
