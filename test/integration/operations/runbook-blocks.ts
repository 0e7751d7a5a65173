import { operatorPages } from '../../support/operator-pages.ts';
import { statementsOf } from '../clients/sql-blocks.ts';

/** A code block of a document for operators. */
export interface RunbookBlock {
  /** The heading above it. */
  readonly section: string;
  readonly language: string;
  readonly text: string;
}

export function runbookBlocks(): readonly RunbookBlock[] {
  const blocks: RunbookBlock[] = [];
  let section = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of operatorPages().split('\n')) {
    const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
    const [fence, language = ''] = /^ *```(\w*)$/.exec(line) ?? [];
    if (fence === undefined) {
      if (open !== undefined) open.lines.push(line.trim());
      else section = heading ?? section;
    } else if (open === undefined) open = { language, lines: [] };
    else {
      blocks.push({ section, language: open.language, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  return blocks;
}

/** The statements of the SQL blocks of a section. */
export function runbookStatements(section: string, engine: 'clickhouse' | 'postgres'): string[] {
  const found = runbookBlocks()
    .filter((block) => block.section === section && block.language === 'sql')
    .flatMap(({ text }) => statementsOf(text));
  return found.filter((statement) => statement.engine === engine).map(({ sql }) => sql);
}
