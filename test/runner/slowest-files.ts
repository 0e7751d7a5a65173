import { relative } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import type { FileResult } from './tally.ts';

const shownFiles = 15;

/** A table of the slowest files. A file with little CPU time waits, or starts too few things at once. */
export function slowestFiles(files: readonly FileResult[], elapsedSeconds: number): string {
  const sum = (time: 'seconds' | 'cpuSeconds') =>
    files.reduce((total, file) => total + file[time], 0);
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, shownFiles);
  return [
    'Slowest files:',
    line('seconds', 'CPU', ''),
    ...slowest.map((file) => line(whole(file.seconds), whole(file.cpuSeconds), nameOf(file))),
    line(whole(sum('seconds')), whole(sum('cpuSeconds')), `all ${files.length} files`),
    line(whole(elapsedSeconds), '', 'elapsed'),
    '',
  ].join('\n');
}

/** `faults/kill-rounds` */
export function nameOf({ file }: FileResult): string {
  return relative(`${repositoryRoot}/dist/test`, file).replace(/\.test\.js$/, '');
}

function line(seconds: string, cpu: string, name: string): string {
  return `${seconds.padStart(9)}${cpu.padStart(7)}  ${name}`.trimEnd();
}

function whole(number: number): string {
  return number.toFixed(0);
}
