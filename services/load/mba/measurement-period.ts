import { basename } from 'node:path';
import { detectSeparator, type Header, parseCsv } from '../../results/csv.ts';
import { convertTime } from '../../results/fields/convert-time.ts';
import { HeaderError } from '../../results/columns/file-plan.ts';
import { type MbaFile, mbaHeader } from './mba-file.ts';
import { mbaSources } from './mba-sources.ts';

export interface MeasurementPeriod {
  readonly fromUtc: Date;
  /** Where it was found, for a message. */
  readonly source: string;
}

/**
 * The start of the month that a release describes: the month in the name of its unit profile
 * (`unit-profile-sept2021.csv`), or the month of its first results. undefined if neither has one.
 */
export async function measurementPeriod(
  profilePath: string,
  dataPath: string,
): Promise<MeasurementPeriod | undefined> {
  const named = monthInName(basename(profilePath));
  if (named !== undefined) return { fromUtc: named, source: 'the name of the profile' };
  for await (const { name, file, input } of mbaSources(dataPath)) {
    if (file === 'unsupported') continue;
    const text = await beginning(input.content as AsyncIterable<Buffer>);
    const month = monthInName(name) ?? monthOf(text, file);
    if (month !== undefined) return { fromUtc: month, source: name };
  }
  return undefined;
}

/** `sept2021`, `September_2021`, `2021-09`, `202109` and `09-2021`. */
export function monthInName(name: string): Date | undefined {
  const words = name.toLowerCase();
  const [, word = '', yearAfter = ''] =
    /(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-_ .]?((?:19|20)\d\d)(?!\d)/.exec(
      words,
    ) ?? [];
  if (word !== '') return startOfMonth(yearAfter, months.indexOf(word) + 1);
  const [, year, month] = /(?<!\d)((?:19|20)\d\d)[-_ .]?(0[1-9]|1[0-2])(?!\d)/.exec(words) ?? [];
  if (year !== undefined) return startOfMonth(year, Number(month));
  const [, monthFirst, yearLast] =
    /(?<!\d)(0[1-9]|1[0-2])[-_ .]((?:19|20)\d\d)(?!\d)/.exec(words) ?? [];
  return yearLast === undefined ? undefined : startOfMonth(yearLast, Number(monthFirst));
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function startOfMonth(year: string, month: number): Date {
  return new Date(Date.UTC(Number(year), month - 1, 1));
}

/** Without titles if the columns are unknown: loading the file reports it. */
function headerOf(firstLine: readonly string[], file: MbaFile): Header {
  try {
    return mbaHeader(firstLine, file);
  } catch (error) {
    if (error instanceof HeaderError) return { titles: [], isMissing: false };
    throw error;
  }
}

async function beginning(content: AsyncIterable<Buffer>): Promise<string> {
  for await (const chunk of content) return chunk.toString('utf8', 0, 256 * 1024);
  return '';
}

/** The earliest month of the rows. */
function monthOf(text: string, file: MbaFile): Date | undefined {
  const [line = ''] = text.split('\n', 1);
  const lines = parseCsv(text, detectSeparator(line));
  const { titles, isMissing } = headerOf(lines[0] ?? [], file);
  const column = titles.findIndex((title) => title.trim().toLowerCase() === 'dtime');
  const rows = isMissing ? lines : lines.slice(1);
  // The last row may be cut.
  const times = rows.slice(0, Math.max(1, rows.length - 1)).flatMap((row) => {
    return convertTime(row[column] ?? '')?.text ?? [];
  });
  const [first] = times.sort();
  return first === undefined
    ? undefined
    : startOfMonth(first.slice(0, 4), Number(first.slice(5, 7)));
}
