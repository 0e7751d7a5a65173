import { listAgents, registerAgents, type StoredAgent } from '../../../registry/agents.ts';
import { erasedAgents, recentlyErasedAgents, wasErased } from '../../../registry/erased-ids.ts';
import { isAgentId, normaliseId } from '../../../registry/normalise-id.ts';
import type { Database } from '../../../shared/postgres/connect-postgres.ts';
import { csvText } from '../../csv/csv-text.ts';
import type { Separator } from '../../csv/parse-csv.ts';
import type { ScannedRows } from '../rows/scanned-rows.ts';

export interface DirectoryOptions {
  readonly database: Database;
  readonly organisationId: number;
  readonly kind: 'whitebox' | 'mobile';
  /** Values of the constant columns, which follow the agent in the prefix: `6,idle`. */
  readonly constants: readonly (string | number)[];
  /** Of the file, and so of the prefix. Default: comma. */
  readonly separator?: Separator;
  /** Units whose rows are not loaded. */
  readonly excludedUnits?: ReadonlySet<number>;
  /** Agent columns that the file contains. */
  readonly fileHas: { readonly unitId: boolean; readonly base: boolean };
}

/** Columns of a row's prefix, before the constants. */
export function prefixColumns({ unitId, base }: DirectoryOptions['fileHas']): readonly string[] {
  return [
    'organisation_id',
    'agent_key',
    'agent_id',
    ...(unitId ? [] : ['unit_id']),
    ...(base ? [] : ['base']),
  ];
}

interface Entry {
  unitId: number | null;
  /** As written in the file; undefined when the file has only units. */
  readonly agentId: string | undefined;
  /** CSV fields inserted before the row; undefined while the agent is not registered. */
  prefix: Buffer | undefined;
  /** agent_key in ClickHouse; undefined while the agent is not registered. */
  key?: number;
  /** Has a valid row in the file. */
  isUsed?: boolean;
  erasedAt?: Date;
}

/**
 * The agents of an organisation by unit_id and agent_id. Each has a number, with which the scanner
 * marks its rows, and a prefix, which is inserted before each of its rows.
 */
export class AgentDirectory {
  readonly #options: DirectoryOptions;
  readonly #entries: Entry[] = [];
  readonly #numberOfUnit = new Map<number, number>();
  readonly #numberOfAgentId = new Map<string, number>();
  /** Found in the rows but not in Postgres. */
  readonly #new = new Set<number>();
  #registeredCount = 0;

  private constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  static async open(options: DirectoryOptions): Promise<AgentDirectory> {
    const directory = new AgentDirectory(options);
    for (const agent of await listAgents(options.database, options.organisationId)) {
      const prefix = directory.#prefixOf(agent);
      const { id: key, unit_id: unitId, agent_id: agentId } = agent;
      const isExcluded = unitId !== null && options.excludedUnits?.has(unitId) === true;
      const entry = { unitId, agentId, prefix: isExcluded ? undefined : prefix, key };
      const number = directory.#entries.push(entry) - 1;
      if (agent.unit_id !== null) directory.#numberOfUnit.set(agent.unit_id, number);
      directory.#numberOfAgentId.set(agent.agent_id_normalised, number);
    }
    return directory;
  }

  get registeredCount(): number {
    return this.#registeredCount;
  }

  get hasNew(): boolean {
    return this.#new.size > 0;
  }

  isNew(number: number): boolean {
    return this.#new.has(number);
  }

  prefix(number: number): Buffer | undefined {
    return this.#entries[number]?.prefix;
  }

  /** Excluded by the release: its rows are left out, not rejected. */
  isExcluded(number: number): boolean {
    const unitId = this.#entries[number]?.unitId ?? undefined;
    return unitId !== undefined && this.#options.excludedUnits?.has(unitId) === true;
  }

