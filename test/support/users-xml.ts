import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitSqlStatements } from '../../services/schema/clickhouse/read-migrations.ts';
import { metrics } from '../../services/catalog/metrics.ts';
import { testTables } from '../../services/catalog/test-tables.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

/** One role of deploy/clickhouse/roles. */
export interface Role {
  /** Without `TO`, as in users.xml: GRANT SELECT ON netpanel.test_dns. */
  readonly grants: readonly string[];
  readonly settings: readonly SettingRule[];
  readonly quota?: Quota;
  /** A row is visible if one of the policies of its table is true. */
  readonly policies: readonly RowPolicy[];
}

interface RowPolicy {
  /** Names of tables in the database netpanel; '*': all tables and views that an analyst may read. */
  readonly tables: '*' | readonly string[];
  readonly filter: string;
}

interface SettingRule {
  readonly name: string;
  readonly value?: string;
  readonly min?: string;
  readonly max?: string;
  readonly isConst: boolean;
}

interface Quota {
  readonly isKeyed: boolean;
  readonly seconds: number;
  /** Such as ['queries', '20000']. */
  readonly limits: readonly (readonly [string, string])[];
}

/** Reads roles/<name>.sql. */
export function readRole(name: string): Role {
  const path = join(repositoryRoot, 'deploy/clickhouse/roles', `${name}.sql`);
  return parseRole(readFileSync(path, 'utf8'));
}

/** Throws on an unknown statement or clause, so that nothing is ignored silently. */
export function parseRole(sql: string): Role {
  const grants: string[] = [];
  const profiles = new Map<string, readonly SettingRule[]>();
  let settings: readonly SettingRule[] = [];
  let quota: Quota | undefined;
  const policies: RowPolicy[] = [];
  for (const statement of splitSqlStatements(sql).map(withoutComments)) {
    const [, profile, rules = ''] =
      /^CREATE SETTINGS PROFILE IF NOT EXISTS (\w+) SETTINGS (.+)$/.exec(statement) ?? [];
    const [role, , roleProfile] =
      /^CREATE ROLE IF NOT EXISTS (\w+)(?: SETTINGS PROFILE '(\w+)')?$/.exec(statement) ?? [];
    const [, grant] = /^(GRANT .+ ON \S+) TO \w+$/.exec(statement) ?? [];
    const [, keys, count, unit = '', limits = ''] =
      /^CREATE QUOTA IF NOT EXISTS \w+(?: KEYED BY ([\w, ]+))? FOR INTERVAL (\d+) (\w+) MAX (.+) TO \w+$/.exec(
        statement,
      ) ?? [];
    const [, tables, filter] =
      /^CREATE ROW POLICY IF NOT EXISTS \w+ ON (netpanel\.[*\w]+(?:, netpanel\.\w+)*) USING (.+) TO \w+$/.exec(
        statement,
      ) ?? [];
    if (tables !== undefined && filter !== undefined) {
      policies.push({ tables: policyTables(tables), filter });
    } else if (profile !== undefined) {
      profiles.set(profile, rules.split(',').map(settingRule));
    } else if (role !== undefined) {
      settings =
        roleProfile === undefined ? [] : known(profiles.get(roleProfile), `profile ${roleProfile}`);
    } else if (grant !== undefined) {
      grants.push(grant);
    } else if (count !== undefined) {
      const seconds = Number(count) * known(secondsOf[unit], `interval ${unit}`);
      quota = { isKeyed: keys !== undefined, seconds, limits: limits.split(',').map(quotaLimit) };
    } else {
      throw new Error(`Unknown statement in a role: ${statement}`);
    }
  }
  return { grants, settings, policies, ...(quota === undefined ? {} : { quota }) };
}

/**
 * A users.xml in which each user has the grants of one role. The engine runs every query as `default`;
 * dictionaries and materialized views run as other users.
 */
