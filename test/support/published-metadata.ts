import { metadataAsOfResult } from '../../services/catalog/result.ts';

/** SQL of an attribute of an agent at a time (SQL too), as the queries of the API look it up. */
export function publishedMetadata(attribute: string, agentKey: number, at: string): string {
  return `(SELECT ${metadataAsOfResult([attribute])}
    FROM (SELECT toUInt64(${agentKey}) AS agent_key, ${at} AS ended_at))`;
}
