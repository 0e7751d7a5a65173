import { expect } from 'chai';
import { fieldsOf, metricFields } from '../../../services/catalog/fields.ts';
import { findMetric, metrics } from '../../../services/catalog/metrics.ts';
import {
  commonColumns,
  hasColumn,
  testTable,
  testTables,
  type TestKey,
} from '../../../services/catalog/test-tables.ts';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';

describe('the catalogue of metrics', () => {
  it('has the metrics of the contract with their units', () => {
    const units = Object.fromEntries(metrics.map(({ key, unit }) => [key, unit]));
    expect(units).to.include({
      httpget: 'mbps',
      httpget_retrans: 'count',
      jitterDown: 'ms',
      dnsResponse: 'ms',
      dnsFail: '%',
      webgetAvg: 's',
    });
  });

  it('says of each metric whether higher or lower values are better', () => {
    const keysOf = (wanted: string | null) =>
      metrics.filter(({ better }) => better === wanted).map(({ key }) => key);
    expect(keysOf('higher')).to.have.members(
      metrics.filter(({ unit }) => unit === 'mbps').map(({ key }) => key),
    );
    expect(keysOf(null)).to.have.members(['networkUsageDown', 'networkUsageUp', 'tracerouteHops']);
    expect(keysOf('lower')).to.include.members(['udpLatency', 'udpPacketLoss', 'panelOutages']);
  });

  it('has unique names, and finds a metric by its alias', () => {
    const names = metrics.flatMap(({ key, aliases }) => [key, ...aliases]);
    expect(new Set(names).size).to.equal(names.length);
    expect(findMetric('httpgetmt')).to.equal(findMetric('httpget'));
    expect(findMetric('httppostmt')).to.equal(findMetric('httppost'));
  });

  it('expects as many results as blocks: the schedule of a test is that of its metrics', () => {
    for (const { key, test, everyHours } of metrics) {
      const { schedule } = testTable(test);
      if (schedule !== undefined) expect(schedule.resultsPerHour, key).to.equal(1 / everyHours);
    }
    expect(testTable('httpget').schedule?.resultsPerHour).to.equal(0.5);
  });

  it('defines only fields that exist in the test of the metric', () => {
    for (const metric of metrics) {
      for (const name of metric.ownFields) {
        const field = metricFields.find((candidate) => candidate.name === name);
        expect(field, `${metric.key}: ${name}`).to.not.equal(undefined);
        if (field?.source.kind === 'column') {
          expect(hasColumn(metric.test, field.source.column), `${metric.key}: ${name}`).to.be.true;
        }
      }
    }
  });

  it('does not offer raw failure rates', () => {
    for (const { raw, unit } of metrics) expect(raw).to.equal(unit !== '%');
  });

  it('does not split network usage by target, or units by phone model', () => {
    const names = (key: string) => fieldsOf(findMetric(key)!).map(({ name }) => name);
    expect(names('networkUsageDown')).to.include('isp').and.not.include('target');
    expect(names('httpget')).to.include.members(['threads', 'ip_version']).and.not.include('model');
    expect(names('mobileDownload')).to.include.members(['model', 'carrier_name', 'agent']);
  });
});

describe('the catalogue of tests', () => {
  const migrations = migrationText();

  it('has the 17 tests that agents run, and the averages that regulators publish', () => {
    const keysOf = (agents: string) =>
      Object.values(testTables)
        .filter((table) => table.agents === agents)
        .map(({ key }) => key);
    expect(keysOf('units')).to.have.members(
      'httpget httppost dns netflix ping jitter latency webget youtube network_usage traceroute udpcloss panel'.split(
        ' ',
      ),
    );
    expect(keysOf('mobile')).to.have.members(
      'mobile_download mobile_latency mobile_upload mobile_www mobile_youtube'.split(' '),
    );
  });

  for (const key of Object.keys(testTables) as TestKey[]) {
    it(`has the columns and the key of the table test_${key}`, () => {
      const table = tableText(migrations, key);
      const internal = ['organisation_id', 'agent_key', 'received_at', 'first_received'];
      const columns = table.columns.filter((column) => !internal.includes(column));
      expect(columns).to.have.members([...commonColumns, ...testTable(key).columns]);
      expect(table.key.slice(4)).to.deep.equal(testTable(key).rowKey);
    });
  }
});

function migrationText(): string {
  return readMigrations()
    .flatMap(({ statements }) => statements)
    .map(({ text }) => text)
    .join('\n');
}

function tableText(sql: string, key: string): { columns: string[]; key: string[] } {
  const definition = new RegExp(`EXISTS test_${key}\\n\\((.*?)\\n\\)\\n(.*?)\\nCOMMENT`, 's').exec(
    sql,
  );
  const columns = [...(definition?.[1] ?? '').matchAll(/^ {4}(?!INDEX)(\w+) /gm)].map(
    (match) => match[1]!,
  );
  const order = /ORDER BY \((.*)\)/.exec(definition?.[2] ?? '')?.[1] ?? '';
  return { columns, key: order.split(', ') };
}
