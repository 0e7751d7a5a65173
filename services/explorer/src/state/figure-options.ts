/** The sizes of a figure, and the pixels of a PNG file of it: for print 300 per inch. */
export const figureSizes = {
  print: { name: 'Print, 170 mm wide', width: 642, pngWidth: 2008 },
  slide: { name: 'Slide, 16:9', width: 800, height: 450, pngWidth: 1920 },
  phone: { name: 'Phone', width: 390, pngWidth: 1170 },
} as const satisfies Readonly<Record<string, FigureFormat>>;

export interface FigureFormat {
  readonly name: string;
  /** Of the drawing, at 96 pixels per inch. */
  readonly width: number;
  /** Default: as high as its content. */
  readonly height?: number;
  readonly pngWidth: number;
}

export type FigureSize = keyof typeof figureSizes;
export const figureSizeKeys = Object.keys(figureSizes) as readonly FigureSize[];

export const figureTextKeys = ['title', 'subtitle', 'note', 'source'] as const;
export type FigureText = (typeof figureTextKeys)[number];
export type FigureTexts = Readonly<Record<FigureText, string>>;

/** What differs from the texts that the page writes. An empty text is left out of the figure. */
export type OwnTexts = Readonly<Partial<FigureTexts>>;

/** Of all own texts of a figure, which travel in its link. */
export const maxTextBytes = 2000;

export function textBytes(texts: OwnTexts): number {
  return new TextEncoder().encode(Object.values(texts).join('')).length;
}
