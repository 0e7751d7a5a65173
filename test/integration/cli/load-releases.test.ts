import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';

describe('netpanel load-mba of several releases', () => {
  let stack: LocalStack;
  let folder: string;
  let org: string;

  before(async () => {
    stack = await localStack();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-releases-'));
  });
  beforeEach(() => {
    org = `mba-${randomBytes(4).toString('hex')}`;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const profile = (name: string, download: number) => {
    const path = join(folder, name);
    const header =
      'Unit ID,ISP,Technology,State,timezone_offset,timezone_offset_dst,Download,Upload';
    writeFileSync(path, `${header}\n900001,Lakeside,DSL,IL,-6,-5,${download},1\n`);
    return path;
  };
  const release = (year: number) => {
    const path = join(folder, `release-${year}`);
    mkdirSync(path, { recursive: true });
    const row = `900001,${year}-09-10 02:00:00,a,30000`;
    writeFileSync(join(path, 'curr_udplatency.csv'), `unit_id,dtime,target,rtt_avg\n${row}\n`);
    return path;
  };
  const load = (path: string, profilePath: string, ...args: readonly string[]) =>
    netpanel(stack, 'load-mba', '--org', org, '--profile', profilePath, ...args, path);
  const packageOn = async (day: string) => {
    const { rows } = await stack.database.raw<{ rows: { name: string }[] }>(
      `select p.name from agent_metadata m join packages p on p.id = m.package_id
         join organisations o on o.id = m.organisation_id
       where o.name = ? and m.superseded_at is null and m.valid @> cast(? as timestamptz)`,
      [org, `${day}T00:00:00Z`],
    );
    return rows[0]?.name;
  };

  it('a second release keeps the packages of the first for the time before it', async () => {
    await netpanelOk(
      stack,
      ...['load-mba', '--org', org, '--profile', profile('profile-sept2020.csv', 3), release(2020)],
    );
    const { code, stdout } = await load(release(2021), profile('profile-sept2021.csv', 100));
    expect(code, stdout).to.equal(0);
    // Clients read the name of the profile, not its folder.
    const { rows } = await stack.database.raw<{ rows: { name: string }[] }>(
      `select c.request ->> 'import' as name from metadata_changes c
         join organisations o on o.id = c.organisation_id where o.name = ? order by c.id`,
      [org],
    );
    const names = rows.map(({ name }) => name);
    expect(names).to.deep.equal(['profile-sept2020.csv', 'profile-sept2021.csv']);
    expect(stdout).to.include('the profile is valid from 2021-09-01, according to the name');
    expect(await packageOn('2020-09-10')).to.equal('3/1');
    expect(await packageOn('2021-08-31')).to.equal('3/1');
    expect(await packageOn('2021-09-01')).to.equal('100/1');

    const again = await load(release(2020), join(folder, 'profile-sept2020.csv'));
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.include('metadata of 0 changed, 0 packages');
    expect(await packageOn('2021-09-10')).to.equal('100/1');
  });

  it('an earlier release after a later one changes only the time before the later one', async () => {
    const later = profile('profile.csv', 100);
    await netpanelOk(stack, 'load-mba', '--org', org, '--profile', later, release(2021));
    expect(await packageOn('2020-09-10')).to.equal('100/1');
    const { code, stderr } = await load(release(2020), profile('earlier.csv', 3));
    expect(code, stderr).to.equal(0);
    expect(await packageOn('2020-09-10')).to.equal('3/1');
    expect(await packageOn('2021-08-31')).to.equal('3/1');
    expect(await packageOn('2021-09-01')).to.equal('100/1');
  });

  it('a unit that moves to another ISP with blank cells does not keep its old plan', async () => {
    await load(release(2020), profile('profile-sept2020.csv', 3));
    const moved = join(folder, 'moved-sept2021.csv');
    writeFileSync(
      moved,
      'Unit ID,ISP,Technology,State,timezone_offset,Download,Upload\n900001,Harbor,,,,,\n',
    );
    const { stdout } = await load(release(2021), moved);
    // Package, time zone, technology, state and two speeds.
    expect(stdout).to.include('metadata of 1 changed, 6 fields cleared, 0 packages added');
    const { rows } = await stack.database.raw<{ rows: object[] }>(
      `select i.name as isp, m.package_id, m.timezone, m.custom
       from agent_metadata m join organisations o on o.id = m.organisation_id
         left join isps i on i.id = m.isp_id
       where o.name = ? and m.superseded_at is null and m.valid @> cast('2021-09-10' as timestamptz)`,
      [org],
    );
    expect(rows).to.deep.equal([
      { isp: 'Harbor', package_id: null, timezone: null, custom: { status: 'included' } },
    ]);
  });

  it('a list of excluded units alone changes only their status', async () => {
    await load(release(2020), profile('profile-sept2020.csv', 3));
    const excluded = join(folder, 'excluded-sept2021.csv');
    writeFileSync(excluded, 'unit_id\n900001\n');
    await netpanelOk(stack, 'load-mba', '--org', org, '--excluded', excluded, release(2021));
    expect(await packageOn('2021-09-10')).to.equal('3/1');
  });

  it('a corrected profile of the same month is refused without --rewrite', async () => {
    const path = profile('unit-profile-2021-09.csv', 100);
    await netpanelOk(stack, 'load-mba', '--org', org, '--profile', path, release(2021));
    profile('unit-profile-2021-09.csv', 200);
    const { code, stderr } = await load(release(2021), path);
    expect(code).to.equal(1);
    expect(stderr).to.include(
      'The profile would replace other values that are recorded from 2021-09-01 on for 1 units. ' +
        'Nothing was changed or loaded.',
    );
    expect((await load(release(2021), path, '--rewrite')).code).to.equal(0);
    expect(await packageOn('2021-09-10')).to.equal('200/1');
  });

  it('skips files with an unusable header, and fails if all are skipped', async () => {
    const path = join(folder, 'broken');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'curr_udplatency.csv'), '');
    writeFileSync(join(path, 'curr_lct_dl.csv'), 'unit_id,dtime\n');
    const all = await netpanel(stack, 'load-mba', '--org', org, path);
    expect(all.code).to.equal(3);
    expect(all.stdout).to.include(
      'curr_udplatency.csv: latency: skipped: the file is empty (0 bytes)',
    );
    expect(all.stderr).to.include('Nothing was loaded.');

    writeFileSync(join(path, 'curr_ping.csv'), 'unit_id,dtime\n1,2021-09-10 02:00:00\n');
    const some = await netpanel(stack, 'load-mba', '--org', org, path);
    expect(some.code).to.equal(5);
    expect(some.stderr).to.include('curr_udplatency.csv: the file is empty (0 bytes)');
  });
});
