import { listAgents, registerAgents, type StoredAgent } from '../../registry/agents.ts';
import { erasedAgents, recentlyErasedAgents, wasErased } from '../../registry/erased-ids.ts';
import { normaliseId } from '../../registry/normalise-id.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { ScannedRows } from '../rows/scanned-rows.ts';
import { type AgentEntry, AgentNumbers, unitIdAt } from './agent-numbers.ts';
import { agentPrefix, type PrefixOptions } from './agent-prefix.ts';

export interface DirectoryOptions extends PrefixOptions {
  readonly inDatabase: InDatabase;
  /** Finds the agents of a directory that starts empty; default: those with these identifiers. */
  readonly findAgents?: FindAgents;
  readonly kind: 'whitebox' | 'mobile';
  /** Units whose rows are not loaded. */
  readonly excludedUnits?: ReadonlySet<number>;
}

/** Runs statements that see the rows of the organisation. */
type InDatabase = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

export interface AgentIds {
  readonly unitIds: readonly number[];
  /** Normalised. */
  readonly agentIds: readonly string[];
}

export interface FoundAgent extends StoredAgent {
  /** Since when the agent exists, in seconds since 1970; undefined: not looked up. */
  readonly existsFromS?: number;
}

type FindAgents = (ids: AgentIds) => Promise<readonly FoundAgent[]>;

/**
 * The agents of an organisation and of a file. Each has a number, with which the scanner marks its rows, and
 * a prefix, which is inserted before each of its rows. New agents are registered in Postgres.
 */
export class AgentDirectory {
  readonly #options: DirectoryOptions;
  readonly #numbers: AgentNumbers;
  #registeredCount = 0;

