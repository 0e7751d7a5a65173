import type uPlot from 'uplot';
import { type PointCloud, visibleRange } from '../chart/point-cloud.ts';
import { chartInk, colourOf, faded } from '../chart/theme.ts';
import { xLabel } from '../chart/axes.ts';
import { tickText } from '../series/time-text.ts';
import type { Zoom } from '../state/view-state.ts';
import type { Picture, Shape } from './shapes.ts';
import { xyPicture } from './xy-picture.ts';

/** Single results as small squares: one path per colour, so that many of them are still a small file. */
export function cloudPicture(
  cloud: PointCloud,
  valueLabel: string,
  zoom: Zoom,
  plot: uPlot,
  width: number,
): Picture {
  const { min = 0, max = 1 } = plot.scales.y ?? {};
  const { start, end } = visibleRange(cloud, zoom);
  const step = (zoom.max - zoom.min) / 8;
  return xyPicture({
    width,
    ink: chartInk(),
    x: { ...zoom, title: xLabel('raw') },
    xTicks: Array.from({ length: 7 }, (_, i) => zoom.min + (i + 1) * step).map((x) => ({
      x,
      text: tickText(step >= 86_400 ? x : Math.round(x / 3600) * 3600, step),
    })),
    y: { min, max, title: valueLabel },
    shapes: (at) => {
      const squares = new Map<number, (readonly [number, number])[][]>();
      for (let i = start; i < end; i++) {
        const [x, y] = at(cloud.xs[i] ?? 0, cloud.ys[i] ?? 0);
        const slot = cloud.owners[i]?.colourSlot ?? 0;
        const square: (readonly [number, number])[] = [
          [x - 1, y - 1],
          [x + 1, y - 1],
          [x + 1, y + 1],
          [x - 1, y + 1],
        ];
        const own = squares.get(slot);
        if (own === undefined) squares.set(slot, [square]);
        else own.push(square);
      }
      return [...squares].map(([slot, lines]): Shape => ({
        kind: 'path',
        lines,
        fill: faded(colourOf(slot), 0.5),
      }));
    },
  });
}
