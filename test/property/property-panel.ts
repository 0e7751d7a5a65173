import type { Panel } from '../reference/panel.ts';
import { localStack } from '../support/local-stack.ts';
import { askMetricData, type AskMetricData } from './ask-metric-data.ts';
import { inZone } from './in-zone.ts';
import { randomPanel } from './random-panel.ts';
import { storePanel } from './store-panel.ts';

/** How many random requests; `PROPERTY_RUNS=20000` asks more. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? 300);

/** Decides panel and requests; `PROPERTY_SEED=<as printed>` repeats a run. */
export const propertySeed = Number(
  process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 2 ** 31),
);

export interface StoredPanel {
  readonly panel: Panel;
  readonly organisationId: number;
  readonly ask: AskMetricData;
}

/** The results of `propertyPanel` once more, of an organisation whose households share a time zone. */
export async function propertyPanelIn(timezone: string): Promise<StoredPanel> {
  return store(inZone(randomPanel(propertySeed), timezone));
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
  return { panel, organisationId, ask: askMetricData(stack.queryUrl, dataToken) };
}
