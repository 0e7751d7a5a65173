import { h } from '../dom/h.ts';
import type { DrawingSize, Picture, Shape } from '../drawing/shapes.ts';
import { svgElement } from '../drawing/svg.ts';
import { pageTheme } from '../drawing/theme.ts';
import type { PlacedPlot, XyDrawing } from '../drawing/xy-drawing.ts';
import type { Zoom } from '../state/view-state.ts';
import { chartFrame } from './chart-frame.ts';
import type { Chart, ChartParts, Drawn } from './chart-parts.ts';
import { tooltip, type TooltipRow } from './tooltip.ts';

/** What the cursor shows at a place: marks in the plot, and a tooltip beside them. */
export interface Reading {
  readonly plot: PlacedPlot;
  /** In pixels from the left top of the plot. */
  readonly x: number;
  readonly y: number;
  readonly marks: readonly Shape[];
  readonly title: string;
  readonly rows: readonly TooltipRow[];
  readonly note?: string | undefined;
}

interface XyChartParts {
  readonly what: string;
  /** Everything, with a margin at both ends. */
  readonly full: Zoom;
  readonly draw: (zoom: Zoom, size: DrawingSize) => XyDrawing;
  readonly read: (plot: PlacedPlot, index: number, x: number, y: number) => Reading | undefined;
  readonly keys: {
    readonly count: number;
    readonly at: (drawing: XyDrawing, index: number) => Reading | undefined;
    readonly spoken: (index: number) => string;
  };
  readonly drawn: () => Drawn;
}

/** A drawing with axes that zooms along x: by drag, double click, buttons and keys. */
export function xyChart(
  parts: ChartParts,
  { what, full, draw, read, keys, drawn }: XyChartParts,
): Chart {
  const frame = chartFrame(parts, what);
  const { element } = frame;
  const tip = tooltip();
  const host = h('div', { class: 'drawing' });
  const cursor = h('div', { class: 'drawing-cursor', 'aria-hidden': 'true' });
  const chosen = h('div', { class: 'drawing-chosen', hidden: true });
  element.append(host, cursor, chosen, tip.element);
  let zoom = parts.display.zoom ?? full;
  let current: XyDrawing;
  let shownWidth = 0;
  let from: { readonly plot: PlacedPlot; readonly x: number } | undefined;

  function paint(): void {
    const { width } = frame.size();
    shownWidth = width;
    current = draw(zoom, { width, theme: pageTheme() });
    const svg = svgElement(current.picture);
    svg.setAttribute('aria-hidden', 'true');
    host.replaceChildren(svg);
    show(undefined);
  }

  function show(reading: Reading | undefined): void {
    cursor.replaceChildren();
    if (reading === undefined) {
      tip.hide();
      return;
    }
    const { plot, x, y, marks, title, rows, note } = reading;
    const { width, height } = current.picture;
    const shapes: Shape[] = [{ kind: 'group', x: plot.left, y: plot.top, shapes: marks }];
    cursor.append(svgElement({ width, height, shapes }));
    tip.show({ left: plot.left + x, top: plot.top + y }, title, rows, note);
  }

  function zoomTo(wanted: Zoom | undefined): void {
    const room = (full.max - full.min) * 0.02;
    const isFull =
      wanted === undefined ||
      wanted.max <= wanted.min ||
      (wanted.min <= full.min + room && wanted.max >= full.max - room);
    zoom = isFull
      ? full
      : { min: Math.max(wanted.min, full.min), max: Math.min(wanted.max, full.max) };
    parts.onZoom(isFull ? undefined : zoom);
    paint();
  }

  function zoomBy(factor: number | undefined): void {
    const [middle, half] = [(zoom.min + zoom.max) / 2, (zoom.max - zoom.min) / 2];
    zoomTo(
      factor === undefined
        ? undefined
        : { min: middle - half * factor, max: middle + half * factor },
    );
  }

  function placeOf(event: MouseEvent) {
    const box = host.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const index = current.plots.findIndex(
      ({ left, top, width, height }) =>
        x >= left && x <= left + width && y >= top && y <= top + height,
    );
    const plot = current.plots[index];
    return plot && { plot, index, x: x - plot.left, y: y - plot.top };
  }

  // Mouse events, not pointer events: browsers send them also after a tap.
  element.addEventListener('mousemove', (event) => {
    const at = placeOf(event);
    if (from === undefined) show(at && read(at.plot, at.index, at.x, at.y));
  });
  element.addEventListener('mouseleave', () => show(undefined));
  element.addEventListener('mousedown', (event) => {
    const at = placeOf(event);
    if (at === undefined || event.button !== 0) return;
    // Otherwise the browser selects the texts of the axis.
    event.preventDefault();
    element.focus({ preventScroll: true });
    from = at;
    addEventListener('mousemove', choose);
    addEventListener('mouseup', finish, { once: true });
  });
  element.addEventListener('dblclick', () => zoomTo(undefined));

  function ends(event: MouseEvent): readonly [number, number] {
    const { plot, x } = from ?? { plot: undefined, x: 0 };
    const box = host.getBoundingClientRect();
    const to = Math.min(
      Math.max(event.clientX - box.left - (plot?.left ?? 0), 0),
      plot?.width ?? 0,
    );
    return x < to ? [x, to] : [to, x];
  }

  function choose(event: MouseEvent): void {
    if (from === undefined) return;
    const [start, end] = ends(event);
    if (end - start > 4) show(undefined);
    chosen.hidden = end - start <= 4;
    const { left, top, height } = from.plot;
    const style = { left: left + start, top, width: end - start, height };
    for (const [name, value] of Object.entries(style)) chosen.style.setProperty(name, `${value}px`);
  }

  function finish(event: MouseEvent): void {
    removeEventListener('mousemove', choose);
    const [start, end] = ends(event);
    const scale = from?.plot.x;
    from = undefined;
    chosen.hidden = true;
    if (scale !== undefined && end - start > 4)
      zoomTo({ min: scale.xAt(start), max: scale.xAt(end) });
  }

  paint();
  frame.keys({
    count: keys.count,
    moveTo: (index) => {
      show(keys.at(current, index));
      return keys.spoken(index);
    },
    leave: () => show(undefined),
    zoom: zoomBy,
  });
  return {
    element,
    drawn,
    zoom: zoomBy,
    resize: () => {
      if (frame.size().width !== shownWidth) paint();
    },
    picture: (size): Picture => draw(zoom, size).picture,
    destroy: () => element.remove(),
  };
}
