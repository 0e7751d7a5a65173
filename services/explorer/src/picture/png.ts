import { type Picture, pictureFont, type Shape } from './shapes.ts';

/** Two pixels per unit, for print and sharp screens. */
const scale = 2;

/** The content of a PNG file. Drawn directly: the content security policy allows no image that was made here. */
export function pngBlob(picture: Picture): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return Promise.reject(new Error('The browser has no canvas.'));
  context.scale(scale, scale);
  for (const shape of picture.shapes) paint(context, shape);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The picture is too large.'));
      else resolve(blob);
    }, 'image/png');
  });
}

function paint(context: CanvasRenderingContext2D, shape: Shape): void {
  context.save();
  switch (shape.kind) {
    case 'path': {
      context.beginPath();
      for (const line of shape.lines) {
        for (const [i, [x, y]] of line.entries()) {
          if (i === 0) context.moveTo(x, y);
          else context.lineTo(x, y);
        }
      }
      context.setLineDash([...(shape.dash ?? [])]);
      finish(context, shape.fill, shape.stroke, shape.width ?? 1, shape.hasHoles);
      break;
    }
    case 'rect':
      context.beginPath();
      context.rect(shape.x, shape.y, Math.max(shape.width, 0), Math.max(shape.height, 0));
      finish(context, shape.fill, shape.stroke, 1);
      break;
    case 'circle':
      context.beginPath();
      context.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
      finish(context, shape.fill, shape.stroke, 1.5);
      break;
    case 'text':
      context.font = `${shape.isBold === true ? '600 ' : ''}${shape.size}px ${pictureFont}`;
      context.fillStyle = shape.fill;
      context.textAlign = shape.anchor === 'middle' ? 'center' : (shape.anchor ?? 'start');
      context.translate(shape.x, shape.y);
      if (shape.isTurned === true) context.rotate(-Math.PI / 2);
      context.fillText(shape.text, 0, 0);
  }
  context.restore();
}

function finish(
  context: CanvasRenderingContext2D,
  fill: string | undefined,
  stroke: string | undefined,
  width: number,
  hasHoles = false,
): void {
  if (fill !== undefined && fill !== 'none') {
    context.fillStyle = fill;
    context.fill(hasHoles ? 'evenodd' : 'nonzero');
  }
  if (stroke === undefined) return;
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.stroke();
}
