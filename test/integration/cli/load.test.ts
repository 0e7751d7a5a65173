import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parseCsv } from '../../../services/results/csv.ts';
import { netpanel, netpanelOk, spawnNetpanel } from '../../support/netpanel.ts';
import { addAgent } from '../../support/tenant.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

describe('netpanel load', () => {
  const own = useLoadFolder();

  const load = (test: string, ...args: string[]) =>
    netpanelOk(own.stack, 'load', '--org', own.tenant.name, '--test', test, ...args);
  const agents = () =>
    own.stack
      .database('agents')
      .where({ organisation_id: own.tenant.organisationId })
      .orderBy('id')
      .select<{ id: number; agent_id: string; unit_id: number | null; kind: string }[]>(
        'id',
        'agent_id',
        'unit_id',
        'kind',
      );

  it('finds columns by name in any order and registers new units', async () => {
    const path = own.file(
      'order.csv',
      'rtt_avg,target,"dtime",unit_id\n' +
        '1200,"a, ""b""",2026-11-01 10:00:00.250,41\n' +
        '1300,c,2026-11-01 11:00:00,42\n',
    );
    const output = await load('latency', path);
    expect(output).to.include('order.csv: 2 rows read: 2 rows loaded, 2 agents registered');
    expect(output).to.match(/missing columns get defaults: .*line_load/);
    const [first, second] = await agents();
    expect(first).to.include({ agent_id: '41', unit_id: 41, kind: 'whitebox' });
    const rows = await own.stored('latency', '*');
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include({
      target: 'a, "b"',
      dtime: '2026-11-01 10:00:00.250',
      ddate: '2026-11-01',
      agent_id: '41',
      line_load: 'idle',
      ip_version: 4,
      rtt_avg: 1200,
    });
    expect(rows.map((row) => Number((row as { agent_key: string }).agent_key))).to.have.members([
      first?.id,
      second?.id,
    ]);
  });

  it('reads gzip, several files by a glob pattern, and standard input', async () => {
    own.file('part-1.csv.gz', gzipSync('unit_id,dtime\n1,2026-11-01 10:00:00\n'));
    own.file('part-2.csv.gz', gzipSync('unit_id,dtime\n1,2026-11-02 10:00:00\n'));
    await load('latency', join(own.folder, 'part-?.csv*'));
    expect(await own.storedRowCount('latency')).to.equal(2);

    const args = ['load', '--org', own.tenant.name, '--test', 'latency', '-'];
    const child = spawnNetpanel(own.stack, ...args);
    child.stdin.end('unit_id,dtime\n1,2026-11-03 10:00:00\n');
    expect(await new Promise((resolve) => child.once('close', resolve))).to.equal(0);
    expect(await own.storedRowCount('latency')).to.equal(3);
  });

  it('identifies agents by agent_id and stores their unit if the file has it', async () => {
    const mac = 'AA:BB:CC:DD:EE:01';
    for (const agentId of [mac, 'site1-11']) {
      await addAgent(own.stack.database, own.tenant.organisationId, { agentId, kind: 'mobile' });
    }
    const path = own.file(
      'phones.csv',
      [
        'agent_id,unit_id,dtime,model',
        'aabbccddee01,,2026-11-01 10:00:00,One',
        'CC:01,7,2026-11-01 10:00:00,Two',
        'site11-1,,2026-11-01 10:00:00,Three',
        '---,,2026-11-01 10:00:00,Four',
        '',
      ].join('\n'),
    );
    await load('mobile_latency', path);
    const known = await agents();
    expect(known.map(({ agent_id, unit_id, kind }) => ({ agent_id, unit_id, kind }))).to.deep.equal(
      [
        { agent_id: mac, unit_id: null, kind: 'mobile' },
        { agent_id: 'site1-11', unit_id: null, kind: 'mobile' },
        { agent_id: 'CC:01', unit_id: 7, kind: 'mobile' },
        { agent_id: 'site11-1', unit_id: null, kind: 'mobile' },
      ],
    );
    expect(await own.stored('mobile_latency', 'agent_id, unit_id, model')).to.have.deep.members([
      { agent_id: mac, unit_id: null, model: 'One' },
      { agent_id: 'CC:01', unit_id: 7, model: 'Two' },
      { agent_id: 'site11-1', unit_id: null, model: 'Three' },
    ]);
  });

  it('reports missing and unknown columns of all files before it loads anything', async () => {
    const good = own.file('good.csv', 'unit_id,dtime\n1,2026-11-01 10:00:00\n');
    const bad = own.file('bad.csv', 'dtime,rtt_average\n2026-11-01 10:00:00,5\n');
    const args = ['load', '--org', own.tenant.name, '--test', 'latency', good, bad];
    const { code, stderr } = await netpanel(own.stack, ...args);
    expect(code).to.equal(1);
    expect(stderr).to.include(
      `${bad}: missing column: unit_id (or agent_id); unknown column: rtt_average`,
    );
    expect(stderr).to.include('Nothing was loaded.');
    expect(await own.storedRowCount('latency')).to.equal(0);
  });

  it('ignores the columns of --ignore', async () => {
    const path = own.file('extra.csv', 'unit_id,location_id,dtime\n1,x,2026-11-01 10:00:00\n');
    await load('latency', '--ignore', 'location_id', path);
    expect(await own.storedRowCount('latency')).to.equal(1);
  });

  it('writes every kind of invalid row to the reject file with its line and reason', async () => {
    const lines = [
      'unit_id,dtime,target,rtt_avg',
      '1,2026-11-01 10:00:00,good,5',
      '1,2026-11-01 10:00:00',
      '1,2026-11-01 10:00:00,a,5,6',
      ',2026-11-01 10:00:00,a,5',
      '1,yesterday,a,5',
      '1,2026-02-30 10:00:00,a,5',
      '1,2026-11-01 10:00:00,a,4294967296',
      '1,2026-11-01 10:00:00,a,-5',
      '1,2026-11-01 10:00:00,a,fast',
      '1,2026-11-01 10:00:00,"a"b,5',
      '1,2026-11-01 10:00:00,"two',
      'lines",7x',
      '1,2026-11-01 12:00:00,"also good, ""really""",5',
      '1,2026-11-01 10:00:00,"open,5',
    ];
    const path = own.file('bad-rows.csv', `${lines.join('\n')}\n`);
    const output = await load('latency', path);
    expect(output).to.include(`2 rows loaded, 11 rejected (${path}.rejects.csv)`);
    const [header, ...rejects] = parseCsv(readFileSync(`${path}.rejects.csv`, 'utf8'));
    expect(header).to.deep.equal(['line', 'column', 'value', 'reason', 'row']);
    expect(rejects.map(([line, , , reason]) => `${line} ${reason}`)).to.deep.equal([
      '3 2 columns, but the header has 4',
      '4 5 columns, but the header has 4',
      '5 unit_id is missing or invalid',
      '6 dtime must be a UTC time such as 2026-11-15 18:30:00',
      '7 dtime must be a UTC time such as 2026-11-15 18:30:00',
      '8 rtt_avg must be a whole number from 0 to 4294967295',
      '9 rtt_avg must be a whole number from 0 to 4294967295',
      '10 rtt_avg must be a whole number from 0 to 4294967295',
      '11 text after the closing quote of target',
      '12 rtt_avg must be a whole number from 0 to 4294967295; the quoted field target goes from line 12 to line 13',
      '15 quote not closed',
    ]);
    expect(rejects[0]?.[4]).to.equal('1,2026-11-01 10:00:00');
    expect(rejects[9]?.[4]).to.equal('1,2026-11-01 10:00:00,"two\nlines",7x');
    expect(await own.stored('latency', 'target, rtt_avg')).to.have.deep.members([
      { target: 'good', rtt_avg: 5 },
      { target: 'also good, "really"', rtt_avg: 5 },
    ]);
  });

  it('stops at the first invalid row with --strict', async () => {
    const path = own.file('strict.csv', 'unit_id,dtime\n1,2026-11-01 10:00:00\n1,never\n');
    const args = ['load', '--org', own.tenant.name, '--test', 'latency', '--strict', path];
    const { code, stderr } = await netpanel(own.stack, ...args);
    expect(code).to.equal(1);
    expect(stderr).to.include('line 3: dtime must be a UTC time');
    expect(existsSync(`${path}.rejects.csv`)).to.be.false;
    expect(await own.storedRowCount('latency')).to.equal(0);
  });

  it('rejects unknown agents with --known-agents-only', async () => {
    await addAgent(own.stack.database, own.tenant.organisationId, { agentId: 'known', unitId: 5 });
    const text = 'unit_id,dtime\n5,2026-11-01 10:00:00\n6,2026-11-01 10:00:00\n';
    const path = own.file('unknown-agents.csv', text);
    const output = await load('latency', '--known-agents-only', path);
    expect(output).to.include('1 rows loaded, 1 rejected');
    expect(readFileSync(`${path}.rejects.csv`, 'utf8')).to.include(
      '3,unit_id,unit 6,unit 6 is not registered,',
    );
    expect(await agents()).to.have.length(1);
    expect(await own.stored('latency', 'agent_id')).to.deep.equal([{ agent_id: 'known' }]);
  });

  it('adds nothing, not even duplicates, when a file is loaded twice', async () => {
    const path = own.file(
      'twice.csv',
      'unit_id,dtime\n1,2026-11-01 10:00:00\n2,2026-11-01 10:00:00\n',
    );
    await load('latency', path);
    expect(await load('latency', path)).to.include('0 rows loaded, 2 already there');
    expect(await own.storedRowCount('latency')).to.equal(2);
    const longer = own.file('twice.csv', `${readFileSync(path, 'utf8')}3,2026-11-01 10:00:00\n`);
    await load('latency', longer);
    expect(await own.stored('latency', 'unit_id')).to.have.length(3);
  });

  it('reports invalid arguments', async () => {
    const missing = await netpanel(own.stack, 'load', '--org', own.tenant.name, 'x.csv');
    expect(missing).to.include({ code: 2 });
    expect(missing.stderr).to.include('--test is missing');
    const path = own.file('arguments.csv', 'unit_id,dtime\n');
    const noTest = await netpanel(
      own.stack,
      'load',
      '--org',
      own.tenant.name,
      '--test',
      'speed',
      path,
    );
    expect(noTest.code).to.equal(2);
    expect(noTest.stderr).to.include('Unknown test "speed". Allowed: cells, dns, httpget');
    const noOrg = await netpanel(own.stack, 'load', '--org', 'nobody', '--test', 'dns', path);
    expect(noOrg.code).to.equal(1);
    expect(noOrg.stderr).to.include('Unknown organisation "nobody"');
  });
});
