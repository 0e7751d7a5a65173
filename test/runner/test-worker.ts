import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import type { FileResult } from './tally.ts';

/** The end of a file's output on standard output, if the output is buffered. */
export const endOfFile = '\0';

export interface WorkerOptions {
  /** Options of test/run-files.ts. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the output of each file is kept until its end, because workers run in parallel. */
  readonly isBuffered: boolean;
}

export interface FileRun {
  readonly result: FileResult;
  readonly output: string;
}

/** A process that runs test files one after another, with one stack for all of them. */
export class TestWorker {
  readonly #child: ChildProcess;
  readonly #isBuffered: boolean;
  #isClosed = false;
  #output = '';
  #wakeUp: () => void = () => undefined;
  #result: FileResult | undefined;

  constructor({ args, env, isBuffered }: WorkerOptions) {
    this.#isBuffered = isBuffered;
    const runner = join(repositoryRoot, 'dist/test/run-files.js');
    this.#child = fork(runner, isBuffered ? ['--mark-end-of-file', ...args] : args, {
      silent: isBuffered,
      env: { ...process.env, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#wakeUp();
      });
    }
    this.#child.on('message', (result) => {
      this.#result = result as FileResult;
      this.#wakeUp();
    });
    this.#child.once('close', () => {
      this.#isClosed = true;
      this.#wakeUp();
    });
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  run(file: string): Promise<FileRun> {
    return this.#command({ file }, file);
  }

  /** Stops the stack. The result counts only errors. */
  stop(): Promise<FileRun> {
    return this.#command({ stop: true }, '');
  }

  async #command(message: { file: string } | { stop: true }, file: string): Promise<FileRun> {
    // Without a connection the process has exited, which is noticed below.
    this.#child.send(message, () => undefined);
    while (!this.#isClosed && !this.#isComplete()) {
      await new Promise<void>((resolve) => (this.#wakeUp = resolve));
    }
    const end = this.#output.indexOf(endOfFile);
    const output = end < 0 ? this.#output : this.#output.slice(0, end);
    this.#output = end < 0 ? '' : this.#output.slice(end + 1);
    return { result: this.#takeResult() ?? exitedEarly(file), output };
  }

  #takeResult(): FileResult | undefined {
    const result = this.#result;
    this.#result = undefined;
    return result;
  }

  #isComplete(): boolean {
    return this.#result !== undefined && (!this.#isBuffered || this.#output.includes(endOfFile));
  }
}

function exitedEarly(file: string): FileResult {
  const failures = ['The test process exited before all tests had run'];
  return { file, passed: 0, failed: 1, skipped: 0, failures, seconds: 0, cpuSeconds: 0 };
}
