import { normaliseId } from '../../registry/normalise-id.ts';
import { AppError, validationError } from '../../shared/errors/app-error.ts';

/** The one agent a GET is about: a column of `agents` and what it must equal. */
export interface AgentLookup {
  readonly column: 'agent_id_normalised' | 'unit_id' | 'mac_address_normalised';
  readonly value: string | number;
}

/** `/metadata/{field}/{value}`: punctuation and case of the value do not count. */
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
