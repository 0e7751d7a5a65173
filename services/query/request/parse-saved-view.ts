import { Problems } from '../../shared/errors/problems.ts';
import type { RequestFields } from './fields/request-field.ts';
import { isObject } from './request-body.ts';

/** A view to save. */
export interface NewView {
  readonly name: string;
  /** The fragment of an explorer URL, without `#`. */
  readonly state: string;
}

const maxNameCharacters = 100;
const maxStateCharacters = 8_000;

export const viewFields = {
  name: {
    schema: { type: 'string', minLength: 1, maxLength: maxNameCharacters },
    isRequired: true,
  },
  state: {
    schema: { type: 'string', minLength: 1, maxLength: maxStateCharacters },
    isRequired: true,
    about: 'What follows the `#` in the URL of the explorer.',
  },
} satisfies RequestFields;

/** Parses the body of POST /views. Throws a VALIDATION_FAIL that lists all problems. */
export function parseSavedView(body: unknown): NewView {
  const problems = new Problems();
  const fields = fieldsOf(body, Object.keys(viewFields), problems);
  const view = {
    name: parseName(fields.name, problems),
    state: parseState(fields.state, problems),
  };
  problems.throwIfAny();
  return view;
}

/** Parses the body of PATCH /views/{id}, the new name. Throws a VALIDATION_FAIL. */
export function parseViewName(body: unknown): string {
  const problems = new Problems();
  const name = parseName(fieldsOf(body, ['name'], problems).name, problems);
  problems.throwIfAny();
  return name;
}

function fieldsOf(
  body: unknown,
  known: readonly string[],
  problems: Problems,
): Readonly<Record<string, unknown>> {
  const fields = isObject(body) ? body : {};
  for (const field of Object.keys(fields)) {
    if (!known.includes(field)) problems.add(field, 'This field was not expected.');
  }
  return fields;
}

function parseName(value: unknown, problems: Problems): string {
  const name = typeof value === 'string' ? value.trim().normalize('NFC') : '';
  if (name === '') problems.add('name', 'Send a name for the view.');
  // Control characters, invisible direction marks and halves of surrogate pairs would make two names look alike.
  else if (/[\p{Cc}\p{Cf}\p{Surrogate}\p{Zl}\p{Zp}]/u.test(name)) {
    problems.add('name', 'The name has characters that cannot be displayed.');
  } else if (Array.from(name).length > maxNameCharacters) {
    problems.add('name', `The name is too long. The maximum is ${maxNameCharacters} characters.`);
  }
  return name;
}

function parseState(value: unknown, problems: Problems): string {
  const state = typeof value === 'string' ? value : '';
  if (state.length > maxStateCharacters) {
    problems.add(
      'state',
      `The state is too long. The maximum is ${maxStateCharacters} characters.`,
    );
  } else if (!isEncoded(state)) {
    problems.add(
      'state',
      'Send what follows the # in the URL of the explorer, such as "metric=httpget&split=isp".',
    );
  }
  return state;
}

/** `name=value` pairs as URLSearchParams writes them: one view has one text, and a link needs no escaping. */
function isEncoded(state: string): boolean {
  return state !== '' && new URLSearchParams(state).toString() === state && state.includes('=');
}
