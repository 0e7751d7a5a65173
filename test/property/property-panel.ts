import type { Panel } from '../reference/panel.ts';
import { localStack } from '../support/local-stack.ts';
import { askMetricData, type AskMetricData } from './ask-metric-data.ts';
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
  readonly ask: AskMetricData;
}

let stored: Promise<StoredPanel> | undefined;

/** The random panel of this run, stored once for all properties. */
export function propertyPanel(): Promise<StoredPanel> {
  stored ??= store();
  return stored;
}

async function store(): Promise<StoredPanel> {
  const stack = await localStack();
  const panel = randomPanel(propertySeed);
  const { dataToken } = await storePanel(stack, panel);
  return { panel, ask: askMetricData(stack.queryUrl, dataToken) };
}
