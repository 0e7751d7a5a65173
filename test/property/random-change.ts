import type { Panel } from '../reference/panel.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import type { LocalStack } from '../support/local-stack.ts';
import type { Tenant } from '../support/tenant.ts';
import type { Random } from './random.ts';
import { customValues, packagesByIsp } from './random-history.ts';
import { panelFromUtcMs, panelToUtcMs } from './random-times.ts';

interface ChangedPanel {
  readonly stack: LocalStack;
  readonly tenant: Tenant;
  readonly panel: Panel;
}

/** Makes a random change of metadata, backdated by up to 27 days. */
export async function makeRandomChange(
  random: Random,
  { stack, tenant, panel }: ChangedPanel,
): Promise<void> {
  const nowMs = random.between(panelFromUtcMs, panelToUtcMs);
  const backdateS = Math.floor(nowMs / 1000) - random.between(0, 27 * 86_400);
  const body = { ...randomChange(random, panel), backdate_from: backdateS };
  await changeMetadata(stack.database, tenant, body, new Date(nowMs));
}

function randomChange(random: Random, panel: Panel): object {
  const { agentId } = random.pick(panel.agents as [Panel['agents'][0], ...Panel['agents']]);
  const isp = random.pick(['Northwave', 'brightline', 'Ålesund'] as const);
  const key = random.pick(['tier', 'size', 'floor', 'isp', 'two words'] as const);
  const value = random.pick<string | number>(customValues[key]);
  const custom = { [key]: random.chance(0.3) ? null : value };
  return {
    agent: { agent_id: agentId },
    metadata: {
      ...(random.chance(0.5) ? { package: `${isp}:${packagesByIsp[isp][0]}` } : {}),
      ...(random.chance(0.5)
        ? { timezone: random.pick(['Asia/Kathmandu', 'America/New_York', 'UTC']) }
        : {}),
      custom,
    },
    overwrite_all: random.chance(0.2),
  };
}
