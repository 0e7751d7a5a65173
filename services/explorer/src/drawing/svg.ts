import { type Picture, pictureFont, type Shape } from './shapes.ts';

const namespace = 'http://www.w3.org/2000/svg';

/** A picture as an element. Texts are text nodes, so a value such as `<script>` is shown as it is. */
export function svgElement({ width, height, shapes }: Picture): SVGSVGElement {
  const element = document.createElementNS(namespace, 'svg');
  set(element, {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': pictureFont,
  });
  element.append(...shapes.map(elementOf));
  return element;
}

/** The content of an SVG file. */
export function svgText(picture: Picture): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svgElement(picture))}\n`;
}

function elementOf(shape: Shape): SVGElement {
  switch (shape.kind) {
    case 'group': {
      // A nested svg cuts off what is outside of it, without an id as a clip path needs.
      const { x, y, cut } = shape;
      const group =
        cut === undefined
          ? make('g', { transform: `translate(${near(x)} ${near(y)})` })
          : make('svg', {
              x: near(x),
              y: near(y),
              width: near(cut.width),
              height: near(cut.height),
            });
      group.append(...shape.shapes.map(elementOf));
      return group;
    }
    case 'path':
      return make('path', {
        d: shape.d,
        fill: shape.fill ?? 'none',
        stroke: shape.stroke ?? 'none',
        'stroke-width': shape.width ?? 1,
        'stroke-linejoin': 'round',
        ...(shape.hasHoles === true ? { 'fill-rule': 'evenodd' } : {}),
        ...(shape.dash && shape.dash.length > 0
          ? { 'stroke-dasharray': shape.dash.join(' ') }
          : {}),
        ...(shape.isRound === true ? { 'stroke-linecap': 'round' } : {}),
        ...(shape.part === undefined ? {} : { 'data-part': shape.part }),
      });
    case 'rect':
      return make('rect', {
        x: near(shape.x),
        y: near(shape.y),
        width: near(Math.max(shape.width, 0)),
        height: near(Math.max(shape.height, 0)),
        fill: shape.fill,
        stroke: shape.stroke ?? 'none',
        ...(shape.part === undefined ? {} : { 'data-part': shape.part }),
      });
    case 'circle':
      return make('circle', {
        cx: near(shape.x),
        cy: near(shape.y),
        r: shape.radius,
        fill: shape.fill,
        stroke: shape.stroke ?? 'none',
        'stroke-width': 1.5,
      });
    case 'text': {
      const text = make('text', {
        x: near(shape.x),
        y: near(shape.y),
        fill: shape.fill,
        'font-size': shape.size,
        'text-anchor': shape.anchor ?? 'start',
        ...(shape.isBold === true ? { 'font-weight': 600 } : {}),
      });
      text.textContent = printable(shape.text);
      return text;
    }
  }
}

/** Without control characters, which XML does not allow. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '�');
}

function make(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(namespace, name);
  set(element, attributes);
  return element;
}

function set(element: Element, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

function near(value: number): number {
  return Math.round(value * 100) / 100;
}
