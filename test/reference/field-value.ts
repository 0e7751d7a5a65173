import { metadataAt } from './metadata-at.ts';
import type { Row, Value } from './panel.ts';

/** The value of a field at the time of the result: text, number or null. */
export function fieldValue(row: Row, field: string): Value {
  const metadata = metadataAt(row.agent, row.dtimeUtcMs);
  switch (field) {
    case 'isp':
      return metadata?.isp ?? null;
    case 'package':
      return metadata === undefined || metadata.packageName === null
        ? null
        : `${metadata.isp ?? ''}:${metadata.packageName}`;
    case 'country':
      return row.agent.country;
    case 'agent':
      return row.agent.agentId;
    case 'unit':
      return row.agent.unitId === null ? null : String(row.agent.unitId);
    case 'base':
      return row.agent.base === '' ? null : row.agent.base;
  }
  const column = columnOf(row, field);
  if (column !== undefined) return column === '' ? null : column;
  const key = field.startsWith('custom.') ? field.slice('custom.'.length) : field;
  return metadata?.custom[key] ?? null;
}

/** Whether a field is of the household's metadata, and not of the result, its agent or its unit. */
export function isOfMetadata(row: Row, field: string): boolean {
  return !['agent', 'unit', 'base'].includes(field) && columnOf(row, field) === undefined;
}

function columnOf({ columns }: Row, field: string): Value | undefined {
  return columns[field === 'target_set' ? 'target_group' : field];
}
