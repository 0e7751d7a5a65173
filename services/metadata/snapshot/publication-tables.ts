import { reloadDictionary } from '../../shared/clickhouse/reload-dictionary.ts';

/** Where the publications of a kind are, and the dictionary that reads them. */
export interface PublicationTables {
  readonly rows: string;
  /** Has a row for every publication that is complete. */
  readonly publications: string;
  readonly dictionary: string;
  /** The tables that the dictionary reads. */
  readonly sources: readonly string[];
}

/** All agents of an organisation. */
export const snapshotTables: PublicationTables = {
  rows: 'agent_metadata_period',
  publications: 'agent_metadata_publication',
  dictionary: 'agent_metadata',
  sources: [
    'agent_metadata_period',
    'agent_metadata_publication',
    'agent_metadata_snapshot',
    'agent_metadata_version',
  ],
};

/** The agents of an organisation that changed since its snapshot. Lookups try this dictionary first. */
export const changeTables: PublicationTables = {
  rows: 'agent_metadata_change',
  publications: 'agent_metadata_change_publication',
  dictionary: 'agent_metadata_changes',
  sources: ['agent_metadata_change', 'agent_metadata_change_publication'],
};

/** The values of custom fields of all publications that exist: a query may still use an earlier one. */
const customValues = {
  dictionary: 'custom_value',
  sources: ['agent_metadata_period', 'agent_metadata_change', 'agent_metadata_snapshot'],
} as const;

/** Statements that reload the values of custom fields: before metadata that refers to them, and after rows were erased. */
export function reloadCustomValues(cluster: string): readonly string[] {
  return reloadDictionary(customValues.dictionary, customValues.sources, cluster);
}
