import { expect } from 'chai';
import {
  changesOfReplicates,
  type HouseholdSample,
  intervalsOf,
  intervalsOfHouseholds,
  isUpTo,
  woodruff,
} from '../../reference/household-intervals.ts';
import { percentile } from '../../reference/percentile.ts';
import { rakedWeights, replicateFactors } from '../../reference/raking.ts';
import type { ValueOfAgent } from '../../reference/statistics.ts';
import { studentT, studentTProbability } from '../../reference/student-t.ts';
import { sum } from '../../reference/weights.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenantToken } from '../../support/tenant.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

type Numbers = Readonly<Record<string, number | null>>;
type Point = Readonly<Record<string, unknown>>;

const count = 8;
const published = {
  isp: { Northwave: 0.3, Breeze: 0.5, Copper: 0.2 },
  'custom.region': { north: 0.7, south: 0.3 },
};
const random = numbers(20261119);
const households = Array.from({ length: 45 }, (_, i) => ({
  id: `house-${i}`,
  values: {
    isp: pick({ Northwave: 0.5, Breeze: 0.3, Copper: 0.2 }),
    'custom.region': pick({ north: 0.5, south: 0.5 }),
  },
  september: i % 9 === 0 ? undefined : Math.round(random() * 800) / 8,
  october: i % 7 === 0 ? undefined : Math.round(random() * 800) / 8,
}));
type Month = 'september' | 'october';

const total = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: '2026-10-01', to: '2026-10-31' },
  household: { statistic: 'mean' },
  weight: 'custom.weight',
};
const replicated = { ...total, weightReplicates: true };
const compared = { ...replicated, compare: { time: { from: '2026-09-01', to: '2026-09-30' } } };
const shares = [20, 50];
const everything = { householdIntervals: true, intervalsOf: [25, 60], shares };

