import { chartFrame } from '../chart/chart-frame.ts';
import type { Chart, ChartParts, Drawn } from '../chart/chart-parts.ts';
import { tooltip, type TooltipRow } from '../chart/tooltip.ts';
import { svgElement } from '../drawing/svg.ts';
import type { DrawingSize, Picture } from '../drawing/shapes.ts';
import { pageTheme } from '../drawing/theme.ts';

/** A part of a picture that has a tooltip. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of a part that is not a rectangle. */
  readonly contains?: (x: number, y: number) => boolean;
  readonly title: string;
  readonly rows: readonly TooltipRow[];
}

export interface DrawnPicture {
  readonly picture: Picture;
  readonly regions: readonly Region[];
}

/** A chart of shapes, drawn again when its width changes. Regions are read by mouse, touch and arrow keys. */
export function shapeChart(
  parts: ChartParts,
  what: string,
  draw: (size: DrawingSize) => DrawnPicture,
  drawn: () => Drawn,
): Chart {
  const frame = chartFrame(parts, what);
  const tip = tooltip();
  const { element } = frame;
  element.classList.add('shape-chart');
  let regions: readonly Region[] = [];
  let shownWidth = 0;

  function paint(): void {
    const { width } = frame.size();
    if (width === shownWidth) return;
    shownWidth = width;
    const current = draw({ width, theme: pageTheme() });
    regions = current.regions;
    const svg = svgElement(current.picture);
    svg.setAttribute('aria-hidden', 'true');
    element.replaceChildren(svg, tip.element);
  }

  function show(region: Region | undefined): void {
    if (region === undefined) tip.hide();
    else {
      const at = { left: region.x + region.width / 2, top: region.y + region.height + 4 };
      tip.show(at, region.title, region.rows);
    }
  }

  // Mouse events, not pointer events: browsers send them also after a tap.
  element.addEventListener('mousemove', (event) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    show(regions.find((one) => isWithin(one, x, y)));
  });
  element.addEventListener('mouseleave', () => show(undefined));
  paint();
  frame.keys({
    count: regions.length,
    moveTo: (index) => {
      const region = regions[index];
      show(region);
      const rows = region?.rows.map(({ label, value, details }) =>
        [label, value, details].filter((text) => text !== '').join(', '),
      );
      return `${region?.title ?? ''}: ${rows?.join('; ') ?? ''}`;
    },
    leave: () => show(undefined),
    zoom: () => undefined,
  });
  return {
    element,
    drawn,
    zoom: undefined,
    resize: paint,
    picture: (size) => draw(size).picture,
    destroy: () => element.remove(),
  };
}

function isWithin(region: Region, x: number, y: number): boolean {
  const isInBounds =
    x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height;
  return isInBounds && (region.contains?.(x, y) ?? true);
}
