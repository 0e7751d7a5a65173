import { normaliseId } from '../../registry/normalise-id.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';

/** Identifies one agent: a column of `agents` and its value. */
export interface AgentLookup {
  readonly column: 'agent_id_normalised' | 'unit_id' | 'mac_address_normalised';
  readonly value: string | number;
}

/** Parses `/metadata/{field}/{value}`. Ignores punctuation and case of the value. */
export function parseAgentLookup(field: string, value: string): AgentLookup {
  switch (field) {
    case 'agent':
      return { column: 'agent_id_normalised', value: normaliseId(value) };
    case 'unit':
      return { column: 'unit_id', value: parseUnit(value) };
    case 'mac':
      return { column: 'mac_address_normalised', value: normaliseId(value) };
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
