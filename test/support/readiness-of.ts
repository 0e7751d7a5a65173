import type { ServiceProcess } from './service-process.ts';

interface Readiness {
  readonly httpStatus: number;
  readonly status: string;
  readonly dependencies: Readonly<Record<string, Dependency>>;
}

interface Dependency {
  readonly ok: boolean;
  readonly required: boolean;
  readonly ageSeconds: number | null;
  readonly lagSeconds?: number;
  readonly error?: string;
  readonly version?: number | string;
  readonly publishedVersion?: number;
  readonly snapshotAgeSeconds?: number | null;
  readonly waitingChanges?: number;
}

export async function readinessOf({ opsUrl }: ServiceProcess): Promise<Readiness> {
  const response = await fetch(`${opsUrl}/readyz`);
  const body = (await response.json()) as Omit<Readiness, 'httpStatus'>;
  return { httpStatus: response.status, ...body };
}
