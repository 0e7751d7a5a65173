'use strict';

// `make` runs this before npm ci and the build: the version of Node and, for run, up and dev, the ports. Only syntax and
// modules that Node 10 has: an older Node must be able to print that it is too old.

const fs = require('fs');
const net = require('net');
const path = require('path');
const process = require('process');
const { isRunning, recordedProcesses } = require('./running-process.cjs');

const folder = path.dirname(module.filename);
const root = path.join(folder, '../..');

/** One line per port in use. `wanted` has the variable and the port of each. */
function portsInUse(wanted) {
  return Promise.all(wanted.map(({ port }) => isFree(port))).then((free) =>
    wanted
      .filter((_, i) => !free[i])
      .map(
        ({ variable, port }) =>
          `Port ${port} is in use: stop the process that listens on it, or set ${variable}.`,
      ),
  );
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Undefined if this Node can run netpanel. */
function nodeProblem(version, required) {
  const numbers = (text) => text.replace(/^\D*/, '').split('.').map(Number);
  const [major, minor] = numbers(version);
  const [minMajor, minMinor = 0] = numbers(required);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined;
  return `Node ${version} is too old: netpanel needs ${minMajor}.${minMinor} or later. Install it, for example with nvm install ${minMajor}.`;
}

/** `target` is the target of make: run, up or dev. */
function stackProblems(target, env, stateDir) {
  const [supervisor, ...parts] = recordedProcesses(path.join(stateDir, 'processes'));
  if (supervisor !== undefined && isRunning(supervisor)) {
    // make up reports that it is running, and succeeds.
    const [inBackground] = recordedProcesses(path.join(stateDir, 'supervisor.pid'));
    const isInBackground = inBackground !== undefined && inBackground.pid === supervisor.pid;
    if (target === 'up' && isInBackground) return Promise.resolve([]);
    return Promise.resolve([
      'The stack of this checkout is already running: its addresses and tokens are in .local/env. Stop it first, with Ctrl-C in the terminal of make run or with make down.',
    ]);
  }
  // A killed supervisor has left them. The start stops them.
  if (parts.some(isRunning)) return Promise.resolve([]);
  return portsInUse(portsOf(target, env));
}

/** The settings of stack-options.ts, which is not compiled yet: setting.port('QUERY_PORT', 'Port of …', 8080). */
function portsOf(target, env) {
  const text = fs.readFileSync(path.join(folder, 'stack-options.ts'), 'utf8');
  const tables = target === 'dev' ? text : text.slice(0, text.indexOf('const devPortSettings'));
  const ports = [];
  tables.replace(
    /setting\.port\(\s*'(\w+)',\s*(?:'[^']*'|"[^"]*"),\s*(\d+)/g,
    (_, variable, port) => ports.push({ variable, port: Number(env[variable] || port) }),
  );
  return ports;
}

function main(target) {
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const problem = nodeProblem(process.versions.node, engines.node);
  if (problem !== undefined) return fail([problem]);
  if (target === undefined) return undefined;
  return stackProblems(target, process.env, path.join(root, '.local')).then(fail);
}

function fail(problems) {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

module.exports = { nodeProblem, portsInUse, portsOf, stackProblems };
if (require.main === module) main(process.argv[2]);
