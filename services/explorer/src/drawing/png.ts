import { type PathShape, type Picture, pictureFont, type Shape } from './shapes.ts';

/** The content of a PNG file of this size. Drawn directly: the content security policy allows no image that was made here. */
export function pngBlob(picture: Picture, width: number): Promise<Blob> {
  const scale = width / picture.width;
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
    case 'group':
      context.translate(shape.x, shape.y);
      if (shape.cut !== undefined) {
        context.beginPath();
        context.rect(0, 0, shape.cut.width, shape.cut.height);
        context.clip();
      }
      for (const one of shape.shapes) paint(context, one);
      break;
    case 'path':
      context.setLineDash([...(shape.dash ?? [])]);
      context.lineCap = shape.isRound === true ? 'round' : 'butt';
      finish(context, shape, new Path2D(shape.d));
      break;
    case 'rect': {
      const path = new Path2D();
      path.rect(shape.x, shape.y, Math.max(shape.width, 0), Math.max(shape.height, 0));
      finish(context, shape, path);
      break;
    }
    case 'circle': {
      const path = new Path2D();
      path.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
      finish(context, { ...shape, width: 1.5 }, path);
      break;
    }
    case 'text':
      context.font = `${shape.isBold === true ? '600 ' : ''}${shape.size}px ${pictureFont}`;
      context.fillStyle = shape.fill;
      context.textAlign = shape.anchor === 'middle' ? 'center' : (shape.anchor ?? 'start');
      context.translate(shape.x, shape.y);
      context.fillText(shape.text, 0, 0);
  }
  context.restore();
}

function finish(
  context: CanvasRenderingContext2D,
  { fill, stroke, width = 1, hasHoles = false }: Partial<Omit<PathShape, 'kind'>>,
  path: Path2D,
): void {
  if (fill !== undefined && fill !== 'none') {
    context.fillStyle = fill;
    context.fill(path, hasHoles ? 'evenodd' : 'nonzero');
  }
  if (stroke === undefined) return;
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.stroke(path);
}
