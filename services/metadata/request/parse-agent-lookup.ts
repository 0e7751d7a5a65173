import { AppError, validationError } from '../../shared/errors/app-error.ts';
import { isStorable } from './parse-fields.ts';

/** Identifies one agent by a column of `agents`. */
export interface AgentLookup {
  readonly column: 'agent_id' | 'mac_address' | 'unit_id';
  readonly value: string;
}

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

// As digits: a number above 2^53 would be that of another unit.
function parseUnit(value: string): string {
  if (!/^-?\d+$/.test(value)) {
    throw validationError({ value: ['This value should be of type integer.'] });
  }
  // A Postgres bigint has at most 19 digits.
  if (value.length > 19 || BigInt.asIntN(64, BigInt(value)) !== BigInt(value)) {
    throw new AppError('NOT_FOUND');
  }
  return value;
}
