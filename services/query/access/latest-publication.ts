/**
 * The publication of an organisation's metadata in ClickHouse, or the snapshot of 0.1.0 while it has none.
 * Parameter: organisationId.
 */
export const latestPublication = `SELECT toString(if(count() = 0, (SELECT max(version) FROM agent_metadata_version), max(publication))) AS version
FROM (
    SELECT organisation_id, publication FROM agent_metadata_publication
    UNION ALL
    SELECT organisation_id, publication FROM agent_metadata_change_publication
) WHERE organisation_id = {organisationId:UInt32}`;
