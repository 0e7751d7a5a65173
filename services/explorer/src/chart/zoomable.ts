import type uPlot from 'uplot';
import type { Zoom } from '../state/view-state.ts';
import type { ChartParts } from './chart-parts.ts';

/** Zooming along x by mouse, button and key. Reports changes to `onZoom`. */
export function zoomable(full: Zoom, { display, onZoom }: Pick<ChartParts, 'display' | 'onZoom'>) {
  let current = display.zoom ?? full;
  let isFirst = true;
  const isFull = ({ min, max }: Zoom) => min <= full.min && max >= full.max;

  return {
    /** The x range: from the link, from dragging, or everything. */
    range: (_chart: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
      if (isFirst || min === null || max === null) {
        isFirst = false;
        return [current.min, current.max];
      }
      // On a double click uPlot requests the range of the data, which resets the zoom.
      const wanted = { min: Math.max(min, full.min), max: Math.min(max, full.max) };
      const isNothing = wanted.max - wanted.min <= 0;
      current = isNothing || coversData(wanted, full) ? full : wanted;
      return [current.min, current.max];
    },
    current: () => current,
    onScale: (_chart: uPlot, scaleKey: string) => {
      if (scaleKey === 'x') onZoom(isFull(current) ? undefined : current);
    },
    by: (chart: uPlot, factor: number | undefined) => {
      const middle = (current.min + current.max) / 2;
      const half = factor === undefined ? Infinity : ((current.max - current.min) / 2) * factor;
      chart.setScale('x', {
        min: Math.max(full.min, middle - half),
        max: Math.min(full.max, middle + half),
      });
    },
  };
}

function coversData(wanted: Zoom, full: Zoom): boolean {
  const room = (full.max - full.min) * 0.02;
  return wanted.min <= full.min + room && wanted.max >= full.max - room;
}
