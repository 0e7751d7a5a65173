import { listAgents, registerAgents, type StoredAgent } from '../../registry/agents/agents.ts';
import { erasedAgents, recentlyErasedAgents, wasErased } from '../../registry/agents/erased-ids.ts';
import { isAgentId, normaliseId } from '../../registry/agents/normalise-id.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { csvText, type Separator } from '../csv.ts';

export interface DirectoryOptions {
  readonly organisationId: number;
  readonly inDatabase: InDatabase;
  /** Finds the agents of a directory that starts empty; default: those with these identifiers. */
  readonly findAgents?: FindAgents | undefined;
  readonly kind: 'whitebox' | 'mobile' | 'cell';
  /** Units whose rows are not loaded. */
  readonly excludedUnits?: ReadonlySet<number> | undefined;
  /** Values of the constant columns, which follow the agent in the prefix: `6,idle`. */
  readonly constants: readonly (string | number)[];
  /** Of the file, and so of the prefix. */
  readonly separator: Separator;
  /** Agent columns that the file contains. */
  readonly fileHas: { readonly unitId: boolean; readonly base: boolean };
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
  readonly #entries: AgentEntry[] = [];
  readonly #numberOfUnit = new Map<number, number>();
  readonly #numberOfAgentId = new Map<string, number>();
  /** Found in the rows but not in Postgres. */
  readonly #new = new Set<number>();
  /** How many of the entries findNew has searched. */
  #searchedCount = 0;
  registeredCount = 0;

  /** Without agents: those of the rows are found by findNew, or all of the organisation by readAll. */
  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** Adds all agents of the organisation. */
  async readAll(): Promise<void> {
    const { inDatabase, organisationId } = this.#options;
    for (const agent of await inDatabase((database) => listAgents(database, organisationId))) {
      const { id: key, unit_id: unitId, agent_id: agentId } = agent;
      const number = this.#entries.push({ unitId, agentId, prefix: undefined, key }) - 1;
      const entry = this.#entries[number];
      if (entry !== undefined && !this.isExcluded(number)) entry.prefix = this.#prefixOf(agent);
      if (unitId !== null) this.#numberOfUnit.set(unitId, number);
      this.#numberOfAgentId.set(agent.agent_id_normalised, number);
    }
  }

  get newCount(): number {
    return this.#new.size;
  }

  isNew(number: number): boolean {
    return this.#new.has(number);
  }

  /** The agent number of a unit_id; undefined when it is not a number. */
  readonly unitNumber = (bytes: Buffer, start: number, end: number): number | undefined => {
    const unitId = unitIdAt(bytes, start, end);
    if (unitId === undefined) return undefined;
    const known = this.#numberOfUnit.get(unitId);
    if (known !== undefined) return known;
    const number = this.#addNew({ unitId, agentId: undefined, prefix: undefined });
    this.#numberOfUnit.set(unitId, number);
    return number;
  };

  /** The agent number of an agent_id, as normaliseId compares it; undefined when it is invalid. */
  readonly agentIdNumber = (bytes: Buffer, start: number, end: number): number | undefined => {
    const text = bytes.toString('utf8', start, end);
    const number = this.#numberOfAgentId.get(text);
    if (number !== undefined) return number;
    const agentId = text.trim();
    if (!isAgentId(agentId) || text.includes('"')) return undefined;
    const normalised = normaliseId(agentId);
    const known =
      this.#numberOfAgentId.get(normalised) ??
      this.#addNew({ unitId: null, agentId, prefix: undefined });
    this.#numberOfAgentId.set(normalised, known);
    // Cached by its spelling, so that it is normalised once.
    this.#numberOfAgentId.set(text, known);
    return known;
  };

