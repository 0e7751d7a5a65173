import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

export interface RecordedProcess {
  readonly pid: number;
  /** Distinguishes it from a later process with the same pid. */
  readonly startTime: string;
}

/** Plain JavaScript, because make uses it before the build too. */
export const { isRunning, processLine, recordedProcesses, startTimeOf } = createRequire(
  import.meta.url,
)(join(repositoryRoot, 'deploy/local/running-process.cjs')) as {
  isRunning: (recorded: RecordedProcess) => boolean;
  processLine: (pid: number) => string;
  recordedProcesses: (file: string) => readonly RecordedProcess[];
  startTimeOf: (pid: number, platform?: NodeJS.Platform) => string;
};
