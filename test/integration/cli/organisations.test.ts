import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { runBuilt } from '../../support/run-built.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('netpanel org, token, isp, package and grant', () => {
  let stack: LocalStack;
  let org: string;

  before(async () => {
    stack = await localStack();
    org = `cli-${randomBytes(4).toString('hex')}`;
    expect(await netpanelOk(stack, 'org', 'add', org)).to.equal(
      `organisation ${org} added: it sees every metric and test\n`,
    );
  });

  const getTests = async (token: string) => {
    const response = await fetch(`${stack.queryUrl}/tests`, { headers: { authorization: token } });
    return { status: response.status, body: (await response.json()) as { data?: unknown } };
  };
  const newDataToken = async () => {
    const options = ['--interface', 'data', '--label', 'laptop', '--expires', '90d'];
    return (await netpanelOk(stack, 'token', 'create', '--org', org, ...options)).trim();
  };

  const listedToken = async (label: string, index = 0) => {
    const text = await netpanelOk(stack, 'token', 'list', '--org', org, '--json');
    return (JSON.parse(text) as ListedToken[]).filter((token) => token.label === label)[index]!;
  };

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

  it('creates a working token, lists it without its secret, and revokes it', async () => {
    const token = await newDataToken();
    expect(token).to.match(/^npd_\w{40}$/);
    expect((await getTests(token)).status).to.equal(200);

    const text = await netpanelOk(stack, 'token', 'list', '--org', org, '--json');
    expect(text).not.to.include(token);
    const [listed] = JSON.parse(text) as ListedToken[];
    expect(listed).to.include({ interface: 'data', label: 'laptop', state: 'active' });
    expect(listed).to.include({ scopes: 'data:read,data:export' });
    expect(daysUntil(listed!.expires)).to.be.within(89.9, 90);

    await netpanelOk(stack, 'token', 'revoke', String(listed!.id));
    await waitUntil(async () => (await getTests(token)).status === 403);
    const again = await netpanel(stack, 'token', 'revoke', String(listed!.id));
    expect(again).to.include({ code: 1 });
  });

  it('creates a token with chosen scopes that expires after TOKEN_DAYS', async () => {
    const args = ['--org', org, '--interface', 'data', '--label', 'scoped'];
    const withDays = { ...stack, env: { ...stack.env, TOKEN_DAYS: '30' } };
    const created = await netpanel(withDays, 'token', 'create', ...args, '--scopes', 'data:export');
    expect(created.stderr).to.match(/It expires at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    const refused = await getTests(created.stdout.trim());
    expect(refused.status).to.equal(403);
    expect(refused.body).to.include({ message: 'This token does not have the scope data:read.' });
    const listed = await listedToken('scoped');
    expect(listed.scopes).to.equal('data:export');
    expect(daysUntil(listed.expires)).to.be.within(29.9, 30);
    const wrong = await netpanel(stack, 'token', 'create', ...args, '--scopes', 'metadata:read');
    expect(wrong).to.include({ code: 2 });
    expect(wrong.stderr).to.include('--scopes of a data token must be one of data:read');
  });

  it('rotates a token: its successor has the same scopes, and the old one ends', async () => {
    const args = ['--org', org, '--interface', 'data', '--label', 'rotated', '--expires', 'never'];
    const old = (await netpanelOk(stack, 'token', 'create', ...args)).trim();
    const { id, expires } = await listedToken('rotated');
    expect(expires).to.equal(null);
    const next = (await netpanelOk(stack, 'token', 'rotate', String(id), '--overlap', '7d')).trim();
    expect(next)
      .to.match(/^npd_\w{40}$/)
      .and.not.equal(old);
    for (const token of [old, next]) expect((await getTests(token)).status).to.equal(200);
    expect(daysUntil((await listedToken('rotated')).expires)).to.be.within(6.9, 7);
    const successor = await listedToken('rotated', 1);
    expect(successor.scopes).to.equal('data:read,data:export');
    expect(daysUntil(successor.expires)).to.be.within(364.9, 365);

    await netpanelOk(stack, 'token', 'rotate', String(id), '--overlap', '0h');
    await waitUntil(async () => (await getTests(old)).status === 403);
    const again = await netpanel(stack, 'token', 'rotate', String(id));
    expect(again).to.include({ code: 1 });
    expect(again.stderr).to.include(`No active token has the id ${id}`);
  });

  it('sets, shows and removes the privacy floor of an organisation, and audits it', async () => {
    const floor = (...args: string[]) => netpanelOk(stack, 'org', 'floor', ...args);
    expect(await floor(org)).to.equal(`${org} has no privacy floor\n`);
    const set = `the data tokens of ${org} see points of at least 10 agents\n`;
    expect(await floor(org, '10')).to.equal(set);
    expect(await floor(org)).to.equal(set);
    const listed = JSON.parse(await netpanelOk(stack, 'org', 'list', '--json')) as object[];
    expect(listed.find((one) => (one as { name: string }).name === org)).to.include({
      'min agents': 10,
    });
    expect(await floor(org, 'none')).to.equal(`${org} has no privacy floor\n`);
    const args = ['audit', '--org', org, '--action', 'organisation.change', '--json'];
    const events = await netpanelOk(stack, ...args);
    expect(events).to.include('min_agents');
    for (const bad of ['1', '0', '-3', 'ten', '2.5', '1000001']) {
      const refused = await netpanel(stack, 'org', 'floor', org, '--', bad);
      expect(refused.code, bad).to.equal(2);
      expect(refused.stderr).to.include(
        `N must be a number of agents from 2 to 1000000, not "${bad}"`,
      );
    }
    const unknown = await netpanel(stack, 'org', 'floor', 'no-such-org', '5');
    expect(unknown).to.include({ code: 1 });
    expect(unknown.stderr).to.include('Unknown organisation "no-such-org"');
  });

  it('creates a data token with a privacy floor, which its successor keeps', async () => {
    const args = ['token', 'create', '--org', org, '--label', 'press', '--interface'];
    await netpanelOk(stack, ...args, 'data', '--min-agents', '12');
    const { id, ...first } = await listedToken('press');
    expect(first['min agents']).to.equal(12);
    const successor = (await netpanelOk(stack, 'token', 'rotate', String(id))).trim();
    expect((await listedToken('press', 1))['min agents']).to.equal(12);
    const response = await fetch(`${stack.queryUrl}/test_data`, {
      method: 'POST',
      headers: { authorization: successor, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).to.equal(403);
    expect(await response.json()).to.include({
      code: 'PRIVACY_FLOOR',
      message:
        'This token reads only points of at least 12 agents. It reads no raw data: use /metric_data.',
    });
    const metadata = await netpanel(stack, ...args, 'metadata', '--min-agents', '12');
    expect(metadata).to.include({ code: 2 });
    expect(metadata.stderr).to.include('--min-agents is for data tokens');
    const low = await netpanel(stack, ...args, 'data', '--min-agents', '1');
    expect(low).to.include({ code: 2 });
    expect(low.stderr).to.include('--min-agents must be a number of agents from 2 to 1000000');
  });

  it('rejects an invalid interface or expiry', async () => {
    const args = ['token', 'create', '--org', org, '--label', 'x', '--interface'];
    expect((await netpanel(stack, ...args, 'web')).stderr).to.include(
      'must be one of data, metadata',
    );
    const past = await netpanel(stack, ...args, 'data', '--expires', '2020-01-01');
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
    const unknownIsp = await netpanel(stack, 'package', 'add', '--org', org, 'Nobody:1/1');
    expect(unknownIsp.stderr).to.include(`${org} has no ISP "Nobody"`);
  });

  it('grants all tests or single ones, and none when no grant is left', async () => {
    const token = await newDataToken();
    const grant = (...args: string[]) => netpanelOk(stack, 'grant', ...args);
    expect(await grant('test', 'list', '--org', org)).to.equal(`${org} sees every test\n`);
    expect(await grant('test', 'only', '--org', org, 'httpget', 'dns')).to.equal(
      `${org} sees these tests: dns, httpget\n`,
    );
    expect(await grant('test', 'add', '--org', org, 'ping')).to.equal(
      `${org} sees these tests: dns, httpget, ping\n`,
    );
    expect(await grant('test', 'remove', '--org', org, 'httpget', 'dns', 'ping')).to.equal(
      `${org} sees no test\n`,
    );
    await waitUntil(async () => (await getTests(token)).body.data?.toString() === '');
    expect(await grant('test', 'list', '--org', org, '--json')).to.equal('[]\n');
    expect(await grant('metric', 'list', '--org', org)).to.equal(`${org} sees every metric\n`);
    expect(await grant('test', 'all', '--org', org)).to.equal(`${org} sees every test\n`);
    expect(await grant('test', 'list', '--org', org, '--json')).to.include('"*"');
  });

  it('adds an organisation that sees nothing until something is granted', async () => {
    const name = `${org}-closed`;
    expect(await netpanelOk(stack, 'org', 'add', name, '--no-access')).to.equal(
      `organisation ${name} added: it sees no metric and no test\n`,
    );
    const listed = JSON.parse(await netpanelOk(stack, 'org', 'list', '--json')) as object[];
    const find = (wanted: string) =>
      listed.find((one) => (one as { name: string }).name === wanted);
    expect(find(name)).to.include({ metrics: '0', tests: '0' });
    expect(find(org)).to.include({ metrics: 'all', tests: 'all' });
  });

  it('refuses to add or remove keys where everything is granted, and unknown keys', async () => {
    for (const action of ['add', 'remove']) {
      const refused = await netpanel(stack, 'grant', 'metric', action, '--org', org, 'httpget');
      expect(refused).to.include({ code: 1 });
      expect(refused.stderr).to.include('netpanel grant metric only');
    }
    const unknown = await netpanel(stack, 'grant', 'metric', 'only', '--org', org, 'speed');
    expect(unknown).to.include({ code: 2 });
    expect(unknown.stderr).to.include('Unknown metric: speed');
  });

  it('lists every command, and prints the options of one', async () => {
    // A process: every command can be loaded outside of the tests.
    const { stdout: overview } = await runBuilt('services/cli/netpanel.js', stack.env, ['help']);
    for (const name of ['org', 'token', 'isp', 'package', 'grant', 'agents', 'load', 'load-mba']) {
      expect(overview).to.match(new RegExp(`netpanel ${name} +\\S`));
    }
    const options = await netpanel(stack, 'load', '--help');
    expect(options).to.include({ code: 0 });
    expect(options.stdout).to.include('--known-agents-only');
    expect(await netpanel(stack, 'lod')).to.include({ code: 2 });
  });
});

interface ListedToken {
  readonly id: number;
  readonly label: string;
  readonly scopes: string;
  readonly 'min agents': number | null;
  readonly expires: string | null;
}

function daysUntil(time: string | null): number {
  return (Date.parse(time ?? '') - Date.now()) / 86_400_000;
}
