import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { isRunning, startTimeOf } from '../../../deploy/local/running-process.ts';
import { cpuSeconds } from '../../runner/cpu-seconds.ts';

// macOS has no /proc: there, and here for this test, ps has the same.
for (const platform of ['linux', 'darwin'] as const) {
  describe(`processes, as on ${platform}`, () => {
    it('have a start time that stays, until they end', async () => {
      const child = spawn('sleep', ['60']);
      const startTime = startTimeOf(child.pid!, platform);
      expect(startTime).to.match(/\d/);
      expect(startTimeOf(child.pid!, platform)).to.equal(startTime);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(startTimeOf(child.pid!, platform)).to.equal('');
    });

    it('count the CPU time of the test process', () => {
      const before = cpuSeconds(platform);
      const start = process.cpuUsage();
      const usedSeconds = () => {
        const { user, system } = process.cpuUsage(start);
        return (user + system) / 1e6;
      };
      while (usedSeconds() < 1.1);
      // ps has whole seconds.
      expect(cpuSeconds(platform) - before)
        .to.be.at.least(platform === 'linux' ? 1.05 : 1)
        .and.at.most(60);
    });
  });
}

describe('a recorded process', () => {
  it('is another one if its pid has been given again', () => {
    expect(isRunning({ pid: process.pid, startTime: startTimeOf(process.pid) })).to.equal(true);
    expect(isRunning({ pid: process.pid, startTime: '1' })).to.equal(false);
  });
});
