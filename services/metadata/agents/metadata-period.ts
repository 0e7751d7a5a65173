import { type AgentMetadata, metadataColumns } from './agent-metadata.ts';

/** A validity period in the history of an agent. */
export interface MetadataPeriod extends AgentMetadata {
  readonly from: Date | null;
  readonly to: Date | null;
  /** Of the change that set the values. A later change may have shortened the period. */
  readonly recordedAt: Date;
  readonly recordedBy: ChangeAuthor;
}

export interface ChangeAuthor {
  readonly kind: 'token' | 'import';
  /** The label of the token or the name of the file; null if an erasure has removed it. */
  readonly name: string | null;
}

const periodFields = [
  'from',
  'to',
  'package',
  'isp',
  'timezone',
  'custom',
  'recordedAt',
  'recordedBy',
] as const satisfies readonly (keyof MetadataPeriod)[];

/** The period of a row that has other columns as well. */
export function metadataPeriod(row: MetadataPeriod): MetadataPeriod {
  const fields = periodFields.map((field) => [field, row[field]] as const);
  return Object.fromEntries(fields) as unknown as MetadataPeriod;
}

/** The author of a change `c`, with the token `t` of the change. */
export const authorColumn = `json_build_object(
  'kind', case when c.token_id is null then 'import' else 'token' end,
  'name', coalesce(t.label, c.request ->> 'import'))`;

/** Columns of a row `m` of agent_metadata, with namesOfIds and authorOfPeriod. */
export const periodColumns = `lower(m.valid) as "from", upper(m.valid) as "to", ${metadataColumns},
  coalesce(m.first_recorded_at, m.recorded_at) as "recordedAt", ${authorColumn} as "recordedBy"`;

export const authorOfPeriod = `
  left join metadata_changes c on c.id = coalesce(m.first_recorded_by, m.recorded_by)
  left join api_tokens t on t.id = c.token_id`;
