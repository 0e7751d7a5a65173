import { readFileSync } from 'node:fs';
import {
  instant,
  parseOptions,
  rejectExtraArguments,
  required,
} from '../../../services/cli/arguments.ts';
import type { Command } from '../../../services/cli/command.ts';
import { UsageError, wholeNumber } from '../../../services/shared/errors/usage-error.ts';
import { printLine } from '../../../services/cli/print.ts';
import { releaseStyles } from './mba/release-style.ts';
import { writeSampleMba } from './mba/write-sample-mba.ts';

export const mbaCommand: Command = {
  about: 'Generate files in the format of an FCC release, of any size',
  usage: `sample mba --out DIR [--units 100] [--days 30] [--starts 2026-10-01] [--profile FILE]
  [--style 2011|2014|2021] [--zip]

  --profile  unit profile with the units, their ISPs and speeds; default: generated
  --style    files as in that year; default: 2021. 2014: the month in the names, no header, the
             profile as XLSX with units marked REMOVE, a list of excluded units. 2011: the same
             with six rows per download and upload
  --zip      pack each result file into a zip archive, and these into release.zip; needs the
             files in memory

The same options generate the same files. Load them with netpanel load-mba.`,

  async run(args) {
    const { values, positionals } = parseOptions(args, {
      out: { type: 'string' },
      units: { type: 'string', default: '100' },
      days: { type: 'string', default: '30' },
      starts: { type: 'string', default: '2026-10-01' },
      profile: { type: 'string' },
      style: { type: 'string', default: '2021' },
      zip: { type: 'boolean', default: false },
    });
    rejectExtraArguments(positionals);
    const outDir = required(values.out, 'out');
    const style = releaseStyles[values.style];
    if (style === undefined) throw new UsageError('--style must be 2011, 2014 or 2021');
    const { rowCounts, loadArguments } = await writeSampleMba({
      outDir,
      unitCount: wholeNumber(values.units, 'units'),
      days: wholeNumber(values.days, 'days'),
      firstDayUtc: instant(values.starts, 'starts'),
      profile: values.profile === undefined ? undefined : readFileSync(values.profile, 'utf8'),
      style,
      isZipped: values.zip,
    });
    for (const [name, rows] of Object.entries(rowCounts)) printLine(`${name}: ${rows} rows`);
    printLine(`To load them: netpanel load-mba --org fcc ${loadArguments}`);
    return 0;
  },
};
