import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readSettings } from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { type Command, UsageError } from './command.ts';
import { cliEnvironment } from './config.ts';

export const explainCommand: Command = {
  name: 'explain',
  about: 'Print the SQL behind a request, ready to paste into a ClickHouse client',
  usage: `netpanel explain [--json] request.json

Reads the body of a request for metric data or test data from a file, or from standard input when the
file is "-", and asks the running query service what it would send to ClickHouse. Prints the SQL with
the values in it, and below it what it would read; with --json everything the service tells.

  netpanel explain request.json | clickhouse client -d netpanel

Reads QUERY_URL and DATA_TOKEN, and without the latter the demo organisation's token.`,

  async run(args) {
    const { asJson, path } = explainArguments(args);
    const explanation = await explained(await readRequest(path));
    process.stdout.write(asJson ? `${JSON.stringify(explanation, null, 2)}\n` : asSql(explanation));
    return 0;
  },
};

interface Explanation {
  readonly inlined: string;
  readonly estimate: Readonly<Record<string, number>>;
}

interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly data?: Explanation;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

function explainArguments(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new UsageError('explain takes one file');
  return { asJson: values.json, path };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function readRequest(path: string): Promise<Readonly<Record<string, unknown>>> {
  const body = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error });
  }
}

async function explained(request: Readonly<Record<string, unknown>>): Promise<Explanation> {
  const { queryUrl, token } = readSettings(explainSettings(), cliEnvironment());
  // A request for test data names its test, one for metric data its metric.
  const endpoint = 'test' in request ? 'test_data' : 'metric_data';
  const answer = await fetch(`${queryUrl}/${endpoint}/explain`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const envelope = (await answer.json()) as Envelope;
  if (envelope.data === undefined) throw new Error(refusal(envelope));
  return envelope.data;
}

function explainSettings() {
  const { DEMO_DATA_TOKEN } = cliEnvironment();
  return {
    queryUrl: setting.url('QUERY_URL', 'Address of the query service.', {
      fallback: 'http://127.0.0.1:8080',
    }),
    token: setting.text('DATA_TOKEN', 'Token of the data interface.', {
      secret: true,
      ...(DEMO_DATA_TOKEN === undefined ? {} : { fallback: DEMO_DATA_TOKEN }),
    }),
  };
}

function refusal({ code, message, errors = {} }: Envelope): string {
  const fields = Object.entries(errors).map(([path, texts]) => `  ${path}: ${texts.join(' ')}`);
  return [`${code}: ${message}`, ...fields].join('\n');
}

// The estimate is a comment, so that the whole output can be piped into a client.
function asSql({ inlined, estimate }: Explanation): string {
  const { rows = 0, bytes = 0, parts = 0, marks = 0 } = estimate;
  return `${inlined};\n-- Reads about ${rows} rows (${bytes} bytes, uncompressed) in ${marks} marks of ${parts} parts.\n`;
}
