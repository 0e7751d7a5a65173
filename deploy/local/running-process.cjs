'use strict';

// The processes of a local stack, in files with one line each: `<pid> <start time>`. The start time tells a process from
// a later one with the same pid. check-setup.cjs uses it too: only syntax and modules that Node 10 has.

const { execFileSync } = require('child_process');
const fs = require('fs');
const process = require('process');

/** The recorded processes of a file, in their order; none if it does not exist. */
function recordedProcesses(file) {
  let lines;
  try {
    lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
  return lines.map((line) => {
    const [pid, ...startTime] = line.split(' ');
    return { pid: Number(pid), startTime: startTime.join(' ') };
  });
}

function processLine(pid) {
  return `${pid} ${startTimeOf(pid)}\n`;
}

function isRunning({ pid, startTime }) {
  return startTime !== '' && startTimeOf(pid) === startTime;
}

/** Empty for a process that has ended. */
function startTimeOf(pid, platform = process.platform) {
  try {
    return platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return '';
  }
}

/** Field 22 of /proc/<pid>/stat. Linux without the package procps has no ps. */
function fromProc(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program name in brackets, which may contain spaces: count from its end.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? '' : rest[18] || '';
}

/** `Ss   Thu Nov 19 22:15:46 2026` without the state. */
function fromPs(pid) {
  const output = execFileSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: Object.assign({}, process.env, { LC_ALL: 'C', TZ: 'UTC' }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [state, ...startTime] = output.trim().split(/\s+/);
  return state.startsWith('Z') ? '' : startTime.join(' ');
}

module.exports = { isRunning, processLine, recordedProcesses, startTimeOf };