  /** Excluded units are never new: they must not be registered. */
  #addNew(entry: AgentEntry): number {
    const number = this.#entries.push(entry) - 1;
    if (!this.isExcluded(number)) this.#new.add(number);
    return number;
  }

  prefix(number: number): Buffer | undefined {
    return this.#entries[number]?.prefix;
  }

  /** Excluded by the release: its rows are left out, not rejected. */
  isExcluded(number: number): boolean {
    return this.#options.excludedUnits?.has(this.#entries[number]?.unitId ?? -1) === true;
  }

  /** How many of these rows are of excluded units. */
  countExcluded({
    count,
    agents,
  }: {
    readonly count: number;
    readonly agents: Uint32Array;
  }): number {
    if (this.#options.excludedUnits === undefined) return 0;
    return agents.subarray(0, count).filter((agent) => this.isExcluded(agent)).length;
  }

  /** Returns its agent_key; 0 for an agent that is not registered, in a dry run. */
  markUsed(number: number): number {
    const entry = this.#entries[number];
    if (entry !== undefined) entry.isUsed = true;
    return entry?.key ?? 0;
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
    const { inDatabase, organisationId } = this.#options;
    const erased = await inDatabase((database) => recentlyErasedAgents(database, organisationId));
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

  /** Finds the registered ones of the new agents since the last call. The others stay new. */
  async findNew(): Promise<void> {
    // A query of 100,000 identifiers would block the event loop before it is sent, and after.
    while (this.#searchedCount < this.#entries.length) {
      const first = this.#searchedCount;
      const entries = this.#entries.slice(first, first + agentsPerQuery);
      this.#searchedCount += entries.length;
      await this.#readPrefixes(entries.filter((_entry, place) => this.#new.has(first + place)));
      for (const [place, { prefix, erasedAt }] of entries.entries()) {
        if (prefix !== undefined || erasedAt !== undefined) this.#new.delete(first + place);
      }
    }
  }

  #takeNew(): readonly AgentEntry[] {
    const entries = [...this.#new].flatMap((number) => this.#entries[number] ?? []);
    this.#new.clear();
    return entries;
  }

  /** Since when an agent exists, in seconds since 1970; undefined if that was not looked up. */
  existsFromS(number: number): number | undefined {
    return this.#entries[number]?.existsFromS;
  }

  /** Registers the new agents found since the last call. */
  async registerNew(): Promise<void> {
    const entries = this.#takeNew();
    const { inDatabase, organisationId, kind } = this.#options;
    const rows = entries.map(({ unitId, agentId }) => ({
      unit_id: unitId,
      agent_id: agentId ?? String(unitId),
    }));
    this.registeredCount += await inDatabase((database) =>
      registerAgents(database, organisationId, kind, rows),
    );
    await this.#readPrefixes(entries);
  }

  /** Accepts the new agents that registerNew would register, and stores nothing. */
  async previewNew(): Promise<void> {
    const entries = this.#takeNew();
    await this.#findErased(entries);
    for (const entry of entries) {
      const { agentId, unitId, erasedAt } = entry;
      const isTaken =
        agentId === undefined && this.#numberOfAgentId.has(normaliseId(String(unitId)));
      if (erasedAt !== undefined || isTaken) continue;
      entry.prefix = this.#prefixOf(unregistered);
      this.registeredCount++;
    }
  }

  /** The CSV fields that are inserted before each row of an agent. */
  #prefixOf(agent: StoredAgent): Buffer {
    const { organisationId, fileHas, constants, separator } = this.#options;
    const values = [organisationId, agent.id, agent.agent_id];
    if (!fileHas.unitId) values.push(agent.unit_id ?? '');
    if (!fileHas.base) values.push(agent.base);
    // Ends with the separator: an empty last field.
    return Buffer.from(csvText([[...values, ...constants, '']], separator).slice(0, -1));
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
      entry.prefix = this.#prefixOf(agent);
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

const agentsPerQuery = 2_000;

/** An agent that a dry run does not register. */
const unregistered = { id: 0, agent_id: '', agent_id_normalised: '', unit_id: null, base: '' };

interface AgentEntry {
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
  /** Since when the agent exists, in seconds since 1970. */
  existsFromS?: number;
}

/** Spaces are ignored. A number of more than 15 digits may not be exact. */
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
