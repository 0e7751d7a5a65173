import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the engine's configuration file and returns its path. */
export async function writeServerConfig(dataDir: string, extraConfig = ''): Promise<string> {
  const path = join(dataDir, 'config.xml');
  await writeFile(path, `<clickhouse>\n${settings}${extraConfig}</clickhouse>\n`);
  return path;
}

// Sized for one machine that runs everything: the defaults start hundreds of background threads and
// allow caches of 5 GiB. Backups go to <data>/backups.
const settings = `\
  <mark_cache_size>268435456</mark_cache_size>
  <max_server_memory_usage_to_ram_ratio>0.5</max_server_memory_usage_to_ram_ratio>
  <background_pool_size>4</background_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <background_distributed_schedule_pool_size>2</background_distributed_schedule_pool_size>
  <backups><allowed_path>backups</allowed_path></backups>
`;
