import { randomUUID } from 'node:crypto';
import { RunningQuery } from '../../running-query.ts';
import { sqlTokens } from '../../sql-tokens.ts';
import type { Engine, EngineResult, EngineStatement, InsertStatement } from '../engine.ts';
import type { Journal, JournalEntry } from './journal.ts';

/** Makes the tables of an engine durable: every change is journaled before it is acknowledged. */
export class JournaledEngine implements Engine {
  readonly version: string;
  readonly #engine: Engine;
  readonly #journal: Journal;

  private constructor(engine: Engine, journal: Journal) {
    this.version = engine.version;
    this.#engine = engine;
    this.#journal = journal;
  }

  /** Runs the statements of the journal. */
  static async replay(engine: Engine, journal: Journal): Promise<Engine> {
    for (const entry of journal.entries()) await run(engine, entry);
    return new JournaledEngine(engine, journal);
  }

  async query(running: RunningQuery, statement: EngineStatement): Promise<EngineResult> {
    const result = await this.#engine.query(running, statement);
    if (isChange(statement.sql)) this.#journal.append({ query: statement });
    return result;
  }

  stream(running: RunningQuery, statement: EngineStatement): AsyncGenerator<EngineResult> {
    return this.#engine.stream(running, statement);
  }

  async insert(running: RunningQuery, statement: InsertStatement): Promise<EngineResult> {
    const result = await this.#engine.insert(running, statement);
    this.#journal.append({ insert: statement });
    return result;
  }

  cancel(running: RunningQuery): void {
    this.#engine.cancel(running);
  }

  stop(): Promise<void> {
    return this.#engine.stop();
  }
}

function run(engine: Engine, entry: JournalEntry): Promise<EngineResult> {
  const running = new RunningQuery(randomUUID(), '');
  return 'query' in entry
    ? engine.query(running, entry.query)
    : engine.insert(running, entry.insert);
}

function isChange(sql: string): boolean {
  // The first token after comments.
  for (const { text } of sqlTokens(Buffer.from(sql))) return changes.has(text.toUpperCase());
  return false;
}

const changes = new Set(['INSERT', 'CREATE', 'ALTER', 'DROP', 'TRUNCATE', 'RENAME', 'DELETE']);
