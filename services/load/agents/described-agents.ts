import type { AgentRecord } from '../../registry/agents/agent-record.ts';
import { agentProblem, agentRecord, firstProblems } from './parse-agent-records.ts';
import { convertTime } from '../../results/fields/convert-time.ts';
import { type CompiledMapping, compileMapping, type Mapping } from '../mapping/compile-mapping.ts';
import { CellError, RefusedCell } from '../mapping/evaluate-expression.ts';
import { RefusedFileError } from '../mapping-error.ts';
import type { SourceReader, SourceRow } from '../sources/source-rows.ts';

/** The agents that the rows of files describe. The first row of an agent counts, as for results. */
export class DescribedAgents {
  readonly #mapping: Mapping;
  readonly #records = new Map<string | number, AgentRecord>();
  readonly #problems: string[] = [];
  #isRefused = false;
  /** Columns of the files that describe agents. */
  readonly columnsRead = new Set<string>();
  #earliest: string | undefined;

  /** `mapping` has columns of `netpanel agents import`, and dtime. */
  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /** Reads the rows of a file. */
  reader(fileName: string): SourceReader {
    let compiled: CompiledMapping | undefined;
    return {
      onColumns: (columns) => {
        compiled = compileMapping(this.#mapping, columns);
        const columnsRead = compiled.targets.flatMap(({ reads }) => reads);
        for (const name of columnsRead) this.columnsRead.add(name);
        return columnsRead;
      },
      onRows: ({ rows }) => {
        for (const row of rows) if (compiled !== undefined) this.#add(compiled, row, fileName);
        return Promise.resolve();
      },
    };
  }

  /** The time of the first result; null without results. */
  get fromUtc(): Date | null {
    return this.#earliest === undefined ? null : new Date(`${this.#earliest.replace(' ', 'T')}Z`);
  }

  /** Throws an Error that lists invalid rows. */
  records(): readonly AgentRecord[] {
    if (this.#problems.length > 0) {
      const Kind = this.#isRefused ? RefusedFileError : Error;
      throw new Kind(`${firstProblems(this.#problems)}\nNothing was loaded.`);
    }
    return [...this.#records.values()];
  }

  #add({ targets, apply }: CompiledMapping, row: SourceRow, fileName: string): void {
    const names = targets.map(({ name }) => name);
    try {
      const values = apply(row);
      const record = agentRecord(names, values, 'none');
      const id = record.agentId ?? record.unitId;
      // The row is rejected with its result, with the reason.
      if (id === null || Number.isNaN(id)) return;
      this.#addTime(values[names.indexOf('dtime')] ?? '');
      if (this.#records.has(id)) return;
      const problem = agentProblem(record);
      if (problem === undefined) this.#records.set(id, record);
      else this.#problems.push(`${fileName}, line ${row.line}: ${problem}`);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      this.#isRefused ||= error instanceof RefusedCell;
      this.#problems.push(`${fileName}, line ${row.line}: ${describeCell(error)}`);
    }
  }

  #addTime(text: string): void {
    const time = convertTime(text)?.text.slice(0, 'YYYY-MM-DD HH:MM:SS'.length);
    if (time !== undefined && (this.#earliest === undefined || time < this.#earliest)) {
      this.#earliest = time;
    }
  }
}

/** `unit must be a number, but unit is "x"` */
export function describeCell({ message, column, value }: CellError): string {
  return column === '' ? message : `${message}, but ${column} is ${JSON.stringify(value)}`;
}
