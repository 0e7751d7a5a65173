import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Converts the schemas of kubernetes-validate for kubeconform: their references use a URL of their own
// loader, but the files are in one folder.
//   node local-schemas.js FROM TO

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error('Usage: local-schemas.js FROM TO');

mkdirSync(to, { recursive: true });
for (const file of readdirSync(from)) {
  const text = readFileSync(join(from, file), 'utf8');
  const schema = JSON.parse(text.replaceAll('/api/_definitions.json', '_definitions.json')) as {
    $id?: string;
  };
  delete schema.$id;
  writeFileSync(join(to, file), JSON.stringify(schema));
}
