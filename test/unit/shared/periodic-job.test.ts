import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { PeriodicJob } from '../../../services/shared/jobs/periodic-job.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';

const logger = createLogger('job-under-test', 'error');

describe('a periodic job', () => {
  it('runs at once, and again after a run that failed, whose error is logged', async () => {
    const warnings = recordedWarnings();
    let runs = 0;
    await new Promise<void>((resolve) => {
      const job = new PeriodicJob({
        run: () => {
          runs += 1;
          if (runs === 1) return Promise.reject(new Error('no connection'));
          // Stops before the next run. Not awaited here: stop() waits for this run.
          void job.stop().then(resolve);
          return Promise.resolve();
        },
        intervalMs: 1,
        failure: 'could not tidy up',
        logger,
      });
      job.start();
    });
    expect(runs).to.equal(2);
    expect(warnings).to.deep.equal(['could not tidy up; will retry: Error: no connection']);
  });

  it('stops during a run: signals it, waits for its end, and does not run again', async () => {
    const steps: string[] = [];
    let started!: () => void;
    const hasStarted = new Promise<void>((resolve) => {
      started = resolve;
    });
    const job = new PeriodicJob({
      run: async (signal) => {
        const aborted = new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve()),
        );
        started();
        await aborted;
        // Longer than a stop() that does not wait.
        await nextTurn();
        steps.push('step ended');
      },
      intervalMs: 1,
      failure: 'could not tidy up',
      logger,
    });
    job.start();
    await hasStarted;
    await job.stop();
    steps.push('stopped');
    expect(steps).to.deep.equal(['step ended', 'stopped']);
  });

  it('does not wait for the interval when it stops between two runs', async () => {
    let runs = 0;
    const run = () => Promise.resolve(void (runs += 1));
    const job = new PeriodicJob({ run, intervalMs: 3_600_000, failure: '', logger });
    job.start();
    await job.stop();
    expect(runs).to.equal(1);
  });
});

/** Sets the logger's `warn`, and returns what it gets. */
function recordedWarnings(): readonly string[] {
  const warnings: string[] = [];
  logger.warn = ((message: string, { error }: { error: string }) => {
    warnings.push(`${message}: ${error}`);
    return logger;
  }) as typeof logger.warn;
  return warnings;
}
