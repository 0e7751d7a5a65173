import { isAgentId } from '../../registry/normalise-id.ts';
import type { SetIdentifier } from '../../registry/agent-sets.ts';

export interface SetId {
  readonly id: string;
  readonly line: number;
}

/** One id per line. Empty lines and lines that start with # are skipped. Throws with the first invalid line. */
export function parseSetIds(text: string, by: SetIdentifier, file: string): readonly SetId[] {
  const ids = text
    // A file of Windows may begin with a byte order mark.
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, i) => ({ id: line.trim(), line: i + 1 }))
    .filter(({ id }) => id !== '' && !id.startsWith('#'));
  const invalid = ids.find(({ id }) => !(by === 'unit' ? isUnitId(id) : isAgentId(id)));
  if (invalid !== undefined) {
    const { id, line } = invalid;
    const rule =
      by === 'unit'
        ? 'a unit id must be a whole number of at most 15 digits; for agent ids, send --by agent'
        : 'an agent id must have a letter or a digit';
    throw new Error(`${file}, line ${line}: ${JSON.stringify(id.slice(0, 100))}: ${rule}`);
  }
  if (ids.length === 0) throw new Error(`${file} has no ids: write one per line`);
  return ids;
}

function isUnitId(id: string): boolean {
  return /^\d{1,15}$/.test(id);
}
