import { pickBySeed } from './seeded-integer.ts';

/** The speed of a line without load, and its degradation under load. */
export interface SampleLine {
  readonly downMbps: number;
  readonly upMbps: number;
  /** Share of the speed lost in the busiest hour of the evening. */
  readonly peakLoss: number;
  readonly rttMs: number;
}

export interface SampleIsp {
  readonly name: string;
  /** Lines by package name. The names contain the advertised speed. */
  readonly packages: Readonly<Record<string, SampleLine>>;
}

const fibre = (downMbps: number, upMbps = downMbps): SampleLine => ({
  downMbps,
  upMbps,
  peakLoss: 0.12,
  rttMs: 7,
});
const cable = (downMbps: number, upMbps: number): SampleLine => ({
  downMbps,
  upMbps,
  peakLoss: 0.38,
  rttMs: 14,
});
const copper = (downMbps: number, upMbps: number): SampleLine => ({
  downMbps,
  upMbps,
  peakLoss: 0.2,
  rttMs: 24,
});
const satellite = (downMbps: number, upMbps: number): SampleLine => ({
  downMbps,
  upMbps,
  peakLoss: 0.5,
  rttMs: 46,
});
const cellular = (downMbps: number, upMbps: number): SampleLine => ({
  downMbps,
  upMbps,
  peakLoss: 0.45,
  rttMs: 38,
});

export const sampleIsps = {
  northwave: {
    name: 'Northwave',
    packages: {
      'Fibre 100': fibre(100, 20),
      'Fibre 500': fibre(500, 75),
      'Fibre 1000': fibre(1000),
      'Copper 24': copper(24, 2),
    },
  },
  harbour: {
    name: 'Harbour Cable',
    packages: { 'Cable 300': cable(300, 20), 'Cable 1200': cable(1200, 40) },
  },
  sagarmatha: {
    name: 'Sagarmatha Net',
    // A package name with a colon: only the first colon of ISP:PACKAGE is the separator.
    packages: { 'Home 50': copper(50, 10), 'Home: Unlimited 150': fibre(150) },
  },
  southern: {
    name: 'Southern Cross Broadband',
    packages: { 'Home 100': fibre(100, 40), 'Satellite 50': satellite(50, 10) },
  },
  andes: {
    name: 'Andes Telecom',
    packages: { 'Fibra 300': fibre(300, 150), 'Fibra 600': fibre(600, 300) },
  },
  cedar: {
    name: 'Cedar Online',
    packages: { 'DSL 16': copper(16, 1), 'VDSL 60': copper(60, 12) },
  },
  breeze: {
    name: 'Breeze Mobile',
    packages: { '4G Max 40': cellular(40, 12), '5G Plus 200': cellular(200, 30) },
  },
  otherline: {
    name: 'Otherline',
    packages: { 'Basic 30': copper(30, 5), 'Fibre 500': fibre(500, 250) },
  },
} as const satisfies Record<string, SampleIsp>;

/** For a household without a package, or with a package that a user added. */
const unknownLine: SampleLine = { downMbps: 80, upMbps: 20, peakLoss: 0.25, rttMs: 15 };

/**
 * The custom fields of a package: the advertised speeds, and the weight of its households, which makes the panel
 * represent all subscribers. Empty without a package.
 */
export function packageFields(
  isp: string | null,
  packageName: string | null,
): Readonly<Record<string, number>> {
  if (packageName === null) return {};
  const { downMbps, upMbps } = sampleLine(isp, packageName);
  return {
    advertised_download_mbps: downMbps,
    advertised_upload_mbps: upMbps,
    weight: pickBySeed(0, `${isp ?? ''}:${packageName}/weight`, [0.5, 0.8, 1, 1.25, 1.6, 2]),
  };
}

/** The line of a package, by the names in Postgres. */
export function sampleLine(isp: string | null, packageName: string | null): SampleLine {
  const known: readonly SampleIsp[] = Object.values(sampleIsps);
  const packages = known.find(({ name }) => name === isp)?.packages;
  return (packageName === null ? undefined : packages?.[packageName]) ?? unknownLine;
}
