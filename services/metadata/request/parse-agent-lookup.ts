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

function parseUnit(value: string): number {
  if (!/^-?\d+$/.test(value)) {
    throw validationError({ value: ['This value should be of type integer.'] });
  }
  const unitId = Number(value);
  if (!Number.isSafeInteger(unitId)) throw new AppError('NOT_FOUND');
  return unitId;
}
