import { readFileSync } from 'node:fs';
import {
  instant,
  parseOptions,
  rejectExtraArguments,
  required,
  wholeNumber,
} from '../../../services/cli/arguments.ts';
import type { Command } from '../../../services/cli/command.ts';
import { printLine } from '../../../services/cli/print-line.ts';
import { writeSampleMba } from './mba/write-sample-mba.ts';

export const mbaCommand: Command = {
  name: 'mba',
  about: 'Generate files in the format of an FCC release, of any size',
  usage: `sample mba --out DIR [--units 100] [--days 30] [--starts 2026-10-01] [--profile FILE]

  --profile  unit profile with the units, their ISPs and speeds; default: generated

The same options generate the same files. Load them with netpanel load-mba.`,

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      out: { type: 'string' },
      units: { type: 'string', default: '100' },
      days: { type: 'string', default: '30' },
      starts: { type: 'string', default: '2026-10-01' },
      profile: { type: 'string' },
    });
    rejectExtraArguments(positionals);
    const outDir = required(values.out, 'out');
    const rowCounts = await writeSampleMba({
      outDir,
      unitCount: wholeNumber(values.units, 'units'),
      days: wholeNumber(values.days, 'days'),
      firstDayUtc: instant(values.starts, 'starts'),
      profile: values.profile === undefined ? undefined : readFileSync(values.profile, 'utf8'),
    });
    for (const [name, rows] of Object.entries(rowCounts)) printLine(`${name}: ${rows} rows`);
    printLine(
      `To load them: netpanel load-mba --org fcc --profile ${outDir}/unit-profile.csv ${outDir}`,
    );
    return 0;
  },
};
