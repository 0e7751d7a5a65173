import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { DataApi } from '../support/data-api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { netpanelOk } from '../support/netpanel.ts';
import { newTenant } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

interface Release {
  readonly time: { readonly from: string; readonly to: string };
  /** The columns of the raw data, besides the value and the agent. */
  readonly splits: readonly string[];
  /** The arguments of each `netpanel` command, without --org. `folder` is for files that are made. */
  readonly commands: (stack: LocalStack, folder: string) => Promise<readonly (readonly string[])[]>;
}

const dataFolder = (name: 'ofcom' | 'accc') =>
  process.env[`${name.toUpperCase()}_DATA_DIR`] ?? join(repositoryRoot, '../shared/data', name);
const files = {
  ofcom2013: join(dataFolder('ofcom'), 'panel-november-2013.csv'),
  ofcom2015: join(dataFolder('ofcom'), 'panel-november-2015.csv'),
  accc: join(dataFolder('accc'), 'mba-report-18-may-2022.csv'),
};
export const publishedFiles = Object.values(files);

const weights = ['custom.weight', 'custom.weight_isp'];

const load2015 = ['load', '--preset', 'ofcom-2015', files.ofcom2015];
const marginFields = ['custom.technology', 'custom.nation', 'custom.urban_rural'];
/** Made up: one margin of the technology, and one of nation and area together. */
const margins = `${marginFields.join(',')},total
ADSL1,,,9
ADSL2,,,31
FTTC 38,,,17
FTTC 76,,,13
FTTC Other,,,2
Cable,,,25
FTTP,,,3
,England,Urban,55
,England,Semi-urban,20
,England,Rural,9
,Scotland,Urban,5
,Scotland,Semi-urban,2
,Scotland,Rural,1.5
,Wales,Urban,2
,Wales,Semi-urban,2
,Wales,Rural,1
,Northern Ireland,Urban,1
,Northern Ireland,Semi-urban,0.8
,Northern Ireland,Rural,0.7
`;

const releases = {
  ofcom2013: {
    time: { from: '2013-11-01', to: '2013-11-30' },
    splits: [...weights, 'custom.technology', 'custom.urban_rural'],
    commands: () => Promise.resolve([['load', '--preset', 'ofcom-2013', files.ofcom2013]]),
  },
  ofcom2015: {
    time: { from: '2015-11-01', to: '2015-11-30' },
    splits: [...weights, 'isp', 'package'],
    commands: () => Promise.resolve([load2015]),
  },
  accc: {
    time: { from: '2022-05-01', to: '2022-05-31' },
    splits: ['isp', 'custom.advertised_download_mbps'],
    commands: () =>
      Promise.resolve([
        ['load', '--preset', 'accc', '--period', '2022-05-01/2022-05-31', files.accc],
      ]),
  },
  // No two releases have households in common. The busy hours of November 2015, with the weights of ISPs, stand for a
  // second month: of the 2,802 households some count in one month only, because a weight is blank or 0.
  months: {
    time: { from: '2015-11-01', to: '2015-12-31' },
    splits: weights,
    commands: async (stack, folder) => {
      const preset = await netpanelOk(stack, 'presets', 'show', 'ofcom-2015');
      const second = preset
        .replace('2015-11-01/2015-11-30', '2015-12-01/2015-12-31')
        .replace('\\"DL24hrmean\\"', '\\"DLpeakmean\\"')
        .replace('weight(WT_national)', 'weight(WT_ISP)');
      const mapping = join(folder, 'second-month.json');
      writeFileSync(mapping, second);
      return [load2015, ['load', '--mapping', mapping, files.ofcom2015]];
    },
  },
  raked: {
    time: { from: '2015-11-01', to: '2015-11-30' },
    splits: [...marginFields, 'custom.raked', 'isp'],
    commands: (_, folder) => {
      const path = join(folder, 'margins.csv');
      writeFileSync(path, margins);
      const rake = ['weights', 'rake', '--margins', path, '--as', 'custom.raked'];
      const more = ['--from', '2015-11-01', '--replicates', '20'];
      return Promise.resolve([load2015, [...rake, ...more]]);
    },
  },
} satisfies Readonly<Record<string, Release>>;

export type PanelName = keyof typeof releases;

export interface LoadedPanel {
  /** The points of a request over the period of the panel. */
  readonly points: (request: object) => Promise<readonly Point[]>;
  /** The path of a CSV file with the raw data of a metric. */
  readonly rawData: (metric: string) => Promise<string>;
}

export type Point = Readonly<Record<string, unknown>>;

export async function points(api: DataApi, request: object): Promise<readonly Point[]> {
  const { status, body } = await api.post('/metric_data', request);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const series = body.data as readonly { readonly metricData: readonly Point[] }[];
  return series.flatMap(({ metricData }) => metricData);
}

/** Loads a release into an organisation of its own. */
export async function loadPanel(
  stack: LocalStack,
  name: PanelName,
  folder: string,
): Promise<LoadedPanel> {
  const { time, splits, commands } = releases[name];
  const tenant = await newTenant(stack.database);
  mkdirSync(folder, { recursive: true });
  for (const args of await commands(stack, folder)) {
    await netpanelOk(stack, ...args, '--org', tenant.name);
  }
  await waitUntilPublished(stack.database, tenant.organisationId);
  if (name === 'raked') await writeReplicates();
  const api = new DataApi(stack.queryUrl, tenant.dataToken);
  const rawFiles = new Map<string, Promise<string>>();
  return {
    points: (request) => points(api, { time, ...request }),
    rawData: (metric) => {
      const known = rawFiles.get(metric) ?? writeRawData(metric);
      rawFiles.set(metric, known);
      return known;
    },
  };

  async function writeReplicates(): Promise<void> {
    const rows = await stack
      .database('weight_replicate_factors as f')
      .join('agents as a', 'a.id', 'f.agent_key')
      .where('f.organisation_id', tenant.organisationId)
      .select<{ agent_id: string; factors: readonly number[] }[]>('a.agent_id', 'f.factors');
    const header = ['agent', ...rows[0]!.factors.map((_, i) => `r${i + 1}`)];
    const lines = [header, ...rows.map(({ agent_id, factors }) => [agent_id, ...factors])];
    writeFileSync(join(folder, 'replicates.csv'), lines.map((line) => line.join()).join('\n'));
  }

  async function writeRawData(metric: string): Promise<string> {
    const request = { metric, chartType: 'raw', normalised: false, prefilter: true, splits, time };
    const response = await fetch(`${stack.queryUrl}/metric_data`, {
      method: 'POST',
      headers: {
        authorization: tenant.dataToken,
        'content-type': 'application/json',
        accept: 'text/csv',
      },
      body: JSON.stringify(request),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    const path = join(folder, `${name}-${metric}.csv`);
    writeFileSync(path, text);
    return path;
  }
}
