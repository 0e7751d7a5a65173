import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Loaded into the services during a soak. Without it the metadata service collects its old objects every few
// minutes only, and the memory between two collections looks like growth.

const everyMs = 20_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
setInterval(collectGarbage, everyMs).unref();
