import { metadataAsOfResult } from '../../services/catalog/result.ts';

/** SQL of an attribute of an agent at a time (SQL too), as the views that the API reads look it up. */
export function publishedMetadata(attribute: string, agentKey: number, at: string): string {
  return `(SELECT ${metadataAsOfResult(attribute, 'agent_metadata')}
    FROM (SELECT toUInt64(${agentKey}) AS agent_key, ${at} AS ended_at))`;
}
