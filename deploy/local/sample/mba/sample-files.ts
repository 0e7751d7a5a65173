import type { AgentRecord } from '../../../../services/registry/agents/agent-record.ts';

/** One file of a generated release: its header, and the rows of one test of a unit. */
export interface SampleFile {
  /** Without `.csv`. */
  readonly name: string;
  readonly header: string;
  readonly everyMinutes: number;
  readonly rows: (test: SampleTest) => string;
}

interface SampleTest {
  readonly unitId: number;
  /** `2026-10-01 04:20:00,2026-10-01`: dtime and, depending on the year, ddate. */
  readonly when: string;
  /** Rows of a download or upload, one per 5 seconds; 1: one row per test. */
  readonly sequences: number;
  readonly downloadMbps: number;
  readonly uploadMbps: number;
  /** Uniform from 0 to 1. */
  readonly random: () => number;
  /** Network load: 0 at night, 1 in the busiest hour of the evening. */
  readonly busy: number;
}

const target = 'sp1-vm-sample-us.example.net';
const address = '192.0.2.10';

export const sampleFiles: readonly SampleFile[] = [
  {
    name: 'curr_httpgetmt',
    header: transferHeader(),
    everyMinutes: 120,
    rows: (test) => transferRows(test, test.downloadMbps),
  },
  {
    name: 'curr_httppostmt',
    header: transferHeader(),
    everyMinutes: 120,
    rows: (test) => transferRows(test, test.uploadMbps),
  },
  {
    name: 'curr_udplatency',
    header: 'unit_id,dtime,ddate,target,rtt_avg,rtt_min,rtt_max,rtt_std,successes,failures',
    everyMinutes: 60,
    rows: ({ unitId, when, random, busy }) => {
      const min = Math.round(8_000 + 30_000 * random());
      const std = Math.round(200 + 6_000 * busy * random());
      const lost = random() < 0.1 ? Math.round(20 * random()) : 0;
      const sent = Math.round(1_000 + 1_200 * random());
      return `${unitId},${when},${target},${min + std},${min},${min + 5 * std},${std},${sent - lost},${lost}\n`;
    },
  },
  {
    name: 'curr_dns',
    header: 'unit_id,dtime,ddate,nameserver,lookup_host,response_ip,rtt,successes,failures',
    everyMinutes: 60,
    rows: ({ unitId, when, random }) =>
      ['www.example.com', 'www.example.org']
        .map((host) => {
          const fails = random() < 0.005;
          const rtt = fails ? 0 : Math.round(6_000 + 40_000 * random() ** 3);
          return `${unitId},${when},192.0.2.53,${host},${fails ? '' : address},${rtt},${fails ? '0,1' : '1,0'}\n`;
        })
        .join(''),
  },
  {
    name: 'curr_udpcloss',
    header: 'unit_id,dtime,ddate,duration,target,address,packets',
    everyMinutes: 360,
    rows: ({ unitId, when, random, busy }) => {
      if (random() > 0.2) return '';
      const packets = 2 + Math.floor(20 * busy * random() ** 4);
      return `${unitId},${when},${packets * 1_500_000},${target},${address},${packets}\n`;
    },
  },
];

function transferHeader(): string {
  return (
    'unit_id,dtime,ddate,target,address,fetch_time,bytes_total,bytes_sec,bytes_sec_interval,' +
    'warmup_time,warmup_bytes,sequence,threads,successes,failures'
  );
}

function transferRows(test: SampleTest, mbps: number): string {
  const { unitId, when, random, busy, sequences } = test;
  if (random() < 0.004) return `${unitId},${when},${target},${address},0,0,0,0,0,0,0,8,0,1\n`;
  const bytesSec = Math.round(mbps * 125_000 * (1.1 - 0.25 * busy * random() - 0.05 * random()));
  const warmup = Math.round(bytesSec * 1.4);
  if (sequences > 1) return sequenceRows(test, bytesSec);
  return (
    `${unitId},${when},${target},${address},${10_000_000 + Math.round(20_000 * random())},` +
    `${bytesSec * 10},${bytesSec},${bytesSec},1500000,${warmup},0,8,1,0\n`
  );
}

/** One row per 5 seconds with cumulative bytes_total. The first interval has a burst. */
function sequenceRows({ unitId, when, random, sequences }: SampleTest, bytesSec: number): string {
  let bytesTotal = 0;
  return Array.from({ length: sequences }, (_, sequence) => {
    const fetchTimeS = 5 * (sequence + 1);
    const interval = Math.round(bytesSec * (sequence === 0 ? 1.3 : 0.95 + 0.1 * random()));
    bytesTotal += interval * 5;
    return (
      `${unitId},${when},${target},${address},${fetchTimeS * 1_000_000},${bytesTotal},` +
      `${Math.round(bytesTotal / fetchTimeS)},${interval},1500000,${bytesSec},${sequence},3,1,0\n`
    );
  }).join('');
}

/** The default unit profile, with fictitious ISPs. */
export function generatedProfile(unitCount: number): string {
  const offers = [
    ['Riverline', 'Cable', '100', '10'],
    ['Riverline', 'Cable', '400', '20'],
    ['Prairie Telecom', 'DSL', '12', '0.768'],
    ['Prairie Telecom', 'Fiber', '500', '500'],
    ['Summit Fiber', 'Fiber', '940', '880'],
  ];
  const places = [
    ['NY', 'Northeast', '-5', '-4'],
    ['TX', 'South', '-6', '-5'],
    ['CO', 'West', '-7', '-6'],
    ['AZ', 'West', '-7', '-7'],
    ['CA', 'West', '-8', '-7'],
    ['HI', 'West', '-10', '-10'],
  ];
  const units = Array.from({ length: unitCount }, (_, i) => {
    const [isp = '', technology = '', down = '', up = ''] = offers[i % offers.length] ?? [];
    const [state = '', census = '', offset = '', dst = ''] = places[(i * 7) % places.length] ?? [];
    return [3_000_001 + i * 13, isp, technology, state, census, offset, dst, down, up, 'skwb8'];
  });
  const header =
    'Unit ID,ISP,Technology,State,Census,timezone_offset,timezone_offset_dst,Download,Upload,Whitebox Model';
  return [header, ...units.map((unit) => unit.join(','))].join('\n') + '\n';
}

export function speedsOf({ custom }: AgentRecord): { downloadMbps: number; uploadMbps: number } {
  return {
    downloadMbps: Number(custom.advertised_download_mbps ?? 100),
    uploadMbps: Number(custom.advertised_upload_mbps ?? 10),
  };
}
