import { type Panel, testNames, type TestName } from '../reference/panel.ts';
import { localStack } from '../support/local-stack.ts';
import { postMetricDataTo, type PostMetricData } from './post-metric-data.ts';
import { inZone } from './in-zone.ts';
import { randomPanel } from './random-panel.ts';
import { storePanel } from './store-panel.ts';

/** Number of random requests: each takes ClickHouse up to a second of CPU. `make test-engines` and `make proof-correctness` send more. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 25);

/** Number of random reports. Planning one with many fields takes ClickHouse half a second of CPU. */
export const reportRuns = Number(process.env.REPORT_RUNS ?? Math.ceil(propertyRuns / 6));

/** Number of random comparisons. */
export const comparisonRuns = Number(process.env.COMPARISON_RUNS ?? Math.ceil(reportRuns / 8));

/** Determines the panel and the requests. `PROPERTY_SEED=<printed seed>` repeats a run. */
export const propertySeed = Number(
  process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31),
);

export interface StoredPanel {
  readonly panel: Panel;
  readonly organisationId: number;
  readonly post: PostMetricData;
}

/** The results of `propertyPanel` of these tests in another organisation, with all households in one time zone. */
export async function propertyPanelIn(
  timezone: string,
  tests: readonly TestName[],
): Promise<StoredPanel> {
  const panel = inZone(randomPanel(propertySeed), timezone);
  const rows = testNames.map((test) => [test, tests.includes(test) ? panel.rows[test] : []]);
  return store({ ...panel, rows: Object.fromEntries(rows) as Panel['rows'] });
}

let stored: Promise<StoredPanel> | undefined;

/** The random panel of this run, stored once for all properties. */
export function propertyPanel(): Promise<StoredPanel> {
  stored ??= store(randomPanel(propertySeed));
  return stored;
}

async function store(panel: Panel): Promise<StoredPanel> {
  const stack = await localStack();
  const { dataToken, organisationId } = await storePanel(stack, panel);
  return { panel, organisationId, post: postMetricDataTo(stack.queryUrl, dataToken) };
}
