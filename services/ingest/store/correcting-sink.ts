import { unixTime, withFirstColumn } from '../../results/store/rows-to-insert.ts';
import type { RowSink } from './row-sink.ts';

/** Marks rows as corrections, received at this time: they replace stored results with the same key. */
export function correctingSink(sink: RowSink, nowMs: number): RowSink {
  return {
    insert({ names, separator, rows, ...received }) {
      const bytes = withFirstColumn(rows, unixTime(nowMs * 1000) + separator);
      // Only insert-block.ts follows, which needs no offsets.
      const starts = new Uint32Array(0);
      return sink.insert({
        ...received,
        separator,
        names: ['corrected_at', ...names],
        rows: { ...rows, bytes, starts },
      });
    },
  };
}
