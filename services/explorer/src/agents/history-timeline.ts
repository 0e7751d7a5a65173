import type { MetadataPeriod } from '../../../../openapi/client/index.ts';
import { colourOf } from '../chart/theme.ts';
import { h } from '../dom/h.ts';
import { metadataEntries, metadataList } from './metadata-list.ts';

/** A bar of time, a piece a stretch, and below it each stretch with what changed in it. */
export function historyTimeline(history: readonly MetadataPeriod[]): HTMLElement {
  if (history.length === 0) {
    return h('p', { class: 'hint' }, 'Nothing was ever told of this agent.');
  }
  return h('div', {}, timeBar(history), h('ol', { class: 'timeline' }, ...history.map(itemOf)));

  function itemOf(stretch: MetadataPeriod, index: number): HTMLElement {
    const earlier = history[index + 1];
    const dot = h('span', { class: 'timeline-dot', 'aria-hidden': 'true' });
    dot.style.background = colourOf(history.length - 1 - index);
    return h(
      'li',
      { 'data-from': stretch.from ?? '' },
      dot,
      h('h3', {}, `${timeText(stretch.from, 'the beginning')} – ${timeText(stretch.to, 'today')}`),
      metadataList(stretch, earlier === undefined ? new Set() : changedFields(stretch, earlier)),
      h('p', { class: 'hint' }, `Recorded ${timeText(stretch.recordedAt, '')}`),
    );
  }
}

function timeBar(history: readonly MetadataPeriod[]): HTMLElement {
  const nowMs = Date.now();
  const starts = history.flatMap(({ from }) => (from === null ? [] : [Date.parse(from)]));
  const firstMs = Math.min(nowMs, ...starts);
  const share = ({ from, to }: MetadataPeriod) => {
    const fromMs = from === null ? firstMs : Date.parse(from);
    const toMs = to === null ? nowMs : Date.parse(to);
    return Math.max(toMs - fromMs, (nowMs - firstMs) / 60);
  };
  const pieces = history.toReversed().map((stretch, i) => {
    const piece = h('span', {});
    piece.style.flexGrow = String(share(stretch));
    piece.style.background = colourOf(i);
    return piece;
  });
  return h('div', { class: 'time-bar', 'aria-hidden': 'true' }, ...pieces);
}

function changedFields(stretch: MetadataPeriod, earlier: MetadataPeriod): ReadonlySet<string> {
  const before = new Map(metadataEntries(earlier));
  const changed = metadataEntries(stretch).filter(([name, value]) => before.get(name) !== value);
  return new Set(changed.map(([name]) => name));
}

/** `8 Nov 2026, 09:30`, without the clock at midnight. */
function timeText(instant: string | null, open: string): string {
  if (instant === null) return open;
  const isMidnight = instant.slice(11, 19) === '00:00:00';
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(isMidnight ? {} : { hour: '2-digit', minute: '2-digit' }),
  }).format(new Date(instant));
}
