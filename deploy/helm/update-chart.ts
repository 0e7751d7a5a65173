import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartFiles, chartFolder } from './chart-files.ts';

// Writes the chart's generated files: make chart UPDATE=1

for (const [name, text] of chartFiles()) {
  const file = join(chartFolder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
