import { resultsView } from '../../services/catalog/result.ts';
import { testKeys } from '../../services/catalog/test-tables.ts';
import { resultTables } from '../../services/schema/clickhouse/generated/result-tables.ts';
import { shardTable } from '../../services/schema/clickhouse/sharded-tables.ts';

/**
 * Fills in the tables of results in the file of a role. Between a line such as
 *
 *   -- each test_, last_rows_: GRANT SELECT ON netpanel.TABLE TO netpanel_query;
 *
 * and the line `-- end` it writes the text for every table with such a prefix, and for its shard, which only a cluster
 * has.
 */
export function filledRole(sql: string): string {
  return sql.replace(
    /^( *)-- each ([\w, ]+): (.+)\n[\s\S]*?^ *-- end$/gm,
    (_all, indent: string, prefixes: string, text: string) => {
      const tables = prefixes
        .split(', ')
        .flatMap((prefix) => names.filter((name) => name.startsWith(prefix)));
      const lines = [...tables, ...tables.map(shardTable)].map((table) =>
        text.replace('TABLE', table),
      );
      return [`-- each ${prefixes}: ${text}`, ...lines, '-- end']
        .map((line) => `${indent}${line}`)
        .join('\n');
    },
  );
}

const names = [...resultTables().map(({ name }) => name), ...testKeys.map(resultsView)];
