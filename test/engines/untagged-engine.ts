import type { Engine, EngineOptions } from '../../deploy/local/clickhouse/engines/engine.ts';
import { startEngine as startNative } from '../../deploy/local/clickhouse/engines/native/native-engine.ts';

/** The native engine under the number of an older version, so that the local server writes its form of exceptions. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  return Object.defineProperty(await startNative(options), 'version', { value: '25.8.16.34' });
}
