import { parseOptions } from '../../../services/cli/arguments.ts';
import type { Command } from '../../../services/cli/command.ts';
import { UsageError, wholeNumber } from '../../../services/shared/errors/usage-error.ts';
import { printLine } from '../../../services/cli/print.ts';
import { readEnvFile } from '../../../services/shared/config/env-file.ts';
import { measureDownload } from './agent/measure-download.ts';
import { measureLatency } from './agent/measure-latency.ts';
import { sendResult } from './agent/send-results.ts';
import { startTestServer } from './agent/test-server.ts';
import { sampleIsps } from './panel/sample-packages.ts';

// The line of unit 100003 today, and the share of its speed that the sample's own tests have.
const line = sampleIsps.northwave.packages['Fibre 1000'];
const defaultMbps = 0.9 * line.downMbps;

export const agentCommand: Command = {
  about: 'Measure download speed and latency against a local server, and send the results',
  usage: `sample agent [--unit 100003] [--mbps ${defaultMbps}] [--rounds 1]

  --unit     unit_id of a registered agent; default: a household with the package Fibre 1000
  --mbps     the speed that the server allows: loopback is faster than any household's line
  --rounds   how many times to measure

Sends to INGEST_URL with the token INGEST_TOKEN; default: those of .local/env.`,

  async run(args) {
    const { values } = parseOptions(args, {
      unit: { type: 'string', default: '100003' },
      mbps: { type: 'string', default: String(defaultMbps) },
      rounds: { type: 'string', default: '1' },
    });
    const env = { ...readEnvFile('.local/env'), ...process.env };
    const url = env.INGEST_URL;
    const token = env.INGEST_TOKEN ?? env.DEMO_INGEST_TOKEN;
    if (url === undefined || token === undefined) {
      throw new UsageError('INGEST_URL and INGEST_TOKEN are not set: is make run up?');
    }
    const downMbps = wholeNumber(values.mbps, 'mbps');
    const server = await startTestServer({ downMbps, rttMs: line.rttMs });
    try {
      for (let round = 0; round < Number(values.rounds); round++) {
        const about = {
          unit_id: Number(values.unit),
          target: 'local test server',
          address: server.host,
        };
        const measured = {
          httpget: await measureDownload(server),
          latency: await measureLatency(server),
        };
        for (const [test, columns] of Object.entries(measured)) {
          const row = { ...about, dtime: new Date().toISOString(), ...columns };
          printLine(`${test} ${JSON.stringify(row)}`);
          printLine(await sendResult({ url, token }, test, row));
        }
      }
    } finally {
      server.close();
    }
    return 0;
  },
};
