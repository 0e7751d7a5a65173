import type { AgentRecord } from '../../registry/agent-record.ts';
import { parseCsvRecords } from '../csv/parse-csv.ts';
import { detectSeparator } from '../load/rows/dialect.ts';
import { usTimezone } from './us-timezone.ts';

/**
 * Parses an FCC unit profile of any year: `Unit ID` or `unit_id`, `WB Model` or `Whitebox Model`,
 * offsets such as -6 or `-6 hr`, speeds such as 100 or `[0.5 - 1.0]`, spaces after names, a
 * byte-order mark.
 */
export function parseUnitProfile(text: string): readonly AgentRecord[] {
  const [header = ''] = text.split(/\r|\n/, 1);
  const rows = parseCsvRecords(text, columnName, detectSeparator(header));
  const first = rows[0];
  if (first === undefined) throw new Error('The unit profile is empty');
  const missing = ['unit', 'isp', 'download', 'upload'].filter((name) => !(name in first));
  if (missing.length > 0) {
    throw new Error(`The unit profile has no column for ${missing.join(', ')}`);
  }
  // A unit listed twice changed during the month; its last row has the state at the end.
  const records = rows.map(recordOf).filter((record) => record.unitId !== null);
  return [...new Map(records.map((record) => [record.unitId, record])).values()];
}

/** `Unit ID`, `unit_id` and `UNITID` are one column. */
function columnName(title: string): string {
  const plain = title.toLowerCase().replace(/[^a-z0-9]/g, '');
  return Object.entries(titles).find(([, known]) => known.includes(plain))?.[0] ?? plain;
}

const titles: Readonly<Record<string, readonly string[]>> = {
  unit: ['unitid', 'unit', 'skunitid', 'whiteboxid'],
  isp: ['isp', 'ispname', 'provider', 'operator'],
  technology: ['technology', 'tech'],
  state: ['state', 'statecode'],
  census: ['census', 'censusregion', 'region'],
  offset: ['timezoneoffset', 'tzoffset', 'utcoffset', 'timezone'],
  dstOffset: ['timezoneoffsetdst', 'tzoffsetdst', 'utcoffsetdst'],
  download: ['download', 'downloadspeed', 'advertiseddownload', 'advertiseddownloadspeed', 'down'],
  upload: ['upload', 'uploadspeed', 'advertisedupload', 'advertiseduploadspeed', 'up'],
  model: ['whiteboxmodel', 'wbmodel', 'model', 'unitmodel', 'hardware'],
};

function recordOf(row: Readonly<Record<string, string>>): AgentRecord {
  const text = (name: string) => row[name]?.trim() ?? '';
  const unitText = text('unit');
  const state = text('state').toUpperCase();
  const download = speed(text('download'));
  const upload = speed(text('upload'));
  // The first colon of `Comcast:100/10` ends the ISP, so an ISP cannot contain one.
  const isp = text('isp').replaceAll(':', ' ') || null;
  return {
    agentId: null,
    unitId: /^\d{1,15}$/.test(unitText) ? Number(unitText) : null,
    macAddress: null,
    kind: 'whitebox',
    base: text('model') || null,
    country: 'US',
    isp,
    packageName: isp === null || !download || !upload ? null : `${download.name}/${upload.name}`,
    timezone: usTimezone(state, hours(text('offset')), hours(text('dstOffset'))),
    custom: {
      ...named('technology', text('technology')),
      ...named('state', state),
      ...named('census_region', text('census')),
      ...named('advertised_download_mbps', download?.mbps ?? ''),
      ...named('advertised_upload_mbps', upload?.mbps ?? ''),
    },
  };
}

/** `100`; `0.384`; `[0.5 - 1.0]`, an "up to" offer of the upper bound; `[0.384]`. */
function speed(text: string): { readonly name: string; readonly mbps: number } | undefined {
  const bounds = (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  const mbps = bounds.at(-1);
  return mbps === undefined ? undefined : { name: bounds.join('-'), mbps };
}

/** `-6`, `-6 hr` and `-6.0` are -6. */
function hours(text: string): number | undefined {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? undefined : value;
}

function named(key: string, value: string | number): Record<string, string | number> {
  return value === '' ? {} : { [key]: value };
}