  /** How many of these rows are of excluded units. */
  countExcluded({ count, agents }: Pick<ScannedRows, 'count' | 'agents'>): number {
    if (this.#options.excludedUnits === undefined) return 0;
    return agents.subarray(0, count).filter((agent) => this.isExcluded(agent)).length;
  }

  markUsed(number: number): void {
    const entry = this.#entries[number];
    if (entry !== undefined) entry.isUsed = true;
  }

  /** The agent_key of every agent with a valid row. */
  usedKeys(): readonly number[] {
    return this.#entries.flatMap(({ isUsed, key }) => (isUsed === true ? (key ?? []) : []));
  }

  /** For the reason in the reject file. */
  nameOf(number: number): string {
    const { agentId, unitId } = this.#entries[number] ?? {};
    return agentId === undefined ? `unit ${unitId}` : `agent ${agentId}`;
  }

  /** Why an agent was refused; undefined if it was not erased. */
  erasedReason(number: number): string | undefined {
    const erasedAt = this.#entries[number]?.erasedAt;
    return erasedAt === undefined ? undefined : wasErased(this.nameOf(number), erasedAt);
  }

  /** Unregisters agents that are erased during the load. To be called before each block. */
  async forgetErased(): Promise<void> {
    const { database, organisationId } = this.#options;
    const erased = await recentlyErasedAgents(database, organisationId);
    if (erased.size === 0) return;
    for (const entry of this.#entries) {
      const erasedAt = entry.key === undefined ? undefined : erased.get(entry.key);
      if (erasedAt !== undefined) Object.assign(entry, { prefix: undefined, erasedAt });
    }
  }

  /** Sets the unit of a new agent, when the file has both columns. */
  setUnit(number: number, unitText: string): void {
    const entry = this.#entries[number];
    const bytes = Buffer.from(unitText);
    if (entry !== undefined) entry.unitId = unitIdAt(bytes, 0, bytes.length) ?? null;
  }

  /** The agent number of a unit_id; undefined when it is not a number. */
  readonly unitNumber = (bytes: Buffer, start: number, end: number): number | undefined => {
    const unitId = unitIdAt(bytes, start, end);
    return unitId === undefined
      ? undefined
      : (this.#numberOfUnit.get(unitId) ?? this.#newUnit(unitId));
  };

  /** The agent number of an agent_id, as normaliseId compares it. */
  readonly agentIdNumber = (bytes: Buffer, start: number, end: number): number | undefined => {
    const text = bytes.toString('utf8', start, end);
    const number = this.#numberOfAgentId.get(text);
    if (number !== undefined) return number;
    const agentId = text.trim();
    if (!isAgentId(agentId) || text.includes('"')) return undefined;
    const known = this.#numberOfAgentId.get(normaliseId(agentId)) ?? this.#newAgentId(agentId);
    // Cached by its spelling, so that it is normalised once.
    this.#numberOfAgentId.set(text, known);
    return known;
  };

  /** Registers the new agents found since the last call. */
  async registerNew(): Promise<void> {
    const numbers = [...this.#new];
    this.#new.clear();
    const { database, organisationId, kind } = this.#options;
    const rows = numbers.map((number) => {
      const { unitId, agentId } = this.#entries[number] ?? { unitId: null, agentId: '' };
      return { unit_id: unitId, agent_id: agentId ?? String(unitId) };
    });
    this.#registeredCount += await registerAgents(database, organisationId, kind, rows);
    await this.#readPrefixes(numbers);
  }

  /** Accepts the new agents that registerNew would register, and stores nothing. */
  async previewNew(): Promise<void> {
    const entries = [...this.#new].flatMap((number) => this.#entries[number] ?? []);
    this.#new.clear();
    await this.#findErased(entries);
    for (const entry of entries) {
      const { agentId, unitId, erasedAt } = entry;
      const isTaken =
        agentId === undefined && this.#numberOfAgentId.has(normaliseId(String(unitId)));
      if (erasedAt !== undefined || isTaken) continue;
      entry.prefix = unsent;
      this.#registeredCount++;
    }
  }

  #newUnit(unitId: number): number {
    const number = this.#entries.push({ unitId, agentId: undefined, prefix: undefined }) - 1;
    this.#numberOfUnit.set(unitId, number);
    if (!this.isExcluded(number)) this.#new.add(number);
    return number;
  }

  #newAgentId(agentId: string): number {
    const number = this.#entries.push({ unitId: null, agentId, prefix: undefined }) - 1;
    this.#numberOfAgentId.set(normaliseId(agentId), number);
    this.#new.add(number);
    return number;
  }

  async #readPrefixes(numbers: readonly number[]): Promise<void> {
    const entries = numbers.flatMap((number) => this.#entries[number] ?? []);
    const { database, organisationId } = this.#options;
    const stored = await listAgents(database, organisationId, {
      unitIds: entries.flatMap(({ unitId }) => unitId ?? []),
      agentIds: entries.flatMap(({ agentId }) =>
        agentId === undefined ? [] : normaliseId(agentId),
      ),
    });
    const byUnit = new Map(stored.map((agent) => [agent.unit_id, agent]));
    const byId = new Map(stored.map((agent) => [agent.agent_id_normalised, agent]));
    for (const entry of entries) {
      const agent =
        entry.agentId === undefined
          ? byUnit.get(entry.unitId)
          : byId.get(normaliseId(entry.agentId));
      if (agent === undefined) continue;
      entry.prefix = this.#prefixOf(agent);
      entry.key = agent.id;
    }
    await this.#findErased(entries.filter(({ prefix }) => prefix === undefined));
  }

  async #findErased(entries: readonly Entry[]): Promise<void> {
    const { database, organisationId } = this.#options;
    const erased = await erasedAgents(
      database,
      organisationId,
      entries.map(({ agentId = null, unitId }) => ({ agentId, unitId, macAddress: null })),
    );
    for (const [place, erasedAt] of erased) Object.assign(entries[place] ?? {}, { erasedAt });
  }

  #prefixOf(agent: StoredAgent): Buffer {
    const { organisationId, fileHas, constants, separator } = this.#options;
    const values = [organisationId, agent.id, agent.agent_id];
    if (!fileHas.unitId) values.push(agent.unit_id ?? '');
    if (!fileHas.base) values.push(agent.base);
    // Ends with the separator: an empty last field.
    return Buffer.from(csvText([[...values, ...constants, '']], separator).slice(0, -1));
  }
}

/** The prefix of an agent that a dry run does not register. */
const unsent = Buffer.alloc(0);

// Spaces are ignored. A number of more than 15 digits may not be exact.
function unitIdAt(bytes: Buffer, start: number, end: number): number | undefined {
  let unitId = 0;
  let digits = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      unitId = unitId * 10 + byte - 0x30;
      digits++;
    } else if (byte !== 0x20) return undefined;
  }
  return digits === 0 || digits > 15 ? undefined : unitId;
}
