import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { addAgent } from '../../support/tenant.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

describe('netpanel agents', () => {
  const own = useLoadFolder();

  const importAgents = (path: string, ...args: string[]) =>
    netpanelOk(own.stack, 'agents', 'import', '--org', own.tenant.name, ...args, path);
  const metadata = async (unit: number) => {
    const response = await fetch(`${own.stack.metadataUrl}/metadata/unit/${unit}`, {
      headers: { authorization: `Bearer ${own.tenant.metadataToken}` },
    });
    return ((await response.json()) as { data: unknown }).data;
  };
  const history = async () => {
    const { rows } = await own.stack.database.raw<{ rows: { valid: string; timezone: string }[] }>(
      `select m.valid::text, m.timezone from agent_metadata m
       where organisation_id = ? and superseded_at is null order by m.valid`,
      [own.tenant.organisationId],
    );
    return rows;
  };

  const header =
    'agent_id,unit_id,mac_address,kind,base,country,isp,package,timezone,custom.tier,custom.floor';

  it('registers agents with their metadata', async () => {
    const path = own.csv(
      'agents.csv',
      header,
      'wb-1,11,02:00:00:00:00:01,Whitebox,Box 8,GB,Northwave,Northwave:Fibre 500,Europe/London,gold,3',
      'wb-2,12,,cpe,,,,Northwave:Fibre 100,,,',
    );
    expect(await importAgents(path)).to.equal(
      '2 agents read: 2 added, 0 updated, metadata of 2 changed; 1 ISPs and 2 packages added\n',
    );
    expect(await metadata(11)).to.deep.equal({
      package: 'Northwave:Fibre 500',
      isp: 'Northwave',
      timezone: 'Europe/London',
      custom: { tier: 'gold', floor: 3 },
    });
    expect(await metadata(12)).to.deep.include({ package: 'Northwave:Fibre 100', timezone: null });
    const [change] = await own.stack
      .database('metadata_changes')
      .where({ organisation_id: own.tenant.organisationId })
      .select<{ id: number; agent_count: number; token_id: null }[]>('*');
    expect(change).to.include({ agent_count: 2, token_id: null });
    // The name of the file, not where it is on the operator's machine.
    const headers = { authorization: `Bearer ${own.tenant.metadataToken}` };
    const url = `${own.stack.metadataUrl}/metadata/unit/11/changes`;
    const changes = await (await fetch(url, { headers })).text();
    expect(changes).to.contain('"name":"agents.csv"').and.not.to.contain(dirname(path));
  });

  it('reads a file as a spreadsheet writes it: semicolons, in Latin-1', async () => {
    const text = 'unit_id;isp;custom.ort\r\n21;Nordlicht;Müllheim\r\n';
    await importAgents(own.file('latin1.csv', Buffer.from(text, 'latin1')));
    expect(await metadata(21)).to.deep.include({ isp: 'Nordlicht', custom: { ort: 'Müllheim' } });
  });

  it('updates the planner statistics of Postgres', async () => {
    const analyzedAt = async () => {
      const { rows } = await own.stack.database.raw<{ rows: { at: Date | null }[] }>(
        `select last_analyze as at from pg_stat_user_tables
         where relname in ('agents', 'agent_metadata')`,
      );
      return rows.map(({ at }) => at?.getTime() ?? 0);
    };
    const startedMs = Date.now();
    await importAgents(own.csv('analyzed.csv', 'unit_id,timezone', '11,Europe/London'));
    expect(await analyzedAt()).to.have.length(2);
    expect(Math.min(...(await analyzedAt()))).to.be.at.least(startedMs);
  });

  it('changes nothing when a file is imported again', async () => {
    const path = own.csv('again.csv', header, 'wb-1,11,,,,,Northwave,,Europe/London,gold,3');
    await importAgents(path);
    expect(await importAgents(path)).to.include('0 added, 0 updated, metadata of 0 changed');
    expect(await importAgents(path, '--from', '2026-01-01')).to.include('metadata of 0 changed');
  });

  it('changes metadata from the given date on and keeps the earlier history', async () => {
    await importAgents(own.csv('first.csv', 'unit_id,timezone', '11,Europe/London'));
    const moved = own.csv('moved.csv', 'unit_id,timezone,custom.tier', '11,Europe/Paris,');
    await importAgents(moved, '--from', '2026-03-01');
    expect(await history()).to.deep.equal([
      { valid: '(,"2026-03-01 00:00:00+00")', timezone: 'Europe/London' },
      { valid: '["2026-03-01 00:00:00+00",)', timezone: 'Europe/Paris' },
    ]);
    await importAgents(
      own.csv('back.csv', 'unit_id,timezone', '11,Europe/London'),
      '--from',
      '2026-02-01',
    );
    expect((await history()).map(({ timezone }) => timezone)).to.deep.equal([
      'Europe/London',
      'Europe/London',
    ]);
  });

  it('an empty cell changes nothing, and with --complete it means none', async () => {
    const path = own.csv(
      'units.csv',
      'unit_id,package,timezone,custom.tier,custom.floor',
      '11,Northwave:Fibre 500,Europe/London,gold,3',
    );
    await importAgents(path);
    const blank = own.csv('blank.csv', 'unit_id,package,timezone,custom.tier', '11,,,');
    expect(await importAgents(blank)).to.include('metadata of 0 changed; ');
    expect(await importAgents(blank, '--complete')).to.include(
      // ISP, package, time zone and tier; the file has no column for the floor.
      'metadata of 1 changed, 4 fields cleared; ',
    );
    expect(await metadata(11)).to.deep.equal({
      package: null,
      isp: null,
      timezone: null,
      custom: { floor: 3 },
    });
    expect(await importAgents(blank, '--complete')).to.include('metadata of 0 changed; ');
  });

  it('updates a unit that the loader has registered', async () => {
    await addAgent(own.stack.database, own.tenant.organisationId, { agentId: '77', unitId: 77 });
    const path = own.csv('loaded.csv', 'unit_id,base,isp', '77,Box 9,Harbor');
    expect(await importAgents(path)).to.include('0 added, 1 updated, metadata of 1 changed');
    expect(await metadata(77)).to.deep.include({ isp: 'Harbor', package: null });
  });

  it('exports a file that can be imported again', async () => {
    const path = own.csv(
      'round.csv',
      header,
      'wb-1,11,02:00:00:00:00:01,whitebox,"Box, 8",GB,Northwave,Northwave:Fibre 500,Europe/London,007,3',
      'wb-2,12,,cpe,,,,,,,',
    );
    await importAgents(path);
    const exported = join(own.folder, 'exported.csv');
    await netpanelOk(own.stack, 'agents', 'export', '--org', own.tenant.name, exported);
    const sorted = (text: string) =>
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').slice(0, 2));
    expect(sorted(readFileSync(exported, 'utf8'))).to.deep.equal(
      sorted(readFileSync(path, 'utf8')),
    );
    expect(await importAgents(exported)).to.include('0 added, 0 updated, metadata of 0 changed');
    const [first] = (
      await netpanelOk(own.stack, 'agents', 'export', '--org', own.tenant.name)
    ).split('\n');
    expect(first).to.equal(
      'agent_id,unit_id,mac_address,kind,base,country,isp,package,timezone,custom.floor,custom.tier',
    );
  });

  it('imports nothing from a file with invalid rows, and lists all of them', async () => {
    const path = own.csv(
      'bad.csv',
      'agent_id,unit_id,kind,package,timezone',
      'wb-1,1,whitebox,,Europe/London',
      ',,whitebox,,',
      'wb-3,x,,,',
      'wb-4,4,fridge,,',
      'wb-5,5,,Fibre,',
      'wb-6,6,,,Mars/Olympus',
      // The offsets of a time zone are found by its exact name.
      'wb-7,7,,,europe/london',
    );
    const importFile = (name: string) =>
      netpanel(own.stack, 'agents', 'import', '--org', own.tenant.name, name);
    const { code, stderr } = await importFile(path);
    expect(code).to.equal(1);
    expect(stderr.trim().split('\n')).to.deep.equal([
      'row 3: agent_id or unit_id is required',
      'row 4: unit_id must be a whole number of at least 0',
      'row 5: kind must be one of whitebox, cpe, mobile, web, cell',
      'row 6: package needs an ISP: write ISP:PACKAGE or fill the column isp',
      'row 7: Mars/Olympus is not a valid IANA timezone',
      'row 8: europe/london is not a valid IANA timezone',
    ]);
    const twice = own.csv('dup.csv', 'agent_id', '00:1A:2B:3C:4D:5E', '001a2b3c4d5e');
    expect((await importFile(twice)).stderr).to.include('agent 001a2b3c4d5e is listed twice');
    const unknown = own.csv('unknown.csv', 'agent_id,speed', 'a,1');
    expect((await importFile(unknown)).stderr).to.include('Unknown column: speed');
    const long = own.csv('long.csv', 'agent_id,custom.note', `wb-1,${'x'.repeat(1_025)}`);
    expect((await importFile(long)).stderr).to.include(
      'agent wb-1, custom.note: This value is too long. The maximum is 1024 characters.',
    );
    const keys = Array.from({ length: 201 }, (_, i) => `k${i}`);
    const many = own.csv(
      'many.csv',
      ['agent_id', ...keys.map((key) => `custom.${key}`)].join(','),
      ['wb-1', ...keys].join(','),
    );
    expect((await importFile(many)).stderr).to.include(
      'Your organisation would have 201 custom metadata keys. The maximum is 200.',
    );
    expect(await history()).to.deep.equal([]);
  });
});