  private constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#numbers = new AgentNumbers(options.excludedUnits);
  }

  /** Without agents: those of the rows are found by findNew. */
  static empty(options: DirectoryOptions): AgentDirectory {
    return new AgentDirectory(options);
  }

  /** With all agents of the organisation. */
  static async open(options: DirectoryOptions): Promise<AgentDirectory> {
    const directory = new AgentDirectory(options);
    const { inDatabase, organisationId } = options;
    for (const agent of await inDatabase((database) => listAgents(database, organisationId))) {
      const { id: key, unit_id: unitId, agent_id: agentId } = agent;
      const isExcluded = unitId !== null && options.excludedUnits?.has(unitId) === true;
      const prefix = isExcluded ? undefined : agentPrefix(agent, options);
      directory.#numbers.add({ unitId, agentId, prefix, key }, agent.agent_id_normalised);
    }
    return directory;
  }

  get registeredCount(): number {
    return this.#registeredCount;
  }

  get hasNew(): boolean {
    return this.#numbers.hasNew;
  }

  get newCount(): number {
    return this.#numbers.newCount;
  }

  isNew(number: number): boolean {
    return this.#numbers.isNew(number);
  }

  /** The agent number of a unit_id; undefined when it is not a number. */
  get unitNumber(): AgentNumbers['ofUnit'] {
    return this.#numbers.ofUnit;
  }

  /** The agent number of an agent_id; undefined when it is invalid. */
  get agentIdNumber(): AgentNumbers['ofAgentId'] {
    return this.#numbers.ofAgentId;
  }

  prefix(number: number): Buffer | undefined {
    return this.#numbers.entries[number]?.prefix;
  }

  /** Excluded by the release: its rows are left out, not rejected. */
  isExcluded(number: number): boolean {
    return this.#numbers.isExcluded(number);
  }

  /** How many of these rows are of excluded units. */
  countExcluded({ count, agents }: Pick<ScannedRows, 'count' | 'agents'>): number {
    if (this.#options.excludedUnits === undefined) return 0;
    return agents.subarray(0, count).filter((agent) => this.isExcluded(agent)).length;
  }

  /** Returns its agent_key; 0 for an agent that is not registered, in a dry run. */
  markUsed(number: number): number {
    const entry = this.#numbers.entries[number];
    if (entry !== undefined) entry.isUsed = true;
    return entry?.key ?? 0;
  }

  /** The agent_key of every agent with a valid row. */
  usedKeys(): readonly number[] {
    return this.#numbers.entries.flatMap(({ isUsed, key }) => (isUsed === true ? (key ?? []) : []));
  }

  /** For the reason in the reject file. */
  nameOf(number: number): string {
    const { agentId, unitId } = this.#numbers.entries[number] ?? {};
    return agentId === undefined ? `unit ${unitId}` : `agent ${agentId}`;
  }

  /** Why an agent was refused; undefined if it was not erased. */
  erasedReason(number: number): string | undefined {
    const erasedAt = this.#numbers.entries[number]?.erasedAt;
    return erasedAt === undefined ? undefined : wasErased(this.nameOf(number), erasedAt);
  }

  /** Unregisters agents that are erased during the load. To be called before each block. */
  async forgetErased(): Promise<void> {
    const { inDatabase, organisationId } = this.#options;
    const erased = await inDatabase((database) => recentlyErasedAgents(database, organisationId));
    if (erased.size === 0) return;
    for (const entry of this.#numbers.entries) {
      const erasedAt = entry.key === undefined ? undefined : erased.get(entry.key);
      if (erasedAt !== undefined) Object.assign(entry, { prefix: undefined, erasedAt });
    }
  }

  /** Sets the unit of a new agent, when the file has both columns. */
  setUnit(number: number, unitText: string): void {
    const entry = this.#numbers.entries[number];
    const bytes = Buffer.from(unitText);
    if (entry !== undefined) entry.unitId = unitIdAt(bytes, 0, bytes.length) ?? null;
  }

  /** Finds the registered ones of the new agents since the last call. The others stay new. */
  async findNew(): Promise<void> {
    const entries = this.#numbers.newEntries();
    if (entries.length === 0) return;
    await this.#readPrefixes(entries);
    this.#numbers.forgetNew((entry) => entry.prefix !== undefined || entry.erasedAt !== undefined);
  }

  /** Since when an agent exists, in seconds since 1970; undefined if that was not looked up. */
  existsFromS(number: number): number | undefined {
    return this.#numbers.entries[number]?.existsFromS;
  }

  /** Registers the new agents found since the last call. */
  async registerNew(): Promise<void> {
    const entries = this.#numbers.takeNew();
    const { inDatabase, organisationId, kind } = this.#options;
    const rows = entries.map(({ unitId, agentId }) => ({
      unit_id: unitId,
      agent_id: agentId ?? String(unitId),
    }));
    this.#registeredCount += await inDatabase((database) =>
      registerAgents(database, organisationId, kind, rows),
    );
    await this.#readPrefixes(entries);
  }

  /** Accepts the new agents that registerNew would register, and stores nothing. */
  async previewNew(): Promise<void> {
    const entries = this.#numbers.takeNew();
    await this.#findErased(entries);
    for (const entry of entries) {
      const { agentId, unitId, erasedAt } = entry;
      const isTaken = agentId === undefined && this.#numbers.hasAgentId(String(unitId));
      if (erasedAt !== undefined || isTaken) continue;
      entry.prefix = agentPrefix(unregistered, this.#options);
      this.#registeredCount++;
    }
  }

  async #readPrefixes(entries: readonly AgentEntry[]): Promise<void> {
    const stored = await this.#findAgents({
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
      entry.prefix = agentPrefix(agent, this.#options);
      entry.key = agent.id;
      if (agent.existsFromS !== undefined) entry.existsFromS = agent.existsFromS;
    }
    await this.#findErased(entries.filter(({ prefix }) => prefix === undefined));
  }

  #findAgents(ids: AgentIds): Promise<readonly FoundAgent[]> {
    const { inDatabase, organisationId, findAgents } = this.#options;
    if (findAgents !== undefined) return findAgents(ids);
    return inDatabase((database) => listAgents(database, organisationId, ids));
  }

  async #findErased(entries: readonly AgentEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { inDatabase, organisationId } = this.#options;
    const ids = entries.map(({ agentId = null, unitId }) => ({
      agentId,
      unitId,
      macAddress: null,
    }));
    const erased = await inDatabase((database) => erasedAgents(database, organisationId, ids));
    for (const [place, erasedAt] of erased) Object.assign(entries[place] ?? {}, { erasedAt });
  }
}

/** An agent that a dry run does not register. */
const unregistered = { id: 0, agent_id: '', agent_id_normalised: '', unit_id: null, base: '' };
