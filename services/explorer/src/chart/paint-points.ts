import type uPlot from 'uplot';
import type { IndexRange, PointCloud } from './point-cloud.ts';
import { chartInk, colourOf, faded } from './theme.ts';

/** One translucent dot per result, in the colour of its series. */
export function paintPoints(chart: uPlot, cloud: PointCloud, { start, end }: IndexRange): void {
  clipped(chart, (context, ratio) => {
    const radius = (end - start > 800 ? 2.2 : 3.2) * ratio;
    for (let i = start; i < end; i++) {
      context.fillStyle = faded(colourOf(cloud.owners[i]?.colourSlot ?? 0), 0.55);
      context.beginPath();
      context.arc(
        chart.valToPos(cloud.xs[i] ?? 0, 'x', true),
        chart.valToPos(cloud.ys[i] ?? 0, 'y', true),
        radius,
        0,
        2 * Math.PI,
      );
      context.fill();
    }
  });
}

const cellPixels = 5;

/** The number of results per cell, on a logarithmic scale. */
export function paintDensity(chart: uPlot, cloud: PointCloud, { start, end }: IndexRange): void {
  clipped(chart, (context, ratio) => {
    const cell = cellPixels * ratio;
    const counts = new Map<number, number>();
    const columns = Math.ceil(chart.ctx.canvas.width / cell);
    for (let i = start; i < end; i++) {
      const column = Math.floor(chart.valToPos(cloud.xs[i] ?? 0, 'x', true) / cell);
      const row = Math.floor(chart.valToPos(cloud.ys[i] ?? 0, 'y', true) / cell);
      const at = row * columns + column;
      counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    let most = 1;
    for (const value of counts.values()) most = Math.max(most, value);
    const { accent } = chartInk();
    for (const [at, value] of counts) {
      context.fillStyle = faded(accent, 0.16 + (0.84 * Math.log1p(value)) / Math.log1p(most));
      context.fillRect((at % columns) * cell, Math.floor(at / columns) * cell, cell, cell);
    }
  });
}

function clipped(
  chart: uPlot,
  paint: (context: CanvasRenderingContext2D, ratio: number) => void,
): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  paint(ctx, devicePixelRatio);
  ctx.restore();
}