export function usersXml(roles: Readonly<Record<string, Role>>): string {
  const each = (part: (role: Role, user: string) => string) =>
    Object.entries(roles)
      .map(([user, role]) => part(role, user))
      .join('');
  return `<clickhouse>
<profiles>${each(profileXml)}</profiles>
<quotas>${each(quotaXml)}</quotas>
<users>${each(userXml)}</users>
</clickhouse>
`;
}

const secondsOf: Readonly<Record<string, number>> = { minute: 60, hour: 3600, day: 86_400 };

function withoutComments(statement: string): string {
  return statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
}

// max_memory_usage = 4294967296 MIN 1 MAX 17179869184, or: allow_ddl = 0 CONST
function settingRule(text: string): SettingRule {
  const pattern = /^(\w+)(?: = ('?)(\w+)\2)?(?: MIN (\d+))?(?: MAX (\d+))?( CONST)?$/;
  const [, name, , value, min, max, isConst] = known(pattern.exec(text.trim()), `rule ${text}`);
  return {
    name: name ?? '',
    ...(value === undefined ? {} : { value }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    isConst: isConst !== undefined,
  };
}

function quotaLimit(text: string): readonly [string, string] {
  const [, name = '', value = ''] = known(/^(\w+) = (\d+)$/.exec(text.trim()), `limit ${text}`);
  return [name, value];
}

// netpanel.*, or: netpanel.test_dns, netpanel.filter_values
function policyTables(text: string): RowPolicy['tables'] {
  const names = text.split(', ').map((table) => table.replace('netpanel.', ''));
  return names[0] === '*' ? '*' : names;
}

function known<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`Unknown syntax in a role: ${what}`);
  return value;
}

function profileXml({ settings }: Role, user: string): string {
  const values = settings.map(({ name, value }) => (value === undefined ? '' : xml(name, value)));
  const constraints = settings.map(({ name, min, max, isConst }) => {
    const rules = [
      min === undefined ? '' : xml('min', min),
      max === undefined ? '' : xml('max', max),
      isConst ? '<const/>' : '',
    ].join('');
    return rules === '' ? '' : xml(name, rules);
  });
  return xml(user, `${values.join('')}${xml('constraints', constraints.join(''))}`);
}

// users.xml does not support KEYED BY client_key; <keyed/> means client_key, user_name.
function quotaXml({ quota }: Role, user: string): string {
  if (quota === undefined) return xml(user, '');
  const limits = quota.limits.map(([name, value]) => xml(name, value)).join('');
  const interval = xml('interval', `${xml('duration', String(quota.seconds))}${limits}`);
  return xml(user, `${quota.isKeyed ? '<keyed/>' : ''}${interval}`);
}

// users.xml supports policies only per table, and one filter for each.
function policiesXml({ policies }: Role): string {
  const filters = new Map<string, string[]>();
  for (const { tables, filter } of policies) {
    for (const table of tables === '*' ? analystTables : tables) {
      filters.set(table, [...(filters.get(table) ?? []), `(${filter})`]);
    }
  }
  if (filters.size === 0) return '';
  const tables = [...filters].map(([table, each]) => xml(table, xml('filter', each.join(' OR '))));
  return xml('databases', xml('netpanel', tables.join('')));
}

const analystTables = [
  ...Object.keys(testTables).flatMap((key) => [
    `test_${key}`,
    `last_rows_${key}`,
    `results_${key}`,
  ]),
  ...metrics.map(({ key }) => `metric_${key}`),
  ...['member', 'copy', 'current', 'agents'].map((name) => `agent_set_${name}`),
];

function userXml(role: Role, user: string): string {
  const { grants } = role;
  const queries = grants.map((grant) => xml('query', grant)).join('');
  const access = '<no_password/><networks><ip>::/0</ip></networks>';
  const named = `${xml('profile', user)}${xml('quota', user)}`;
  return xml(user, `${access}${named}${xml('grants', queries)}${policiesXml(role)}`);
}

function xml(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}
