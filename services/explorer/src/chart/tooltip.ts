import { breakable, fill, h } from '../dom/h.ts';

export interface TooltipRow {
  readonly colour: string;
  readonly label: string;
  readonly value: string;
  readonly details: string;
}

/** The values of a point of a chart, next to it. */
export function tooltip() {
  const element = h('div', { class: 'tooltip', 'aria-hidden': 'true', hidden: true });
  return {
    element,
    hide: () => {
      element.hidden = true;
    },
    /** Position in pixels from the left and top of the parent element. */
    show: (
      { left, top }: { left: number; top: number },
      title: string,
      rows: readonly TooltipRow[],
      more?: string,
    ) => {
      fill(
        element,
        h('p', { class: 'tooltip-title' }, ...breakable(title)),
        ...rows.map(rowOf),
        more !== undefined && h('p', { class: 'tooltip-note' }, more),
      );
      element.hidden = false;
      const room = element.parentElement?.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      const width = room?.width ?? 0;
      // Beside the point, on the side with more room, and inside of the chart.
      const wanted = left > width / 2 ? left - own.width - 18 : left + 18;
      const lowest = Math.max(0, (room?.height ?? 0) - own.height);
      const rightmost = Math.max(0, width - own.width);
      element.style.left = `${Math.min(Math.max(0, wanted), rightmost)}px`;
      element.style.top = `${Math.min(Math.max(0, top - own.height - 12), lowest)}px`;
    },
  };
}

function rowOf({ colour, label, value, details }: TooltipRow): HTMLElement {
  return h(
    'div',
    { class: 'tooltip-row' },
    h('span', { class: 'swatch', style: { background: colour } }),
    h('span', { class: 'tooltip-label' }, ...breakable(label)),
    h('strong', {}, value),
    details !== '' && h('span', { class: 'tooltip-details' }, details),
  );
}
