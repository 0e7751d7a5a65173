import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from '../../shared/postgres/connect-postgres.ts';

interface SampleOptions {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly endsAt: Date;
  readonly seed: number;
}

export async function seedSamplePanel({ database }: SampleOptions): Promise<void> {
  await database('organisations')
    .insert([{ name: 'demo' }, { name: 'other' }])
    .onConflict('name')
    .ignore();
}
