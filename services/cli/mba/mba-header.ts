import { HeaderError } from '../../results/columns/file-plan.ts';
import type { Header } from '../../results/rows/dialect.ts';
import type { MbaFile } from './mba-file.ts';

/**
 * The column names of a file of a release, from its first line. Files of July 2011 to August 2016 start with data:
 * their columns are in the FCC's order. Files of early 2011 start with `#unit_id`.
 */
export function mbaHeader(firstLine: readonly string[], { columnOrders }: MbaFile): Header {
  if (!isData(firstLine)) {
    return { titles: firstLine.map((title) => title.replace(/^#\s*/, '')), isMissing: false };
  }
  const hasDate = /^\d{4}-\d\d-\d\d$/.test(firstLine[2] ?? '');
  const count = firstLine.length - (hasDate ? 1 : 0);
  for (const order of columnOrders) {
    const extra = count - order.length;
    if (extra !== 0 && extra !== 1) continue;
    const [unit = '', time = '', ...others] = order;
    const titles = [unit, time, ...(hasDate ? ['ddate'] : []), ...others];
    return { titles: extra === 1 ? [...titles, 'location_id'] : titles, isMissing: true };
  }
  const known = columnOrders.map(({ length }) => `${length} or ${length + 1}`).join(', ');
  throw new HeaderError(
    `the file has no header, and line 1 has ${firstLine.length} columns. Files of this test without a header ` +
      `have ${known} columns: ${columnOrders[0]?.join(', ')}, and perhaps location_id`,
  );
}

/** `1001984,2014-01-23 18:12:10,…` */
function isData([unit = '', time = '']: readonly string[]): boolean {
  return /^\d+$/.test(unit) && /^\d{4}-\d\d-\d\d[ T]\d\d:/.test(time);
}
