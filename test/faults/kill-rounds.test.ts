import { waitUntil } from '../support/wait-until.ts';
import { faultPanel } from './fault-panel.ts';
import { faultRounds, faultSeed, recoveryMs } from './fault-settings.ts';
import { type KillContext, planRounds, playRound } from './kill-rounds.ts';
import { startIsolatedSystem } from './isolated-system.ts';
import { PanelClient } from './panel-client.ts';

const resultCount = 5_000;
// The local ClickHouse replays its journal at every start, so a system serves only this many rounds.
const roundsPerSystem = 20;

describe(`kill -9 during work, ${faultRounds} rounds (FAULT_SEED=${faultSeed})`, () => {
  const recoveredMs: number[] = [];
  const rounds = planRounds(faultRounds, faultSeed);

  for (let first = 0; first < rounds.length; first += roundsPerSystem) {
    const some = rounds.slice(first, first + roundsPerSystem);
    describe(`loses no acknowledged change and shows no partial one, from round ${first + 1} on`, () => {
      let context: KillContext;

      before(async () => {
        const system = await startIsolatedSystem('kill-rounds', {
          EXPORT_HEARTBEAT_MS: '500',
          ACCESS_CACHE_MS: '500',
          TOKEN_CACHE_MS: '500',
          AUDIT_FLUSH_MS: '30000',
        });
        const panel = await faultPanel(system.database, system.clickhouse, resultCount);
        const client = new PanelClient(panel, system);
        context = {
          system,
          panel,
          client,
          loaded: { rows: 0 },
          started: { activities: 0 },
          recoveryMs,
          messages: new Map(),
        };
        await waitUntil(async () => (await client.queryByRound().catch(() => undefined)) === 0);
      });
      after(() => context.system.stop());

      for (const round of some) {
        const { number, victim, activity, part } = round;
        it(`${number}: ${victim}, after ${Math.round(100 * part)} % of ${activity}`, async () => {
          recoveredMs.push(await playRound(context, round));
        });
      }
    });
  }

  after(() => {
    const sorted = recoveredMs.toSorted((a, b) => a - b);
    const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
    const median = seconds(sorted[sorted.length >> 1]);
    process.stdout.write(
      `    ${sorted.length} recoveries, median ${median} s, maximum ${seconds(sorted.at(-1))} s\n`,
    );
  });
});
