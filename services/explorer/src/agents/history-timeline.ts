import type { MetadataPeriod } from '../../../../openapi/client/index.ts';
import { colourOf } from '../chart/theme.ts';
import { h } from '../dom/h.ts';
import { metadataEntries } from './metadata-entries.ts';
import { metadataList } from './metadata-list.ts';
import { recordedText, timeText } from './time-text.ts';

/** A bar with one segment per validity period, and below it the periods with their changes. */
export function historyTimeline(history: readonly MetadataPeriod[]): HTMLElement {
  if (history.length === 0) {
    return h('p', { class: 'hint' }, 'This agent has no metadata.');
  }
  return h('div', {}, timeBar(history), h('ol', { class: 'timeline' }, ...history.map(itemOf)));

  function itemOf(period: MetadataPeriod, index: number): HTMLElement {
    const earlier = history[index + 1];
    const dot = h('span', { class: 'timeline-dot', 'aria-hidden': 'true' });
    dot.style.background = colourOf(history.length - 1 - index);
    return h(
      'li',
      { 'data-from': period.from ?? '' },
      dot,
      h('h3', {}, `${timeText(period.from, 'the beginning')} – ${timeText(period.to, 'today')}`),
      metadataList(period, earlier === undefined ? new Set() : changedFields(period, earlier)),
      h('p', { class: 'hint' }, `Recorded ${recordedText(period.recordedAt, period.recordedBy)}`),
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
  const segments = history.toReversed().map((period, i) => {
    const segment = h('span', {});
    segment.style.flexGrow = String(share(period));
    segment.style.background = colourOf(i);
    return segment;
  });
  return h('div', { class: 'time-bar', 'aria-hidden': 'true' }, ...segments);
}

function changedFields(period: MetadataPeriod, earlier: MetadataPeriod): ReadonlySet<string> {
  const before = new Map(metadataEntries(earlier));
  const changed = metadataEntries(period).filter(([name, value]) => before.get(name) !== value);
  return new Set(changed.map(([name]) => name));
}
