import { expect } from 'chai';
import { readSettings, SettingsError } from '../../../services/shared/config/read-settings.ts';
import { setting } from '../../../services/shared/config/setting.ts';

const table = {
  url: setting.url('A_URL', 'Where A is.'),
  secretUrl: setting.url('B_URL', 'Where B is.', { secret: true }),
  port: setting.port('A_PORT', 'Port of A.', 80),
  level: setting.oneOf('LEVEL', 'How much.', ['low', 'high'] as const, 'low'),
  flag: setting.flag('FLAG', 'Whether.', false),
};

const good = { A_URL: 'http://a', B_URL: 'http://b' };

describe('settings', () => {
  it('fall back to their defaults, also when a variable is set but empty', () => {
    expect(readSettings(table, { ...good, A_PORT: '', LEVEL: '' })).to.deep.equal({
      url: 'http://a',
      secretUrl: 'http://b',
      port: 80,
      level: 'low',
      flag: false,
    });
  });

  it('use the value of the variable', () => {
    const values = readSettings(table, { ...good, A_PORT: '8080', LEVEL: 'high', FLAG: '1' });
    expect(values).to.include({ port: 8080, level: 'high', flag: true });
  });

  it('refuse a retention period that is neither 0 nor at least 30 days', () => {
    const period = { days: setting.retentionDays('KEEP_DAYS', 'How long.', 400) };
    for (const [text, days] of Object.entries({ '': 400, 0: 0, 30: 30, 36500: 36_500 })) {
      expect(readSettings(period, { KEEP_DAYS: text })).to.deep.equal({ days });
    }
    for (const text of ['1', '29', '36501', '-1', '1.5', '30d', 'never']) {
      expect(() => readSettings(period, { KEEP_DAYS: text })).to.throw(
        `KEEP_DAYS must be 0 (for ever) or a whole number of days from 30 to 36500, not "${text}"`,
      );
    }
  });

  it('report all errors at once, by variable', () => {
    expect(problemsOf({ A_PORT: '80800', LEVEL: 'loud', FLAG: 'yes', B_URL: 'x' })).to.deep.equal([
      'A_URL is not set: Where A is.',
      'B_URL is not valid: Where B is.',
      'A_PORT must be a whole number from 0 to 65535, not "80800"',
      'LEVEL must be one of low, high, not "loud"',
      'FLAG must be true or false, not "yes"',
    ]);
  });

  it('accept trusted proxies as a number or a list, and never all of them', () => {
    const proxies = { trusted: setting.proxies('TRUST_PROXY', 'Whom.') };
    const read = (text: string) => readSettings(proxies, { TRUST_PROXY: text }).trusted;
    expect(read('')).to.equal(false);
    expect(read('2')).to.equal(2);
    expect(read('loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.1')).to.deep.equal([
      'loopback',
      '10.0.0.0/8',
      '2001:db8::/32',
      '192.0.2.1',
    ]);
    for (const wrong of ['true', '0', '10', '10.0.0.0/33', '10.0.0.0/8/8', 'proxy.example', ',']) {
      expect(() => read(wrong), wrong).to.throw(SettingsError);
    }
  });

  it('accept a list of origins in the exact form that browsers send', () => {
    const origins = { list: setting.origins('ORIGINS', 'Who may.') };
    const read = (text: string) => readSettings(origins, { ORIGINS: text }).list;
    expect(read('')).to.equal('');
    expect(read('https://a.example, http://b.example:8080')).to.equal(
      'https://a.example,http://b.example:8080',
    );
    for (const wrong of ['*', 'a.example', 'https://a.example/', 'https://a.example:443']) {
      expect(() => read(wrong), wrong).to.throw(SettingsError);
    }
  });

  it('refuse a secret that is short enough to guess, and do not print it', () => {
    const secrets = { key: setting.secret('KEY', 'At least 32 characters.') };
    const read = (text: string) => readSettings(secrets, { KEY: text }).key;
    expect(read('')).to.equal('');
    expect(read('0'.repeat(32))).to.have.length(32);
    expect(() => read('hunter2'.padEnd(31, '0')))
      .to.throw(SettingsError, 'KEY is not valid: At least 32 characters.')
      .with.property('message')
      .that.does.not.contain('hunter2');
  });

  it('never print the value of a secret', () => {
    const problems = problemsOf({ ...good, B_URL: 'hunter2' });
    expect(problems.join()).to.not.contain('hunter2');
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(table, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  throw new Error('the settings were accepted');
}
