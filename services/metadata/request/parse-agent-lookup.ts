import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { isStorable } from './parse-fields.ts';

/** Identifies one agent by a column of `agents`. */
export type AgentLookup =
  | { readonly column: 'agent_id' | 'mac_address'; readonly value: string }
  | { readonly column: 'unit_id'; readonly value: number };

/** Parses `/metadata/{field}/{value}`. */
export function parseAgentLookup(field: string, value: string): AgentLookup {
  // No stored id contains these, and Postgres refuses them.
  if (!isStorable(value)) throw new AppError('NOT_FOUND');
  switch (field) {
    case 'agent':
      return { column: 'agent_id', value };
    case 'unit':
      return { column: 'unit_id', value: parseUnit(value) };
    case 'mac':
      return { column: 'mac_address', value };
    default:
      throw new AppError('NOT_FOUND');
  }
}

function parseUnit(value: string): number {
  if (!/^-?\d+$/.test(value)) {
    throw validationError({ value: ['This value should be of type integer.'] });
  }
  const unitId = Number(value);
  if (!Number.isSafeInteger(unitId)) throw new AppError('NOT_FOUND');
  return unitId;
}
