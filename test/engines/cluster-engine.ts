import type {
  Engine,
  EngineOptions,
  EngineResult,
  EngineStatement,
  InsertStatement,
} from '../../deploy/local/clickhouse/engines/engine.ts';
import { ChdbLibrary } from '../../deploy/local/clickhouse/engines/native/chdb-library.ts';
import { enginePackage } from '../../deploy/local/clickhouse/engines/native/engine-package.ts';
import { startNativeEngine } from '../../deploy/local/clickhouse/engines/native/native-engine.ts';
import type { RunningQuery } from '../../deploy/local/clickhouse/running-query.ts';
import { asSingleNode } from './as-single-node.ts';

/**
 * The native engine as a cluster `netpanel` of one node: Distributed tables over shard tables work as on
 * a real cluster. asSingleNode removes the rest from the statements.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const library = ChdbLibrary.open(enginePackage);
  library.disableSignalHandlers();
  return new SingleNodeCluster(await startNativeEngine(library, options, oneNode));
}

// The engine treats localhost with its own port as local and opens no port.
const oneNode = `
  <tcp_port>9000</tcp_port>
  <remote_servers>
    <netpanel><shard><replica><host>localhost</host></replica></shard></netpanel>
  </remote_servers>
  <macros><shard>1</shard><replica>1</replica></macros>
`;

class SingleNodeCluster implements Engine {
  readonly version: string;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.version = engine.version;
    this.#engine = engine;
  }

  query(running: RunningQuery, statement: EngineStatement): Promise<EngineResult> {
    return this.#engine.query(running, { ...statement, sql: asSingleNode(statement.sql) });
  }

  stream(running: RunningQuery, statement: EngineStatement): AsyncGenerator<EngineResult> {
    return this.#engine.stream(running, statement);
  }

  insert(running: RunningQuery, statement: InsertStatement): Promise<EngineResult> {
    return this.#engine.insert(running, statement);
  }

  cancel(running: RunningQuery): void {
    this.#engine.cancel(running);
  }

  stop(): Promise<void> {
    return this.#engine.stop();
  }
}