describe('replicate weights', () => {
  const own = useLoadFolder();
  let api: DataApi;

  beforeEach(async () => {
    const { stack, tenant } = own;
    api = new DataApi(stack.queryUrl, tenant.dataToken);
    const rows = households.map(
      ({ id, values }) => `${id},${values.isp},${values['custom.region']}`,
    );
    const path = own.csv('agents.csv', 'agent_id,isp,custom.region', ...rows);
    await netpanelOk(stack, 'agents', 'import', '--org', tenant.name, path);
    const agents = await stack
      .database('agents')
      .where({ organisation_id: tenant.organisationId })
      .select<{ id: number; agent_id: string }[]>('id', 'agent_id');
    const keys = new Map(agents.map((agent) => [agent.agent_id, agent.id]));
    const downloads = (['september', 'october'] as const).flatMap((month) =>
      households.flatMap(({ id, [month]: mbps }) =>
        mbps === undefined ? [] : [{ agentId: id, agentKey: keys.get(id)!, mbps, month }],
      ),
    );
    await addDownloads(
      stack.clickhouse,
      tenant.organisationId,
      downloads.map(({ month, ...one }) => ({
        ...one,
        dtime: `2026-${month === 'october' ? '10' : '09'}-12 10:00:00`,
      })),
    );
  });

  const margins = ['isp,custom.region,total'].concat(
    Object.entries(published.isp).map(([isp, share]) => `${isp},,${share}`),
    Object.entries(published['custom.region']).map(([region, share]) => `,${region},${share}`),
  );
  const rakeArgs = (...more: readonly string[]) => [
    ...['weights', 'rake', '--org', own.tenant.name, '--as', 'custom.weight', '--bound', '1000'],
    ...['--margins', own.csv('margins.csv', ...margins), '--from', '2026-08-01', ...more],
  ];
  const rake = (...more: readonly string[]) => netpanelOk(own.stack, ...rakeArgs(...more));

  async function points(request: object, from = api): Promise<ReadonlyMap<string, Point>> {
    const found = await from.points<Point>(request);
    return new Map(found.map((point) => [String(point.isp), point]));
  }

  async function problem(request: object): Promise<string> {
    const { status, body } = await api.post('/metric_data', request);
    expect(status).to.equal(422);
    return JSON.stringify(body.errors);
  }

  it('give the intervals of means, percentiles and shares that include the raking', async () => {
    await rake('--replicates', String(count));
    for (const splits of [[], ['isp']]) {
      const found = await points({ ...replicated, ...everything, splits });
      expect(found.size).to.equal(splits.length === 0 ? 1 : 3);
      for (const [isp, point] of found) {
        const sample = sampleOf('october', splits.length === 0 ? undefined : isp);
        const expected: Readonly<Record<string, unknown>> = {
          ...intervalsOfHouseholds(sample, 'ci'),
          ...intervalsOfHouseholds(sample, 'ciHousehold'),
          ...intervalsOf(sample, everything, true).numbers,
        };
        expect(expected.ci95, isp).to.be.a('number');
        for (const [name, value] of Object.entries(expected)) close(point[name], value, name);
      }
    }
    const plain = await points({ ...total, householdIntervals: true });
    const withRaking = await points(replicated);
    expect(plain.get('undefined')!.metricValue).to.equal(withRaking.get('undefined')!.metricValue);
    expect(plain.get('undefined')!.ci95).not.to.equal(withRaking.get('undefined')!.ci95);
  });

  it('pair the replicates of both sides of a comparison', async () => {
    await rake('--replicates', String(count));
    for (const splits of [[], ['isp']]) {
      for (const [isp, point] of await points({ ...compared, splits })) {
        const series = splits.length === 0 ? undefined : isp;
        const [here, there] = (['october', 'september'] as const).map((month) =>
          sampleOf(month, series),
        ) as [HouseholdSample, HouseholdSample];
        const difference = point.difference as Numbers;
        const d = meanOf(here) - meanOf(there);
        const error = pairedError(here, there, () => ({ of: ({ value }) => value, factor: 1 }));
        close(difference.metricValue, d, 'metricValue');
        close(difference.df, count - 1, 'df');
        close(difference.ci95, studentT(0.95, count - 1) * error, 'ci95');
        close(difference.p, studentTProbability(d / error, count - 1), 'p');
        const ofMedian = pairedError(here, there, (sample) => {
          const quantile = percentile(sample.items, 50);
          const { bounds, margin } = woodruff(sample, 50);
          return {
            of: (item) => (isUpTo(quantile, item) ? 1 : 0),
            factor: (bounds[1]! - bounds[0]!) / (2 * margin),
          };
        });
        if (series !== undefined) continue;
        const middle = percentile(here.items, 50) - percentile(there.items, 50);
        const half = studentT(0.95, count - 1) * ofMedian;
        close(difference.medianCi95, [middle - half, middle + half], 'medianCi95');
      }
    }
  });

  it('end where the field is raked without them: such points have no intervals', async () => {
    await rake('--replicates', String(count));
    await rake('--from', '2026-10-01');
    const point = (await points(compared)).get('undefined')!;
    expect(point.ci95).to.equal(null);
    expect((point.compared as Point).ci95).to.be.a('number');
    expect(point.difference).to.include({ ci95: null, p: null, reason: 'noReplicates' });
    await rake('--replicates', '5', '--from', '2026-10-01');
    const other = (await points(compared)).get('undefined')!;
    expect(other.ci95).to.be.a('number');
    expect(other.difference).to.include({ reason: 'noReplicates' });
  });

  it('change an answer that was asked before, also if no weight changes', async () => {
    await rake('--replicates', '5');
    const before = (await points(replicated)).get('undefined')!;
    await rake('--replicates', String(count));
    const after = (await points(replicated)).get('undefined')!;
    expect(after.metricValue).to.equal(before.metricValue);
    expect(after.ci95).not.to.equal(before.ci95);
    close(after.ci95, intervalsOfHouseholds(sampleOf('october'), 'ci').ci95, 'ci95');
    expect(await netpanelOk(own.stack, 'weights', 'copy', '--org', own.tenant.name)).to.equal(
      'custom.weight: replicate weights of 45 households\n',
    );
    expect((await points(replicated)).get('undefined')!.ci95).to.equal(after.ci95);
  });

  it('that differ between the databases are found by doctor, and copied again', async () => {
    const { stack, tenant } = own;
    await rake('--replicates', String(count));
    const replicatesOf = async () => {
      const { stdout } = await netpanel(stack, 'doctor', '--json');
      const { checks } = JSON.parse(stdout) as { checks: { name: string; details: string }[] };
      return checks.find(({ name }) => name === 'Replicate weights');
    };
    expect(await replicatesOf()).to.include({ ok: true });
    await stack
      .database('weight_replicate_factors')
      .where({ organisation_id: tenant.organisationId })
      .update({
        factors: stack.database.raw('factors[2:] || factors[:1]::float8[] || 0.01::float8'),
      });
    expect(await replicatesOf()).to.deep.include({
      ok: false,
      details: `different from Postgres: weight of ${tenant.name}`,
      remedy: 'run netpanel weights copy --org ORG',
    });
    await netpanelOk(stack, 'weights', 'copy', '--org', tenant.name);
    expect(await replicatesOf()).to.include({ ok: true });
  });

  it('report cells that a replicate has no households of', async () => {
    const lone = households.find(({ values }) => values.isp === 'Copper')!;
    const rows = households
      .filter((one) => one.values.isp === 'Copper' && one !== lone)
      .map(({ id }) => `${id},Breeze`);
    const path = own.csv('moved.csv', 'agent_id,isp', ...rows);
    const org = ['--org', own.tenant.name];
    await netpanelOk(own.stack, 'agents', 'import', ...org, '--from', '2026-07-01', path);
    const report = JSON.parse(await rake('--replicates', String(count), '--json')) as {
      readonly replicates: { readonly count: number; readonly emptied: readonly string[] };
    };
    expect(report.replicates.count).to.equal(count);
    expect(report.replicates.emptied).to.have.length(1);
    expect(report.replicates.emptied[0]).to.match(/^isp = "Copper" \(replicate [1-8]\)$/);
  });

  it('hide their intervals from callers with a privacy floor', async () => {
    await rake('--replicates', String(count));
    const { stack, tenant } = own;
    const token = await newTenantToken(stack.database, tenant.organisationId, 'data', {
      min_agents: 3,
    });
    const floored = new DataApi(stack.queryUrl, token);
    const request = { ...compared, ...everything };
    const point = (await points(request, floored)).get('undefined')!;
    expect(point.metricValue).to.be.a('number');
    expect(point).to.include({ ci95: null, ciHousehold95: null });
    for (const name of ['percentilesCi95', 'sharesCi95']) {
      expect(Object.values(point[name] as object).flat()).to.deep.equal([null, null, null, null]);
    }
    expect(point.medianCi95).to.deep.equal([null, null]);
    expect(point.difference).to.include({ ci95: null, p: null, reason: 'suppressed' });
  });

  it('are refused where they cannot be used', async () => {
    expect(await problem(replicated)).to.match(/Unknown field/);
    await rake();
    expect(await problem(replicated)).to.contain('custom.weight has no replicate weights');
    await rake('--replicates', String(count));
    const { weight, ...unweighted } = replicated;
    expect(weight).to.equal('custom.weight');
    expect(await problem(unweighted)).to.contain('Send weight too');
    expect(await problem({ ...replicated, strata: 'isp' })).to.contain('Not with strata.');
    const knownAt = new Date().toISOString();
    expect(await problem({ ...replicated, knownAt })).to.contain('Not with knownAt');
    expect(await problem({ ...replicated, compare: { knownAt } })).to.contain('Not with knownAt');
    expect(await problem({ ...replicated, weightReplicates: 'yes' })).to.contain('true or false');
    for (const bad of ['1', '201', 'many', '-2']) {
      const refused = await netpanel(own.stack, ...rakeArgs(`--replicates=${bad}`));
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.contain('--replicates must be a number from 2 to 200');
    }
    const tooMany = await netpanel(own.stack, ...rakeArgs('--replicates', '46'));
    expect(tooMany).to.include({ code: 2 });
    expect(tooMany.stderr).to.contain('--replicates 46 is more than the 45 households');
  });
});

