import { agentsSection } from './agents/agents-section.ts';
import { MissingColumnError, RefusedFileError } from './mapping-error.ts';
import type { MappingRequest } from './mapping/complete-mapping.ts';
import { presetNames, readPreset } from './mapping/mapping-file.ts';
import { parseExpression } from './mapping/parse-expression.ts';
import { SourceColumns } from './mapping/source-columns.ts';

/** Refuses a file that lacks columns of its preset. Names them, and the preset whose columns are all there. */
export function checkPreset(request: MappingRequest, sourceColumns: readonly string[]): void {
  const { preset } = request;
  if (preset === undefined) return;
  const missing = missingColumns(request, sourceColumns);
  if (missing.length === 0) return;
  const fitting = presetNames().filter((name) => {
    const other = { file: readPreset(name), columns: {}, agents: {} };
    return missingColumns(other, sourceColumns).length === 0;
  });
  const names = missing.map((name) => JSON.stringify(name)).join(', ');
  throw new RefusedFileError(
    `the file does not fit the preset ${preset}. Missing columns: ${names}. ` +
      (fitting.length === 0
        ? 'No preset fits it: --map TARGET=EXPRESSION gives a column.'
        : `Its columns fit --preset ${fitting.join(' or ')}.`),
  );
}

function missingColumns(
  request: MappingRequest,
  sourceColumns: readonly string[],
): readonly string[] {
  const { file, columns } = request;
  const ofResults = { ...file?.columns, ...columns };
  const missing: string[] = [];
  for (const expression of [ofResults, agentsSection(request) ?? {}].flatMap(
    Object.values<string>,
  )) {
    // An expression stops at its first missing column: it is parsed again as if the file had that one.
    while (addMissing(expression, request, sourceColumns, missing));
  }
  return missing;
}

function addMissing(
  expression: string,
  { file }: MappingRequest,
  sourceColumns: readonly string[],
  missing: string[],
): boolean {
  try {
    parseExpression(expression, new SourceColumns([...sourceColumns, ...missing]), file?.values);
    return false;
  } catch (error) {
    // Compiling the mapping reports other errors.
    if (!(error instanceof MissingColumnError) || missing.includes(error.column)) return false;
    missing.push(error.column);
    return true;
  }
}
