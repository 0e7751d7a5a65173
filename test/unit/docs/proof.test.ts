import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Measurement } from '../../../bench/measure/measurement.ts';
import { formatted, wanted } from '../../../bench/print-table.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

/** A run that `make bench` does not record. */
interface RecordedRun {
  readonly section: string;
  readonly what: string;
  readonly result: string;
  readonly on: string;
  readonly repeat: string;
}

// After a recorded run: UPDATE_GOLDEN=1 npm test -- unit/docs, then review the diff.

describe('docs/proof.md', () => {
  const file = join(repositoryRoot, 'docs/proof.md');
  const page = readFileSync(file, 'utf8');
  const runs = recorded('recorded-runs.json') as readonly RecordedRun[];

  it('has the tables of the recorded runs', () => {
    const current = page.replace(
      /^<!-- generated: (.+) -->\n\n(?:\|.*\n)+/gm,
      (_match, section: string) => `<!-- generated: ${section} -->\n\n${tableOf(section)}`,
    );
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, current);
    else expect(page).to.equal(current);
  });

  it('has a table for every section of recorded runs', () => {
    for (const { section } of runs) expect(page).to.include(`<!-- generated: ${section} -->`);
  });

  function tableOf(section: string): string {
    if (section === 'Speed') return speedTable();
    const rows = runs.filter((run) => run.section === section);
    expect(rows, section).not.to.deep.equal([]);
    return table(
      ['what', 'result', 'on', 'repeat'],
      rows.map(({ what, result, on, repeat }) => [what, result, on, repeatCell(repeat)]),
    );
  }
});

/** The measurements of the last complete `make bench` that have a target. */
function speedTable(): string {
  const { measuredAt, measurements } = recorded('results.json') as {
    measuredAt: string;
    measurements: readonly (Measurement & { met: boolean })[];
  };
  const rows = measurements.flatMap(({ section, what, value, unit, target, met }) => {
    if (target === undefined) return [];
    const result = `${formatted(value)} ${unit}`.trim();
    return [[section, what, met ? result : `**${result}**`, wanted(target)]];
  });
  const sections = rows.map(([section]) => section);
  const once = rows.map((row, i) =>
    sections[i] === sections[i - 1] ? ['', ...row.slice(1)] : row,
  );
  return table(
    ['section', `\`make bench\` on ${measuredAt.slice(0, 10)}`, 'result', 'target'],
    once,
  );
}

function repeatCell(repeat: string): string {
  return repeat === 'the same' ? repeat : `\`${repeat}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

function recorded(name: string): unknown {
  return JSON.parse(readFileSync(join(repositoryRoot, 'bench', name), 'utf8'));
}
