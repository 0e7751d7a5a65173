import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFiles, chartFolder } from './chart-files.ts';

// Writes the chart's generated files: make chart UPDATE=1

for (const [name, text] of chartFiles()) writeFileSync(join(chartFolder, name), text);
