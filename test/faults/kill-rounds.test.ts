import { faultPanel } from './fault-panel.ts';
import { faultRounds, faultSeed, recoveryMs } from './fault-settings.ts';
import { type KillField, planRounds, playRound } from './kill-rounds.ts';
import { ownSystem } from './own-system.ts';
import { PanelCaller } from './panel-caller.ts';
import { until } from '../support/until.ts';

const resultCount = 5_000;

describe(`kill -9, ${faultRounds} rounds of seed ${faultSeed}: nothing acknowledged is lost, nothing half-done is seen`, function () {
  this.timeout(400_000);
  const recoveredMs: number[] = [];
  let field: KillField;

  before(async () => {
    const system = await ownSystem('kill-rounds', {
      LOG_LEVEL: 'info',
      EXPORT_HEARTBEAT_MS: '500',
      ACCESS_CACHE_MS: '500',
      TOKEN_CACHE_MS: '500',
    });
    const panel = await faultPanel(system.database, system.clickhouse, resultCount);
    const caller = new PanelCaller(panel, system);
    field = { system, panel, caller, loaded: { rows: 0 }, recoveryMs };
    await until(async () => (await caller.queryByRound().catch(() => undefined)) === 0, 60_000);
  });

  after(async () => {
    await field.system.stop();
    const sorted = recoveredMs.toSorted((a, b) => a - b);
    const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
    process.stdout.write(
      `    ${sorted.length} rounds recovered, half of them within ${seconds(sorted[sorted.length >> 1])} s, all within ${seconds(sorted.at(-1))} s\n`,
    );
  });

  for (const round of planRounds(faultRounds, faultSeed)) {
    const { number, victim, activity, afterMs } = round;
    it(`${number}: ${victim} ${afterMs} ms into ${activity}`, async () => {
      recoveredMs.push(await playRound(field, round));
    });
  }
});
