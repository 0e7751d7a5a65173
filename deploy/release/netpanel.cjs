#!/usr/bin/env node
'use strict';

// The program of the package netpanel-local. npx unpacks the package again for each command, so this copies it once to the
// home folder, where its dependencies are installed and a stack in the background keeps its files.

const { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } = require('fs');
const { homedir } = require('os');
const { dirname, join } = require('path');
const process = require('process');
const { pathToFileURL } = require('url');
const { build, engines } = require('./package.json');
const { nodeProblem } = require('./app/deploy/local/check-setup.cjs');

const problem = nodeProblem(process.versions.node, engines.node);
if (problem === undefined) {
  import(pathToFileURL(join(installed(), 'dist/deploy/release/package-command.js')));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

function installed() {
  const folder = join(homedir(), '.netpanel/app', build);
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, '..'), { recursive: true });
  const copy = mkdtempSync(`${folder}.copy-`);
  cpSync(join(dirname(module.filename), 'app'), copy, { recursive: true });
  // Started as root, Postgres runs as another user, who executes programs in this folder.
  chmodSync(copy, 0o755);
  try {
    renameSync(copy, folder);
  } catch (error) {
    // Another process was first.
    rmSync(copy, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
