import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  parseMappingFile,
  readMappingFile,
  readPreset,
  writeMappingFile,
} from '../../../../services/load/mapping/mapping-file.ts';

describe('mapping files', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'netpanel-mapping-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('are read as they were written, with the section of agents', () => {
    const path = join(folder, 'mapping.json');
    const mapping = {
      test: 'httpget',
      description: 'Own probes',
      source: 'https://example.org/release',
      format: 'ndjson',
      columns: { bytes_sec: '"Mean ""down"" speed"*125000', dtime: "'2026-11-01'" },
      values: { zones: { NSW: 'Australia/Sydney' } },
      agents: { from: { nested: [1, null, 'x'] } },
    } as const;
    writeMappingFile(path, mapping);
    expect(readMappingFile(path)).to.deep.equal(mapping);
  });

  it('are not overwritten', () => {
    const path = join(folder, 'existing.json');
    writeFileSync(path, 'mine');
    expect(() => writeMappingFile(path, { columns: { a: 'b' } })).to.throw('existing.json exists');
    expect(readFileSync(path, 'utf8')).to.equal('mine');
  });

  const problems: readonly (readonly [text: string, problem: string])[] = [
    ['{', 'm.json: not JSON'],
    ['[]', 'm.json: must be a JSON object'],
    ['{"columns": {}}', 'm.json: columns must be an object such as'],
    ['{"columns": {"a": 5}}', 'm.json: columns must be an object such as'],
    ['{"test": 5, "columns": {"a": "b"}}', 'm.json: test must be text'],
    [
      '{"columns": {"a": "b"}, "format": "xml"}',
      'format must be one of csv, ndjson, json, parquet, xlsx',
    ],
    ['{"columns": {"a": "b"}, "blank": "#NULL!"}', 'blank must be a list of texts'],
    ['{"columns": {"a": "b"}, "values": {"t": "x"}}', 'values must be an object of tables'],
    ['{"column": {"a": "b"}}', 'unknown field "column". Allowed: test, description'],
    ['{"columns": {\n"a": "b",\n"a": "c"}}', 'm.json: duplicate field in line 3'],
  ];
  for (const [text, problem] of problems) {
    it(`${JSON.stringify(text)} is refused: ${problem}`, () => {
      expect(() => parseMappingFile(text, 'm.json')).to.throw(problem);
    });
  }

  it('a mapping file that does not exist is named', () => {
    expect(() => readMappingFile('/no/such.json')).to.throw('/no/such.json cannot be read');
  });

  it('an unknown preset suggests a similar one', () => {
    expect(() => readPreset('okla')).to.throw('unknown preset "okla". Did you mean ookla?');
    expect(() => readPreset('../x')).to.throw('unknown preset "../x". Presets: ');
  });
});