const weights = rakedWeights(households, published);
const replicatesOf = replicateFactors(households, published, count);

function sampleOf(month: Month, isp?: string): HouseholdSample {
  const counted = households.filter(
    ({ values, [month]: mbps }) => mbps !== undefined && (isp === undefined || values.isp === isp),
  );
  const whole = sum(counted.map(({ id }) => weights.get(id)!));
  return {
    items: counted.map(({ id, [month]: mbps }) => ({
      agentId: id,
      value: mbps!,
      weight: weights.get(id)! / whole,
    })),
    replicatesOf,
  };
}

function meanOf({ items }: HouseholdSample): number {
  return sum(items.map(({ value, weight }) => value * weight));
}

interface Change {
  readonly of: (item: ValueOfAgent) => number;
  readonly factor: number;
}

function pairedError(
  here: HouseholdSample,
  there: HouseholdSample,
  change: (sample: HouseholdSample) => Change,
): number {
  const [first, second] = [here, there].map((sample) => {
    const { of, factor } = change(sample);
    return changesOfReplicates(sample, of).map((one) => one * factor);
  });
  const squares = first!.map((one, i) => (one - second![i]!) ** 2);
  return Math.sqrt(((count - 1) / count) * sum(squares));
}

/** A number, or lists and objects of numbers. */
function close(actual: unknown, expected: unknown, name: string): void {
  if (typeof expected === 'number') {
    expect(actual, name).to.be.a('number');
    expect(actual, name).to.be.closeTo(expected, 1e-6 * Math.max(1, Math.abs(expected)));
  } else if (expected === null || expected === undefined) {
    expect(actual, name).to.equal(null);
  } else {
    for (const [key, value] of Object.entries(expected)) {
      close((actual as Record<string, unknown>)[key], value, `${name}[${key}]`);
    }
  }
}

function pick<T extends string>(chances: Readonly<Record<T, number>>): T {
  const draw = random();
  let reached = 0;
  const found = (Object.entries(chances) as [T, number][]).find(
    ([, chance]) => draw < (reached += chance),
  );
  return found![0];
}

/** Reproducible numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
