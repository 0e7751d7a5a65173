/** A body of PUT /metadata that the service refuses. */
interface InvalidBody {
  readonly when: string;
  readonly body: unknown;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export const agent = { agent_id: 'box-1' };
export const metadata = { timezone: 'Europe/London' };
export const typed = (type: string) => [`This value should be of type ${type}.`];

/** The contract's table of validation failures, row by row. */
export const contractCases: readonly InvalidBody[] = [
  { when: 'agent is left out', body: { metadata }, errors: { agent: ['Agent cannot be empty.'] } },
  {
    when: 'agent is empty',
    body: { agent: {}, metadata },
    errors: { agent: ['Agent cannot be empty.'] },
  },
  {
    when: 'agent_id is not a string',
    body: { agent: { agent_id: 5 }, metadata },
    errors: { 'agent[agent_id]': typed('string') },
  },
  {
    when: 'unit_id is not an integer',
    body: { agent: { unit_id: '5' }, metadata },
    errors: { 'agent[unit_id]': typed('integer') },
  },
  {
    when: 'the timezone to search for is not a string',
    body: { agent: { timezone: 5 }, metadata },
    errors: { 'agent[timezone]': typed('string') },
  },
  {
    when: 'the package to search for has no colon',
    body: { agent: { package: 'nocolon' }, metadata },
    errors: { 'agent[package]': ['nocolon is not a valid package name.'] },
  },
  {
    when: 'the custom fields to search for are null',
    body: { agent: { custom: null }, metadata },
    errors: { 'agent[custom]': ['Cannot search for null custom metadata.'] },
  },
  {
    when: 'the custom fields to search for are empty',
    body: { agent: { custom: {} }, metadata },
    errors: {
      'agent[custom]': ['Must specify at least one key when searching by custom fields.'],
    },
  },
  {
    when: 'a custom key to search for has no letter',
    body: { agent: { custom: { 5: 'x' } }, metadata },
    errors: { 'agent[custom][5]': ['Invalid key'] },
  },
  {
    when: 'the new package has no colon',
    body: { agent, metadata: { package: 'nocolon' } },
    errors: { 'metadata[package]': ['nocolon is not a valid package name.'] },
  },
  {
    when: 'the ISP of the new package does not exist',
    body: { agent, metadata: { package: 'Nobody:Fibre 500' } },
    errors: {
      'metadata[package]': [
        'Unable to resolve new package Nobody:Fibre 500. (Invalid Isp name in new package)',
      ],
    },
  },
  {
    when: 'the new package does not exist',
    body: { agent, metadata: { package: 'Northwave:Fibre 1' } },
    errors: {
      'metadata[package]': [
        'Unable to resolve new package Northwave:Fibre 1. (Invalid Package name in new package)',
      ],
    },
  },
  {
    when: 'the new timezone does not exist',
    body: { agent, metadata: { timezone: 'Europe/Atlantis' } },
    errors: { 'metadata[timezone]': ['Europe/Atlantis is not a valid IANA timezone.'] },
  },
  {
    when: 'the new custom fields are empty',
    body: { agent, metadata: { custom: {} } },
    errors: { 'metadata[custom]': ['Must specify at least one key when updating custom fields.'] },
  },
  {
    when: 'the new custom fields are null',
    body: { agent, metadata: { custom: null } },
    errors: { 'metadata[custom]': ['Cannot null custom metadata.'] },
  },
  {
    when: 'a new custom key has no letter',
    body: { agent, metadata: { custom: { '1-2': 'x' } } },
    errors: { 'metadata[custom][1-2]': ['Invalid key'] },
  },
  {
    when: 'the date is not an integer',
    body: { agent, metadata, backdate_from: 'soon' },
    errors: { backdate_from: ['Invalid backdate (soon). Must be a valid integer.'] },
  },
  {
    when: 'the agent is an empty text',
    body: { agent: '', metadata },
    errors: { agent: ['Agent cannot be empty.'] },
  },
  ...['Northwave:', 'Nobody:', 'North:wave:'].map((name) => ({
    when: `the selected package is ${name}, an ISP alone`,
    body: { agent: { package: name }, metadata },
    errors: { 'agent[package]': [`${name} is not a valid package name.`] },
  })),
  {
    when: 'overwrite_all is not a boolean',
    body: { agent, metadata, overwrite_all: 'yes' },
    errors: { overwrite_all: typed('bool') },
  },
];

/** Failures that the contract does not list. */
export const otherCases: readonly InvalidBody[] = [
  { when: 'the body is a list', body: [1], errors: { body: typed('object') } },
  { when: 'the body is null', body: null, errors: { body: typed('object') } },
  {
    when: 'the body is empty',
    body: {},
    errors: { agent: ['Agent cannot be empty.'], metadata: ['This field is missing.'] },
  },
  {
    when: 'agent and metadata are not objects',
    body: { agent: 'box-1', metadata: 5 },
    errors: { agent: typed('object'), metadata: typed('object') },
  },
  {
    when: 'agent is the empty list of a PHP client',
    body: { agent: [], metadata },
    errors: { agent: ['Agent cannot be empty.'] },
  },
  {
    when: 'a field is unknown',
    body: { agent: { ...agent, age: 5 }, metadata: { ...metadata, colour: 1 }, dry_run: true },
    errors: {
      dry_run: ['This field was not expected.'],
      'agent[age]': ['This field was not expected.'],
      'metadata[colour]': ['This field was not expected.'],
    },
  },
  {
    when: 'texts to search for are not strings',
    body: { agent: { mac_address: 1, isp: null, agent_id: {} }, metadata },
    errors: {
      'agent[mac_address]': typed('string'),
      'agent[isp]': typed('string'),
      'agent[agent_id]': typed('string'),
    },
  },
  {
    when: 'a package is not text or has no ISP',
    body: { agent: { package: ':Fibre 500' }, metadata: { package: { isp: 'Northwave' } } },
    errors: {
      'agent[package]': [':Fibre 500 is not a valid package name.'],
      'metadata[package]': ['{"isp":"Northwave"} is not a valid package name.'],
    },
  },
  {
    when: 'package and timezone are null',
    body: { agent, metadata: { package: null, timezone: null } },
    errors: {
      'metadata[package]': ['null is not a valid package name.'],
      'metadata[timezone]': ['null is not a valid IANA timezone.'],
    },
  },
  {
    when: 'custom fields are a list',
    body: { agent: { custom: ['x'] }, metadata: { custom: 'x' } },
    errors: { 'agent[custom]': typed('object'), 'metadata[custom]': typed('object') },
  },
  {
    when: 'a custom value is neither text nor number',
    body: { agent: { custom: { a: null } }, metadata: { custom: { b: true, c: [1], d: {} } } },
    errors: {
      'agent[custom][a]': typed('string or number'),
      'metadata[custom][b]': typed('string or number'),
      'metadata[custom][c]': typed('string or number'),
      'metadata[custom][d]': typed('string or number'),
    },
  },
  {
    when: 'a text contains NUL or a lone surrogate',
    body: {
      agent: { agent_id: 'a\0', isp: '\ud800' },
      metadata: { package: 'A:\0', custom: { name: 'x\udc00', 'k\0': 'v' } },
    },
    errors: {
      'agent[agent_id]': ['This value contains characters that cannot be stored.'],
      'agent[isp]': ['This value contains characters that cannot be stored.'],
      'metadata[package]': ['This value contains characters that cannot be stored.'],
      'metadata[custom][name]': ['This value contains characters that cannot be stored.'],
      'metadata[custom][k\0]': ['Invalid key'],
    },
  },
  {
    when: 'the date is a fraction',
    body: { agent, metadata, backdate_from: 1.5 },
    errors: { backdate_from: ['Invalid backdate (1.5). Must be a valid integer.'] },
  },
];
