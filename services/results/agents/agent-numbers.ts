import { isAgentId, normaliseId } from '../../registry/normalise-id.ts';

export interface AgentEntry {
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

/** Numbers for the agents of a file, by unit_id and agent_id. An agent that is not known gets the next one. */
export class AgentNumbers {
  readonly entries: AgentEntry[] = [];
  readonly #numberOfUnit = new Map<number, number>();
  readonly #numberOfAgentId = new Map<string, number>();
  /** Found in the rows but not in Postgres. */
  readonly #new = new Set<number>();

  readonly #excludedUnits: ReadonlySet<number>;

  /** Units that are excluded are never new: they must not be registered. */
  constructor(excludedUnits: ReadonlySet<number> = new Set()) {
    this.#excludedUnits = excludedUnits;
  }

  isExcluded(number: number): boolean {
    return this.#excludedUnits.has(this.entries[number]?.unitId ?? -1);
  }

  /** Adds a registered agent. */
  add(entry: AgentEntry, normalisedId: string): void {
    const number = this.entries.push(entry) - 1;
    if (entry.unitId !== null) this.#numberOfUnit.set(entry.unitId, number);
    this.#numberOfAgentId.set(normalisedId, number);
  }

  get hasNew(): boolean {
    return this.#new.size > 0;
  }

  get newCount(): number {
    return this.#new.size;
  }

  isNew(number: number): boolean {
    return this.#new.has(number);
  }

  newEntries(): readonly AgentEntry[] {
    return [...this.#new].flatMap((number) => this.entries[number] ?? []);
  }

  /** The agents found since the last call. */
  takeNew(): readonly AgentEntry[] {
    const found = this.newEntries();
    this.#new.clear();
    return found;
  }

  /** The matching ones are no longer new. */
  forgetNew(isKnown: (entry: AgentEntry) => boolean): void {
    for (const number of this.#new) {
      const entry = this.entries[number];
      if (entry !== undefined && isKnown(entry)) this.#new.delete(number);
    }
  }

  hasAgentId(agentId: string): boolean {
    return this.#numberOfAgentId.has(normaliseId(agentId));
  }

  /** The number of a unit_id; undefined when it is not a number. */
  readonly ofUnit = (bytes: Buffer, start: number, end: number): number | undefined => {
    const unitId = unitIdAt(bytes, start, end);
    return unitId === undefined
      ? undefined
      : (this.#numberOfUnit.get(unitId) ?? this.#addUnit(unitId));
  };

  /** The number of an agent_id, as normaliseId compares it. */
  readonly ofAgentId = (bytes: Buffer, start: number, end: number): number | undefined => {
    const text = bytes.toString('utf8', start, end);
    const number = this.#numberOfAgentId.get(text);
    if (number !== undefined) return number;
    const agentId = text.trim();
    if (!isAgentId(agentId) || text.includes('"')) return undefined;
    const known = this.#numberOfAgentId.get(normaliseId(agentId)) ?? this.#addAgentId(agentId);
    // Cached by its spelling, so that it is normalised once.
    this.#numberOfAgentId.set(text, known);
    return known;
  };

  #addUnit(unitId: number): number {
    const number = this.#addNew({ unitId, agentId: undefined, prefix: undefined });
    this.#numberOfUnit.set(unitId, number);
    return number;
  }

  #addAgentId(agentId: string): number {
    const number = this.#addNew({ unitId: null, agentId, prefix: undefined });
    this.#numberOfAgentId.set(normaliseId(agentId), number);
    return number;
  }

  #addNew(entry: AgentEntry): number {
    const number = this.entries.push(entry) - 1;
    if (!this.isExcluded(number)) this.#new.add(number);
    return number;
  }
}

/** Spaces are ignored. A number of more than 15 digits may not be exact. */
export function unitIdAt(bytes: Buffer, start: number, end: number): number | undefined {
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
