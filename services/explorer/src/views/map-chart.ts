import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import {
  type DrawingSize,
  label,
  pathOf,
  type PathShape,
  type Shape,
  textWidth,
  type Theme,
  wrapped,
} from '../drawing/shapes.ts';
import { isSuppressed, type Series } from '../series/series.ts';
import { colourAt, rangeOf, readableOn, scaleShapes } from './colour-scale.ts';
import {
  boundsOf,
  hatchLines,
  isInside,
  labelPlace,
  projected,
  type Rings,
} from './map-projection.ts';
import { type DrawnPicture, type Region, shapeChart } from './shape-chart.ts';
import { readoutOf } from './rows-chart.ts';
import { type Total, totalOf } from './total-of.ts';

/** What is known about a region of the map. */
interface RegionValue {
  readonly name: string;
  /** Undefined without results, or if they are suppressed. */
  readonly total: Total | undefined;
  readonly isSuppressed: boolean;
}

const noResults = 'No results';
const suppressed = 'Suppressed: too few households';
/** More names would be longer than the map. */
const maxNamed = 8;

/** Regions coloured by their value. Hatched without results, crossed if suppressed. */
export function mapChart(parts: ChartParts): Chart {
  const map = parts.map ?? { regions: [] };
  const byName = new Map(parts.series.map((series) => [regionNameOf(series), series]));
  const values = map.regions.map(({ name }) => valueOf(name, byName.get(name), parts));
  const totals = values.flatMap(({ total }) => total ?? []);
  const range = rangeOf(
    totals.map(({ value }) => value),
    parts.metric.better,
  );
  const names = new Set<string | undefined>(map.regions.map(({ name }) => name));
  const elsewhere = parts.series.filter((series) => !names.has(regionNameOf(series)));
  const title = `Map of ${map.regions.length} regions, ${totals.length} with a value`;
  return shapeChart(parts, title, draw, () => ({
    kind: 'map',
    xs: values.map((_, i) => i),
    series: values.flatMap(({ name, total, isSuppressed }) => [
      { label: name, part: isSuppressed ? 'suppressed' : 'value', values: [total?.value ?? null] },
      { label: name, part: 'low', values: [total?.low ?? null] },
      { label: name, part: 'high', values: [total?.high ?? null] },
    ]),
  }));

  function draw({ width, theme }: DrawingSize): DrawnPicture {
    const { height, regions } = projected(map, width, width < 560 ? 360 : 520);
    const areas = regions.map(({ rings }, i) => ({ rings, value: values[i] }));
    const shapes: Shape[] = areas.flatMap(({ rings, value }) => areaShapes(rings, value, theme));
    for (const { rings, value } of areas) shapes.push(...labelShapes(rings, value, theme));
    let y = height + 20;
    if (totals.length > 0) {
      shapes.push(...scaleShapes({ range, metric: parts.metric, x: 0, y, width, theme }));
      y += 28;
    }
    for (const one of [noResults, suppressed]) {
      if (
        !values.some(({ total, isSuppressed }) => !total && isSuppressed === (one === suppressed))
      )
        continue;
      const square = squareAt(1, y);
      shapes.push(outline(square, 'none', theme), ...hatching(square, one === suppressed, theme));
      shapes.push(label([28, y + 10], one, theme.text));
      y += 22;
    }
    for (const line of elsewhere.length === 0 ? [] : wrapped(elsewhereText(), width)) {
      shapes.push(label([0, y + 10], line, theme.text));
      y += 16;
    }
    return { picture: { width, height: y + 4, shapes }, regions: readouts(areas, theme) };
  }

  function areaShapes(rings: Rings, value: RegionValue | undefined, theme: Theme): Shape[] {
    const total = value?.total;
    if (total !== undefined) return [outline(rings, colourAt(total.value, range, theme), theme)];
    return [...hatching(rings, value?.isSuppressed === true, theme), outline(rings, 'none', theme)];
  }

  /** The name and the value, where there is room for them. The tooltips and the table have them all. */
  function labelShapes(rings: Rings, value: RegionValue | undefined, theme: Theme): Shape[] {
    if (value?.total === undefined) return [];
    const { name, total } = value;
    const { x, y, room } = labelPlace(rings);
    const text = total.short;
    if (Math.max(textWidth(name), textWidth(text)) > room - 8 || boundsOf(rings).height < 40) {
      return [];
    }
    const fill = readableOn(colourAt(total.value, range, theme), [theme.ink, theme.surface]);
    const middle = { anchor: 'middle' as const };
    return [
      label([x, y - 2], name, fill, { ...middle, isBold: true }),
      label([x, y + 14], text, fill, middle),
    ];
  }

  /** By name, so that the arrow keys read an index of the map. */
  function readouts(
    areas: readonly { readonly rings: Rings; readonly value: RegionValue | undefined }[],
    theme: Theme,
  ): readonly Region[] {
    return areas
      .flatMap(({ rings, value }) => {
        if (value === undefined) return [];
        const { name, total, isSuppressed } = value;
        const nothing = { label: '', value: isSuppressed ? suppressed : noResults, details: '' };
        const row =
          total === undefined
            ? { ...nothing, colour: theme.grid }
            : {
                ...readoutOf('', total),
                colour: colourAt(total.value, range, theme),
              };
        const contains = (x: number, y: number) => isInside(rings, x, y);
        return [{ ...boundsOf(rings), contains, title: name, rows: [row] }];
      })
      .toSorted((a, b) => a.title.localeCompare(b.title));
  }

  function elsewhereText(): string {
    const shown = elsewhere.slice(0, maxNamed).map(({ label: text }) => text);
    const more = elsewhere.length - shown.length;
    const rest = more === 0 ? '' : ` and ${more} more`;
    return `Not on the map, but in the table: ${shown.join(', ')}${rest}`;
  }
}

/** Undefined for results without a value: a region named "unknown" has other results. */
function regionNameOf({ key, label: text }: Series): string | undefined {
  return key === '[null]' ? undefined : text.normalize('NFC');
}

function valueOf(name: string, series: Series | undefined, parts: ChartParts): RegionValue {
  const [point] = series?.points ?? [];
  return {
    name,
    total: series && totalOf(series, parts),
    isSuppressed: point !== undefined && isSuppressed(point),
  };
}

function outline(rings: Rings, fill: string, theme: Theme): PathShape {
  return { kind: 'path', d: pathOf(rings), fill, hasHoles: true, stroke: theme.text, width: 0.75 };
}

function hatching(rings: Rings, isCrossed: boolean, theme: Theme): readonly Shape[] {
  const directions = isCrossed ? (['up', 'down'] as const) : (['up'] as const);
  return directions.map((direction) => {
    const d = pathOf(hatchLines(rings, 6, direction));
    return { kind: 'path', d, stroke: theme.text, width: 0.6 };
  });
}

function squareAt(x: number, y: number): Rings {
  const [right, bottom] = [x + 18, y + 12];
  return [[[x, y] as const, [right, y], [right, bottom], [x, bottom], [x, y]]];
}
