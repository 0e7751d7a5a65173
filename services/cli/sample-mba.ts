import { readFileSync } from 'node:fs';
import { instant, rejectExtraArguments, parseOptions, required, wholeNumber } from './arguments.ts';
import type { Command } from './command.ts';
import { writeSampleMba } from './mba/write-sample-mba.ts';
import { printLine } from './print-line.ts';

export const sampleMbaCommand: Command = {
  name: 'sample-mba',
  about: 'Write files in the shape of an FCC release, of any size',
  usage: `netpanel sample-mba --out DIR [--units 100] [--days 30] [--starts 2026-10-01] [--profile FILE]

  --profile  take the units, their ISPs and speeds from this unit profile; made up unless given

The same words give the same files. netpanel load-mba loads them.`,

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
      `netpanel load-mba --org fcc --profile ${outDir}/unit-profile.csv ${outDir} loads them`,
    );
    return 0;
  },
};
