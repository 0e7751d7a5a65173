import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { xlsxWorkbook } from '../../../deploy/local/sample/mba/xlsx-workbook.ts';
import { netpanel } from '../../support/netpanel.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

describe('netpanel load', () => {
  const own = useLoadFolder();
  const load = (...args: readonly string[]) =>
    netpanel(own.stack, 'load', '--org', own.tenant.name, '--no-wait', ...args);
  const speeds = () =>
    own.stored<object>('httpget', 'agent_id, toUInt32(bytes_sec) AS bytes_sec, target');
  const rejects = (path: string) =>
    readFileSync(`${path}.rejects.csv`, 'utf8').split('\n').slice(1, -1);
  const httpget = ['--test', 'httpget'];
  const firstDay = "dtime='2026-11-01'";

  it('takes the number of the row as the id of an agent, in any format, the same for its metadata', async () => {
    const maps = ['dtime=at', 'bytes_sec=mbps*125000', 'successes=1', 'isp=provider'].flatMap(
      (map) => ['--map', map],
    );
    const id = ['--map', "agent_id=concat('panel-', row())"];
    const rows = [
      { at: '2026-11-01 10:00', mbps: 8, provider: 'Northwave' },
      { at: '2026-11-01 11:00', mbps: 16, provider: 'Lakeside' },
    ];
    const csv = own.csv(
      'rows.csv',
      'at,mbps,provider',
      '2026-11-01 10:00,8,Northwave',
      '',
      '2026-11-01 11:00,16,Lakeside',
    );
    const first = await load(...httpget, ...maps, ...id, csv);
    expect(first.code, first.stderr).to.equal(0);
    expect(await speeds()).to.deep.equal([
      { agent_id: 'panel-1', bytes_sec: 1_000_000, target: '' },
      { agent_id: 'panel-3', bytes_sec: 2_000_000, target: '' },
    ]);
    const isps = await own.stack.database
      .table('agent_metadata')
      .join('agents', 'agents.id', 'agent_key')
      .join('isps', 'isps.id', 'isp_id')
      .where({ 'agents.organisation_id': own.tenant.organisationId })
      .orderBy('agent_id')
      .select<{ agent_id: string; name: string }[]>('agent_id', 'isps.name');
    expect(isps).to.deep.equal([
      { agent_id: 'panel-1', name: 'Northwave' },
      { agent_id: 'panel-3', name: 'Lakeside' },
    ]);
    const json = own.file('rows.json', JSON.stringify(rows, undefined, 2));
    const second = await load(
      ...httpget,
      ...maps,
      '--no-agents',
      '--map',
      'unit_id=row()*100',
      json,
    );
    expect(second.code, second.stderr).to.equal(0);
    expect(await speeds()).to.deep.include({ agent_id: '200', bytes_sec: 2_000_000, target: '' });
  });

  it('sets fields of agents by --map, without a mapping file, and saves them', async () => {
    const csv = own.csv(
      'fields.csv',
      'unit_id,dtime,bytes_sec,successes,provider,plan,zone',
      '1,2026-11-01 10:00:00,5,1,Northwave,Fibre 500,Europe/London',
      '2,2026-11-01 10:00:00,5,1,Lakeside,DSL,',
    );
    const saved = `${own.folder}/fields.json`;
    const maps = [
      'isp=provider',
      "package=concat(provider, ':', plan)",
      'timezone=zone',
      'custom.Plan=plan',
    ];
    const { code, stdout, stderr } = await load(
      ...httpget,
      '--save-mapping',
      saved,
      ...maps.flatMap((map) => ['--map', map]),
      csv,
    );
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('2 rows loaded');
    expect(stdout).to.include('1 agents have no time zone');
    expect(stdout).not.to.include('ignored columns');
    const agents = await netpanel(own.stack, 'agents', 'export', '--org', own.tenant.name, '-');
    expect(agents.stdout).to.match(/^1,1,.*Northwave:Fibre 500,Europe\/London,Fibre 500$/m);
    expect(JSON.parse(readFileSync(saved, 'utf8'))).to.deep.include({
      test: 'httpget',
      agents: {
        isp: 'provider',
        package: "concat(provider, ':', plan)",
        timezone: 'zone',
        'custom.Plan': 'plan',
      },
    });
    const again = await load('--mapping', saved, csv);
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.include('2 already there');
    const twice = await load(...httpget, '--map', 'isp=plan', '--map', 'ISP=plan', csv);
    expect([twice.code, twice.stderr.split('\n')[0]]).to.deep.equal([
      2,
      '--map isp=… is given twice',
    ]);
  });

  it('saves a mapping that lacks columns, and lists the columns of the file once', async () => {
    const csv = own.csv('lacking.csv', 'probe,speed', '1,5');
    const saved = `${own.folder}/lacking.json`;
    const lacking = [
      '--map',
      'bytes_sec=down',
      '--map',
      'threads=conns',
      '--map',
      'target=server',
      '--save-mapping',
      saved,
    ];
    const { code, stderr } = await load(
      ...httpget,
      '--map',
      'unit_id=probe',
      ...lacking,
      csv,
      own.csv('lacking-2.csv', 'probe,speed', '2,5'),
    );
    expect(code).to.equal(1);
    expect(stderr).to.include('no column gives dtime');
    expect(stderr).to.include(`Nothing was loaded. The mapping is in ${saved}: complete it there.`);
    expect(stderr.match(/no column gives dtime/g)).to.have.length(1);
    expect(JSON.parse(readFileSync(saved, 'utf8'))).to.deep.equal({
      test: 'httpget',
      columns: { unit_id: 'probe', bytes_sec: 'down', threads: 'conns', target: 'server' },
    });
    const unknown = await load(...['--mapping', saved, '--map', firstDay], csv);
    expect(unknown.stderr).to.include('bytes_sec=down: unknown column "down".\n');
    expect(unknown.stderr.match(/The file has: probe, speed\./g)).to.have.length(1);
    const targets = await load(
      ...httpget,
      '--map',
      'colour=probe',
      '--map',
      'weather=probe',
      '--map',
      'bytes_se=speed',
      csv,
    );
    expect(targets.stderr).to.include(
      'unknown column of the test: bytes_se. Did you mean bytes_sec?',
    );
    expect(targets.stderr.match(/The test has: /g)).to.have.length(1);
  });

  it('prints a preset that can be used as a mapping file', async () => {
    const { code, stdout } = await netpanel(own.stack, 'presets', 'show', 'ookla');
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.have.nested.property('columns.bytes_sec');
    const list = await netpanel(own.stack, 'presets', 'list', '--json');
    expect(
      (JSON.parse(list.stdout) as { preset: string }[]).map(({ preset }) => preset),
    ).to.include('ookla');
    const wrong = await netpanel(own.stack, 'presets', 'show', 'okla');
    expect([wrong.code, wrong.stderr.split('\n')[0]]).to.deep.equal([
      2,
      'unknown preset "okla". Did you mean ookla?',
    ]);
  });

  it('reads a JSON document of rows, also compressed and from its text alone', async () => {
    const rows = Array.from({ length: 3 }, (_, i) => ({
      unit_id: i + 1,
      dtime: '2026-11-01T10:00:00Z',
      bytes_sec: i === 1 ? 'fast' : 5,
      successes: 1,
      target: 'a],[{"',
      note: ['x', { y: 1 }],
    }));
    for (const name of ['document.json', 'document.json.gz', 'document.txt']) {
      const text = ` ${JSON.stringify(rows, undefined, 2)}\n`;
      const path = own.file(name, name.endsWith('.gz') ? gzipSync(text) : text);
      const { code, stdout, stderr } = await load(...httpget, path);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.include('3 rows read');
      expect(rejects(path)[0]).to.match(/^2,bytes_sec,fast,bytes_sec must be a whole number/);
    }
    expect(await speeds()).to.deep.equal([
      { agent_id: '1', bytes_sec: 5, target: 'a],[{"' },
      { agent_id: '3', bytes_sec: 5, target: 'a],[{"' },
    ]);
    const cut = own.file('cut.json', JSON.stringify(rows).slice(0, -10));
    const failed = await load(...httpget, cut);
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.include('not a JSON array of objects: the closing ] is missing');
  });

  it('reads the first sheet of an XLSX workbook that has the columns, after title lines', async () => {
    const path = own.file(
      'panel.xlsx',
      xlsxWorkbook({
        About: [['Speeds'], ['Date', 'Author'], ['2026', 'Somebody']],
        Speeds: [
          ['Measured speeds'],
          ['unit_id', 'dtime', 'bytes_sec', 'successes'],
          ['1', '2026-11-01 10:00:00', '5', '1'],
          ['', '', '', ''],
          ['2', '2026-11-01 10:00:00', 'slow', '1'],
        ],
      }),
    );
    const { code, stdout, stderr } = await load(...httpget, path);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('2 rows read: 1 rows loaded, 1 rejected');
    expect(rejects(path)[0]).to.match(/^5,bytes_sec,slow,/);
    expect(await speeds()).to.deep.equal([{ agent_id: '1', bytes_sec: 5, target: '' }]);
    const none = own.file('none.xlsx', xlsxWorkbook({ A: [['x', 'y']], B: [['unit_id', 'y']] }));
    const refused = await load(...httpget, none);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('sheet "A": unknown columns: x, y');
    expect(refused.stderr).to.include('sheet "B": unknown column: y');
    const damaged = await load(...httpget, own.file('damaged.xlsx', Buffer.from('PK\x03\x04 no')));
    expect(damaged.stderr).to.include('not a complete XLSX workbook');
  });

  it('reports a quoted field over several lines with its lines and what it swallowed', async () => {
    const header = 'unit_id,dtime,target,bytes_sec,successes';
    const swallowing = own.csv(
      'swallow.csv',
      header,
      '1,2026-11-01 10:00:00,a,5,1',
      '2,2026-11-01 10:00:00,"a,5,1',
      '3,2026-11-01 10:00:00,a,5,1',
      '4,2026-11-01 10:00:00,a",5,1',
      '5,2026-11-01 10:00:00,"a,5,1',
      '6,2026-11-01 10:00:00,"b,5,1',
    );
    const { code, stdout } = await load(...httpget, swallowing);
    expect(code).to.equal(0);
    expect(stdout).to.include(
      '1 rows have a quoted field over several lines, perhaps because of a stray quote; first: the quoted field target ' +
        'goes from line 3 to line 5: "a,5,1\\n3,2026-11-01 10:00:00,a,5,1\\n4,2026-11-01 10:00:00,a"',
    );
    expect(rejects(swallowing).join('\n')).to.include(
      '6,target,"a,5,1\n6,2026-11-01 10:00:00,",text after the closing quote of target; the quoted field target goes from line 6 to line 7,',
    );
    expect(stdout).to.include(
      'rejected 1: text after the closing quote of target; first in line 6',
    );
    // A column that the mapping does not read may have line ends, but is reported as well.
    const mapped = own.csv('survey.csv', 'probe,comment,mbps', '7,"good', 'line",8', '8,bad,8');
    const survey = await load(
      ...httpget,
      '--map',
      'unit_id=probe',
      '--map',
      firstDay,
      '--map',
      'bytes_sec=mbps*125000',
      mapped,
    );
    expect(survey.code, survey.stderr).to.equal(0);
    expect(survey.stdout).to.include('2 rows loaded');
    expect(survey.stdout).to.include(
      'the quoted field comment goes from line 2 to line 3: "good\\nline"',
    );
    expect(existsSync(`${mapped}.rejects.csv`)).to.equal(false);
  });
});
