/** A statement of a migration that is repeatable and runs on a cluster. */
export interface SchemaStatement {
  readonly kind: 'create' | 'alter' | 'drop' | 'insert';
  /** Without leading comments. */
  readonly text: string;
  /** `TABLE`, `VIEW` or `DICTIONARY`. */
  readonly object: string;
  readonly name: string;
  /** The text up to the name: `ALTER TABLE test_dns`. */
  readonly head: string;
  /** What an ALTER changes on a cluster. */
  readonly alter?: AlterForm;
}

interface AlterForm {
  readonly pattern: RegExp;
  /** The tables to change if the table is sharded, in order. */
  readonly tables: readonly ('shard' | 'distributed')[];
  /** The change is not replicated: it must run on every node. */
  readonly isLocal?: true;
}

/**
 * Parses a statement of a migration. If the statement is not repeatable, cannot run on a cluster, or belongs
 * elsewhere, throws an error that says what to write instead.
 */
export function parseStatement(sql: string): SchemaStatement {
  const text = sql.replace(/^(\s*--.*\n|\s*\/\*[\s\S]*?\*\/|\s+)+/, '');
  for (const { kind, pattern } of statementForms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { object = 'TABLE', name = '' } = match.groups ?? {};
    const statement = { kind, text, object, name, head: match[0] };
    if (kind === 'alter') return { ...statement, alter: alterForm(text.slice(match[0].length)) };
    if (kind === 'create' && object === 'TABLE') requireMergeTree(text);
    return statement;
  }
  throw new Error(adviceFor(text, statementAdvice));
}

const statementForms: readonly Pick<SchemaStatement & { pattern: RegExp }, 'kind' | 'pattern'>[] = [
  { kind: 'create', pattern: /^CREATE (?<object>TABLE|DICTIONARY) IF NOT EXISTS (?<name>\w+)\b/ },
  { kind: 'create', pattern: /^CREATE OR REPLACE (?<object>DICTIONARY|VIEW) (?<name>\w+)\b/ },
  { kind: 'alter', pattern: /^ALTER TABLE (?<name>\w+)\b/ },
  { kind: 'drop', pattern: /^DROP (?<object>TABLE|VIEW|DICTIONARY) IF EXISTS (?<name>\w+)$/ },
  { kind: 'insert', pattern: /^INSERT INTO (?<name>\w+)(?=( \([\w\s,]+\))?\s+(SELECT|WITH)\b)/ },
];

type Advice = readonly [RegExp, string];

const statementAdvice: readonly Advice[] = [
  [
    /^CREATE (OR REPLACE )?MATERIALIZED VIEW\b/,
    'materialized views are generated: add it to generated/generated-objects.ts',
  ],
  [/^CREATE VIEW\b/, 'write CREATE OR REPLACE VIEW'],
  [
    /^CREATE OR REPLACE TABLE\b/,
    'write CREATE TABLE IF NOT EXISTS: replacing a table loses its rows',
  ],
  [/^CREATE (TABLE|DICTIONARY)\b/, 'write CREATE … IF NOT EXISTS'],
  [/^DROP (TABLE|VIEW|DICTIONARY)\b/, 'write DROP … IF EXISTS name'],
  [/^INSERT\b/, 'write INSERT INTO table SELECT …'],
  [
    /^(RENAME|EXCHANGE)\b/,
    'create the new table, move the rows with INSERT INTO … SELECT, drop the old one',
  ],
];

const bothTables = ['shard', 'distributed'] as const;

// REMOVE and RESET of a column property fail the second time, so MODIFY COLUMN must contain the new definition.
const alterForms: readonly AlterForm[] = [
  { pattern: /^ADD COLUMN IF NOT EXISTS\b/, tables: bothTables },
  { pattern: /^MODIFY COLUMN (IF EXISTS )?\w+ (CODEC|TTL)\b/, tables: ['shard'] },
  { pattern: /^MODIFY COLUMN (IF EXISTS )?\w+ (?!REMOVE\b|RESET\b|MODIFY\b)/, tables: bothTables },
  { pattern: /^RENAME COLUMN IF EXISTS\b/, tables: bothTables },
  { pattern: /^COMMENT COLUMN\b/, tables: bothTables, isLocal: true },
  { pattern: /^MODIFY COMMENT\b/, tables: bothTables, isLocal: true },
  { pattern: /^DROP COLUMN IF EXISTS\b/, tables: ['distributed', 'shard'] },
  { pattern: /^ADD (INDEX|PROJECTION|CONSTRAINT) IF NOT EXISTS\b/, tables: ['shard'] },
  { pattern: /^DROP (INDEX|PROJECTION|CONSTRAINT) IF EXISTS\b/, tables: ['shard'] },
  { pattern: /^(MODIFY|RESET) SETTING\b/, tables: ['shard'], isLocal: true },
  { pattern: /^MODIFY TTL\b/, tables: ['shard'] },
  { pattern: /^MATERIALIZE (COLUMN|INDEX|PROJECTION|TTL)\b/, tables: ['shard'] },
];

const alterAdvice: readonly Advice[] = [
  [/^ADD\b/, 'write ADD … IF NOT EXISTS'],
  [/^(DROP|RENAME)\b/, 'write DROP or RENAME … IF EXISTS'],
  [/^MODIFY COLUMN\b/, 'write the new definition of the column'],
  [
    /^MODIFY (QUERY|DEFINER|SQL)\b/,
    'materialized views are generated: change generated/generated-objects.ts',
  ],
];

function alterForm(tail: string): AlterForm {
  const change = tail.trim();
  const form = alterForms.find(({ pattern }) => pattern.test(change));
  if (form === undefined) throw new Error(adviceFor(change, alterAdvice));
  // Several changes may need different orders on a cluster, and are not atomic in ClickHouse either.
  const outermost = withoutNested(change);
  if (/,\s*(ADD|DROP|MODIFY|RENAME|COMMENT|MATERIALIZE|RESET|CLEAR|REMOVE)\b/.test(outermost)) {
    throw new Error('write one ALTER TABLE per change');
  }
  return form;
}

/** Removes quoted text and parentheses with their content. */
function withoutNested(sql: string): string {
  let text = sql.replace(/'(?:\\[\s\S]|[^'\\])*'|`[^`]*`|"[^"]*"/g, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/\([^()]*\)/g, '');
  }
  return text;
}

function requireMergeTree(text: string): void {
  if (!mergeTreeEngine.test(text)) {
    throw new Error(
      'write ENGINE = …MergeTree on a separate line: on a cluster it is replaced by a replicated engine',
    );
  }
}

/** `ENGINE = ReplacingMergeTree(first_received)`, on a line of its own. */
export const mergeTreeEngine = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m;

function adviceFor(text: string, advice: readonly Advice[]): string {
  return (
    advice.find(([pattern]) => pattern.test(text))?.[1] ??
    'migrations create, alter, drop and insert, as docs/schema-changes.md lists'
  );
}
