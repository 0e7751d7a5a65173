import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AgentRecord } from '../../../../services/registry/agent-record.ts';
import { generatedProfile, type SampleFile, sampleFiles, speedsOf } from './sample-files.ts';
import { parseUnitProfile } from '../../../../services/cli/mba/unit-profile.ts';

export interface SampleMbaOptions {
  readonly outDir: string;
  readonly unitCount: number;
  readonly days: number;
  readonly firstDayUtc: Date;
  /** Text of a unit profile; default: generated. */
  readonly profile: string | undefined;
}

/** Writes files in the format of an MBA release; the same options give the same files. Returns row counts. */
export async function writeSampleMba(
  options: SampleMbaOptions,
): Promise<Readonly<Record<string, number>>> {
  const profile = options.profile ?? generatedProfile(options.unitCount);
  const units = parseUnitProfile(profile).slice(0, options.unitCount);
  mkdirSync(options.outDir, { recursive: true });
  writeFileSync(join(options.outDir, 'unit-profile.csv'), profile);
  const rowCounts: Record<string, number> = {};
  for (const file of sampleFiles) {
    const counter = { rows: 0 };
    const lines = Readable.from(fileText(file, units, options, counter), { objectMode: false });
    await pipeline(lines, createWriteStream(join(options.outDir, file.name)));
    rowCounts[file.name] = counter.rows;
  }
  return rowCounts;
}

function* fileText(
  file: SampleFile,
  units: readonly AgentRecord[],
  { days, firstDayUtc }: SampleMbaOptions,
  counter: { rows: number },
): Generator<string> {
  yield `${file.header}\n`;
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
      const when = `${dtime},${dtime.slice(0, 10)}`;
      const rows = file.rows({ unitId: unit.unitId ?? 0, when, ...speedsOf(unit), random, busy });
      text += rows;
      counter.rows += rows.split('\n').length - 1;
    }
    yield text;
  }
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
