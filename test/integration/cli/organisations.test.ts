import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('netpanel org, token, isp, package and grant', function () {
  this.timeout(300_000);
  let stack: LocalStack;
  let org: string;

  before(async () => {
    stack = await localStack();
    org = `cli-${randomBytes(4).toString('hex')}`;
    expect(await netpanelOk(stack, 'org', 'add', org)).to.equal(`organisation ${org} added\n`);
  });

  const ask = async (token: string) => {
    const response = await fetch(`${stack.queryUrl}/tests`, { headers: { authorization: token } });
    return { status: response.status, body: (await response.json()) as { data?: unknown } };
  };
  const newDataToken = async () =>
    (
      await netpanelOk(
        ...([stack, 'token', 'create', '--org', org, '--interface', 'data'] as const),
        '--label',
        'laptop',
        '--expires',
        '90d',
      )
    ).trim();

  it('adds an organisation once and lists it', async () => {
    expect(await netpanelOk(stack, 'org', 'add', org)).to.include('already exists');
    const listed = JSON.parse(await netpanelOk(stack, 'org', 'list', '--json')) as object[];
    expect(listed).to.deep.include({
      ...listed.find((one) => (one as { name: string }).name === org),
    });
    expect((await netpanelOk(stack, 'org', 'list')).split('\n')[0]).to.match(
      /^name +agents +tokens/,
    );
    const bad = await netpanel(stack, 'org', 'add', 'Not A Name');
    expect(bad.code).to.equal(1);
    expect(bad.stderr).to.include('is not a valid organisation name');
  });

  it('creates a token that works, lists it without it, and revokes it', async () => {
    const token = await newDataToken();
    expect(token).to.match(/^npd_\w{40}$/);
    expect((await ask(token)).status).to.equal(200);

    const text = await netpanelOk(stack, 'token', 'list', '--org', org, '--json');
    expect(text).not.to.include(token);
    const [listed] = JSON.parse(text) as { id: number; expires: string }[];
    expect(listed).to.include({ interface: 'data', label: 'laptop', state: 'active' });
    const days = (Date.parse(listed!.expires) - Date.now()) / 86_400_000;
    expect(days).to.be.within(89.9, 90);

    await netpanelOk(stack, 'token', 'revoke', String(listed!.id));
    await waitUntil(async () => (await ask(token)).status === 403);
    const again = await netpanel(stack, 'token', 'revoke', String(listed!.id));
    expect(again).to.include({ code: 1 });
  });

  it('refuses an interface or an expiry that makes no sense', async () => {
    const words = ['token', 'create', '--org', org, '--label', 'x', '--interface'];
    expect((await netpanel(stack, ...words, 'web')).stderr).to.include('must be data or metadata');
    const past = await netpanel(stack, ...words, 'data', '--expires', '2020-01-01');
    expect(past).to.include({ code: 2 });
    expect(past.stderr).to.include('is in the past');
  });

  it('adds ISPs and packages', async () => {
    await netpanelOk(stack, 'isp', 'add', '--org', org, 'Comcast');
    await netpanelOk(stack, 'package', 'add', '--org', org, 'Comcast:100/10');
    await netpanelOk(stack, 'package', 'add', '--org', org, 'Comcast:100/10');
    expect(await netpanelOk(stack, 'isp', 'list', '--org', org)).to.equal(
      'isp      packages\nComcast  1\n',
    );
    expect(await netpanelOk(stack, 'package', 'list', '--org', org)).to.include('Comcast:100/10');
    const stranger = await netpanel(stack, 'package', 'add', '--org', org, 'Nobody:1/1');
    expect(stranger.stderr).to.include(`${org} has no ISP "Nobody"`);
  });

  it('grants tests, and everything again when none is left', async () => {
    const token = await newDataToken();
    const grant = (...words: string[]) => netpanelOk(stack, 'grant', ...words);
    expect(await grant('test', 'add', '--org', org, 'httpget', 'dns')).to.equal(
      `${org} sees these tests: dns, httpget\n`,
    );
    await waitUntil(
      async () => JSON.stringify((await ask(token)).body.data) === '["httpget","dns"]',
    );
    expect(await grant('test', 'remove', '--org', org, 'httpget', 'dns')).to.equal(
      `${org} sees every test\n`,
    );
    const unknown = await netpanel(stack, 'grant', 'metric', 'add', '--org', org, 'speed');
    expect(unknown).to.include({ code: 2 });
    expect(unknown.stderr).to.include('Unknown metric: speed');
  });

  it('lists every command, and tells of one what it takes', async () => {
    const overview = await netpanelOk(stack, 'help');
    for (const name of ['org', 'token', 'isp', 'package', 'grant', 'agents', 'load', 'load-mba']) {
      expect(overview).to.match(new RegExp(`netpanel ${name} +\\S`));
    }
    expect(await netpanelOk(stack, 'load', '--help')).to.include('--known-agents-only');
    expect(await netpanel(stack, 'lod')).to.include({ code: 2 });
  });
});
