import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

/** The text of the documents for operators, whose commands the tests run in this order. */
export function operatorPages(): string {
  return ['operations', 'troubleshooting', 'install']
    .map((name) => readFileSync(join(repositoryRoot, `docs/${name}.md`), 'utf8'))
    .join('\n');
}
