import { until } from '../support/until.ts';
import { faultPanel } from './fault-panel.ts';
import { faultRounds, faultSeed, recoveryMs } from './fault-settings.ts';
import { type KillField, planRounds, playRound } from './kill-rounds.ts';
import { ownSystem } from './own-system.ts';
import { PanelCaller } from './panel-caller.ts';

const resultCount = 5_000;
// The local ClickHouse does all its statements again at a start, so a system is used for so many only.
const roundsASystem = 20;

describe(`kill -9 in the middle, ${faultRounds} rounds of seed ${faultSeed}`, function () {
  this.timeout(400_000);
  const recoveredMs: number[] = [];
  const rounds = planRounds(faultRounds, faultSeed);

  for (let first = 0; first < rounds.length; first += roundsASystem) {
    const some = rounds.slice(first, first + roundsASystem);
    describe(`nothing acknowledged is lost, nothing half-done is seen, from round ${first + 1} on`, () => {
      let field: KillField;

      before(async () => {
        const system = await ownSystem('kill-rounds', {
          EXPORT_HEARTBEAT_MS: '500',
          ACCESS_CACHE_MS: '500',
          TOKEN_CACHE_MS: '500',
          AUDIT_FLUSH_MS: '30000',
        });
        const panel = await faultPanel(system.database, system.clickhouse, resultCount);
        const caller = new PanelCaller(panel, system);
        field = { system, panel, caller, loaded: { rows: 0 }, recoveryMs };
        await until(async () => (await caller.queryByRound().catch(() => undefined)) === 0, 60_000);
      });
      after(() => field.system.stop());

      for (const round of some) {
        const { number, victim, activity, afterMs } = round;
        it(`${number}: ${victim}, ${afterMs} ms into ${activity}`, async () => {
          recoveredMs.push(await playRound(field, round));
        });
      }
    });
  }

  after(() => {
    const sorted = recoveredMs.toSorted((a, b) => a - b);
    const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
    const half = seconds(sorted[sorted.length >> 1]);
    process.stdout.write(
      `    ${sorted.length} recovered, half of them within ${half} s, all within ${seconds(sorted.at(-1))} s\n`,
    );
  });
});
