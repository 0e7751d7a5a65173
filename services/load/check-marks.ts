import { firstProblems } from './agents/parse-agent-records.ts';
import { describeCell } from './agents/described-agents.ts';
import type { InputFile } from './input/input-files.ts';
import type { FileTarget } from './load-file.ts';
import { localFile, readSource } from './open-input.ts';
import { RefusedFileError } from './mapping-error.ts';
import type { SourceReader } from './sources/source-rows.ts';
import { type CompiledMapping, compileMapping } from './mapping/compile-mapping.ts';
import { completeMapping } from './mapping/complete-mapping.ts';
import { RefusedCell } from './mapping/evaluate-expression.ts';
import { markColumns } from './mapping/gather-marks.ts';

/** Refuses files with a mark that is neither above nor below, before anything of them is stored. */
export async function checkMarks(files: readonly InputFile[], target: FileTarget): Promise<void> {
  if (target.test !== 'panel') return;
  const problems: string[] = [];
  for (const file of files) {
    const source = { ...localFile(file.path), ...file };
    await readSource(source, target, marksReader(file.name, target, problems));
  }
  if (problems.length === 0) return;
  throw new RefusedFileError(`${firstProblems(problems)}\nNothing was loaded.`);
}

function marksReader(fileName: string, target: FileTarget, problems: string[]): SourceReader {
  const { mapping, test } = target;
  let compiled: CompiledMapping | undefined;
  return {
    onColumns: (names) => {
      // Other formats have the same columns; the format decides only which unknown ones are errors.
      const all = completeMapping(mapping, names, test, 'ndjson');
      const marks = Object.entries(all.columns).filter(([name]) => markColumns.includes(name));
      compiled = compileMapping({ ...all, columns: Object.fromEntries(marks) }, names);
      return compiled.readColumns;
    },
    onRows: ({ rows }) => {
      for (const row of rows) {
        try {
          compiled?.apply(row);
        } catch (error) {
          if (!(error instanceof RefusedCell)) continue;
          problems.push(`${fileName}, line ${row.line}: ${describeCell(error)}`);
        }
      }
      return Promise.resolve();
    },
  };
}
