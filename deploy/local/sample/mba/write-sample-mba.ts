import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseCsv } from '../../../../services/results/csv.ts';
import { parseUnitProfile } from '../../../../services/load/mba/unit-profile.ts';
import type { AgentRecord } from '../../../../services/registry/agents/agent-record.ts';
import type { ReleaseStyle } from './release-style.ts';
import { generatedProfile, type SampleFile, sampleFiles, speedsOf } from './sample-files.ts';
import { xlsxWorkbook } from './xlsx-workbook.ts';
import { zipArchive } from './zip-archive.ts';

export interface SampleMbaOptions {
  readonly outDir: string;
  readonly unitCount: number;
  readonly days: number;
  readonly firstDayUtc: Date;
  /** Text of a unit profile; default: generated. */
  readonly profile: string | undefined;
  readonly style: ReleaseStyle;
  /** Packs each result file into an archive of its own, and these into release.zip. */
  readonly isZipped: boolean;
}

interface SampleMba {
  readonly rowCounts: Readonly<Record<string, number>>;
  /** What to load, for a message. */
  readonly loadArguments: string;
}

/** Writes files in the format of an MBA release; the same options give the same files. */
export async function writeSampleMba(options: SampleMbaOptions): Promise<SampleMba> {
  const { outDir, isZipped } = options;
  const profile = options.profile ?? generatedProfile(options.unitCount);
  const units = parseUnitProfile(profile).slice(0, options.unitCount);
  mkdirSync(outDir, { recursive: true });
  const profileArguments = writeProfile(profile, options);
  const rowCounts: Record<string, number> = {};
  for (const file of sampleFiles) {
    const name = fileName(file, options);
    const counter = { rows: 0 };
    const lines = Readable.from(fileText(file, units, options, counter), { objectMode: false });
    await pipeline(lines, createWriteStream(join(outDir, name)));
    rowCounts[name] = counter.rows;
  }
  const path = isZipped ? packed(outDir, Object.keys(rowCounts)) : outDir;
  return { rowCounts, loadArguments: `${profileArguments} ${path}` };
}

/** Every 10th unit is marked REMOVE, and every 10th, from the 5th on, is in the list of excluded units. */
function writeProfile(profile: string, { outDir, style }: SampleMbaOptions): string {
  if (!style.hasWorkbooks) {
    writeFileSync(join(outDir, 'unit-profile.csv'), profile);
    return `--profile ${outDir}/unit-profile.csv`;
  }
  const [header = [], ...rows] = parseCsv(profile);
  const marked = rows.map((row, i) => [...row, i % 10 === 0 ? 'REMOVE' : '']);
  const about = [['Measuring Broadband America'], ['Sample']];
  const sheets = { About: about, 'Unit Profile': [[...header, 'Status'], ...marked] };
  writeFileSync(join(outDir, 'unit-profile.xlsx'), xlsxWorkbook(sheets));
  const listed = rows
    .filter((_, i) => i % 10 === 5)
    .map(([unit = '']) => [unit, 'Not enough data']);
  writeFileSync(
    join(outDir, 'excluded-units.xlsx'),
    xlsxWorkbook({ Excluded: [['unit_id', 'Reason'], ...listed] }),
  );
  return `--profile ${outDir}/unit-profile.xlsx --excluded ${outDir}/excluded-units.xlsx`;
}

function fileName({ name }: SampleFile, { style, firstDayUtc }: SampleMbaOptions): string {
  const month = firstDayUtc.toISOString().slice(0, 7).replace('-', '_');
  return style.hasMonthInName ? `${name}_${month}.csv` : `${name}.csv`;
}

function* fileText(
  file: SampleFile,
  units: readonly AgentRecord[],
  { days, firstDayUtc, style }: SampleMbaOptions,
  counter: { rows: number },
): Generator<string> {
  if (style.hasHeader) yield `${file.header}\n`;
  const testCount = Math.floor((days * 24 * 60) / file.everyMinutes);
  for (const unit of units) {
    const random = seededRandom((unit.unitId ?? 0) + file.name.length);
    // Units run their tests at different minutes.
    const offsetS = Math.floor(random() * file.everyMinutes * 60);
    let text = '';
    for (let i = 0; i < testCount; i++) {
      const at = new Date(firstDayUtc.getTime() + (i * file.everyMinutes * 60 + offsetS) * 1000);
      const dtime = at.toISOString().slice(0, 19).replace('T', ' ');
      const busy = Math.max(0, Math.cos(((at.getUTCHours() - 2) / 24) * 2 * Math.PI));
      const when = style.hasDate ? `${dtime},${dtime.slice(0, 10)}` : dtime;
      const test = { unitId: unit.unitId ?? 0, when, ...speedsOf(unit), random, busy };
      const rows = file.rows({ ...test, sequences: style.sequences });
      text += style.hasLocation ? rows.replaceAll('\n', ',7\n') : rows;
      counter.rows += rows.split('\n').length - 1;
    }
    yield text;
  }
}

function packed(outDir: string, names: readonly string[]): string {
  const archives = names.map((name) => {
    const path = join(outDir, name);
    const archive = zipArchive({ [name]: readFileSync(path) });
    rmSync(path);
    return [`data/${name.replace('.csv', '.zip')}`, archive] as const;
  });
  const path = join(outDir, 'release.zip');
  writeFileSync(path, zipArchive(Object.fromEntries(archives)));
  return path;
}

/** The generator mulberry32, so that a unit always gets the same results. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
