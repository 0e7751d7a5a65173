import { nearest } from '../../shared/nearest.ts';
import {
  type Expression,
  type FunctionName,
  functions,
  type LookupTable,
  type Operator,
} from './expression.ts';
import { MappingError } from '../mapping-error.ts';
import type { SourceColumns } from './source-columns.ts';

export type LookupTables = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Parses an expression over the columns of a file. Throws a MappingError. */
export function parseExpression(
  text: string,
  columns: SourceColumns,
  tables: LookupTables = {},
): Expression {
  if (text.length > maxLength) {
    throw new MappingError(`an expression has at most ${maxLength} characters, not ${text.length}`);
  }
  return new Parser(text, columns, tables).parse();
}

const maxLength = 4000;
/** Of parentheses and functions, so that parsing cannot exhaust the stack. */
const maxDepth = 50;

class Parser {
  readonly #text: string;
  readonly #columns: SourceColumns;
  readonly #tables: LookupTables;
  #at = 0;
  #depth = 0;

  constructor(text: string, columns: SourceColumns, tables: LookupTables) {
    this.#text = text;
    this.#columns = columns;
    this.#tables = tables;
  }

  parse(): Expression {
    const expression = this.#sum();
    this.#skipSpaces();
    if (this.#at < this.#text.length) throw this.#unexpected('an operator');
    return expression;
  }

  #sum(): Expression {
    return this.#operations(['+', '-'], () => this.#product());
  }

  #product(): Expression {
    return this.#operations(['*', '/'], () => this.#operand());
  }

  #operations(operators: readonly Operator[], next: () => Expression): Expression {
    const start = this.#start();
    let left = next();
    for (;;) {
      this.#skipSpaces();
      const operator = operators.find((symbol) => this.#text[this.#at] === symbol);
      if (operator === undefined) return left;
      this.#at++;
      const right = next();
      left = { kind: 'operation', operator, left, right, text: this.#since(start) };
    }
  }

  #operand(): Expression {
    if (++this.#depth > maxDepth) {
      throw new MappingError(`an expression has at most ${maxDepth} levels of parentheses`);
    }
    const operand = this.#signed();
    this.#depth--;
    return operand;
  }

  #signed(): Expression {
    const start = this.#start();
    const character = this.#text[start];
    if (character === '-') {
      this.#at++;
      const operand = this.#operand();
      return { kind: 'negative', operand, text: this.#since(start) };
    }
    if (character === '(') {
      this.#at++;
      const inner = this.#sum();
      this.#expect(')');
      return inner;
    }
    if (character === "'") return { kind: 'text', value: this.#quoted(), text: this.#since(start) };
    if (character === '"') {
      const column = this.#columns.named(this.#quoted());
      return { kind: 'column', ...column, text: this.#since(start) };
    }
    return this.#numberOrName(start);
  }

  #numberOrName(start: number): Expression {
    const [number = ''] =
      /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\p{L}\p{N}_])/iu.exec(this.#text.slice(start)) ?? [];
    const name = /^([A-Za-z]+)\s*\(/.exec(this.#text.slice(start))?.[1];
    const column = this.#columns.longestAt(this.#text, start);
    // A column in front of a parenthesis can only be a function with the same name.
    if (column !== undefined && column.length > number.length && column.length !== name?.length) {
      this.#at += column.length;
      return { kind: 'column', index: column.index, name: column.name, text: this.#since(start) };
    }
    if (number !== '') {
      this.#at += number.length;
      return { kind: 'number', value: number, text: number };
    }
    if (name !== undefined) return this.#call(name, start);
    const [unknown = ''] = /^[^-+*/(),'"]*/.exec(this.#text.slice(start)) ?? [];
    if (unknown.trim() === '') throw this.#unexpected('a column, number or text');
    const found = this.#columns.named(unknown.trim());
    throw new MappingError(`write ${JSON.stringify(found.name)} in double quotes`);
  }

  #call(name: string, start: number): Expression {
    this.#at = this.#text.indexOf('(', start) + 1;
    if (name === 'lookup') return this.#lookup(start);
    if (name === 'optional') return this.#optional(start);
    if (name === 'row') {
      this.#expect(')');
      return { kind: 'row', text: this.#since(start) };
    }
    if (!isFunction(name)) {
      const known = [...Object.keys(functions), 'lookup', 'optional', 'row'];
      const meant = nearest(name, known);
      throw new MappingError(
        `unknown function ${name}. ` +
          (meant === undefined ? `Functions: ${known.join(', ')}.` : `Did you mean ${meant}?`),
      );
    }
    const args = [this.#sum()];
    while (this.#take(',')) args.push(this.#sum());
    this.#expect(')');
    const { min, max, usage } = functions[name];
    if (args.length < min || args.length > max) {
      throw new MappingError(`${name} has ${args.length} arguments; it is used as ${usage}`);
    }
    return { kind: 'call', name, args, text: this.#since(start) };
  }

  /** A column that the file may not have: blank then. */
  #optional(start: number): Expression {
    const isQuoted = this.#text[this.#start()] === '"';
    const name = isQuoted ? this.#quoted() : (/^[^)]*/.exec(this.#text.slice(this.#at))?.[0] ?? '');
    if (!isQuoted) this.#at += name.length;
    this.#expect(')');
    const text = this.#since(start);
    const wanted = name.trim();
    if (!this.#columns.mayHave(wanted)) return { kind: 'text', value: '', text };
    return { kind: 'column', ...this.#columns.named(wanted), text };
  }

  #lookup(start: number): Expression {
    const key = this.#sum();
    this.#expect(',');
    const table = this.#text[this.#start()] === '{' ? this.#inlineTable() : this.#namedTable();
    const otherwise = this.#take(',') ? this.#sum() : undefined;
    this.#expect(')');
    return { kind: 'lookup', key, table, otherwise, text: this.#since(start) };
  }

  #namedTable(): LookupTable {
    const [name = ''] = /^[\w-]+/.exec(this.#text.slice(this.#at)) ?? [];
    if (name === '') throw this.#unexpected("a table of values, by its name or as {'from': 'to'}");
    const values = Object.hasOwn(this.#tables, name) ? this.#tables[name] : undefined;
    if (values === undefined) {
      const known = Object.keys(this.#tables).join(', ') || 'none';
      throw new MappingError(`unknown table ${name}. Tables under "values": ${known}.`);
    }
    this.#at += name.length;
    return { name, values: new Map(Object.entries(values)) };
  }

  #inlineTable(): LookupTable {
    const values = new Map<string, string>();
    this.#at++;
    do {
      const from = this.#textLiteral();
      this.#expect(':');
      if (values.has(from)) throw new MappingError(`lookup has ${JSON.stringify(from)} twice`);
      values.set(from, this.#textLiteral());
    } while (this.#take(','));
    this.#expect('}');
    return { name: '', values };
  }

  #textLiteral(): string {
    if (this.#text[this.#start()] !== "'") throw this.#unexpected("text such as 'NSW'");
    return this.#quoted();
  }

  /** The text from the quote at the position to the next one; a doubled quote is one of the text. */
  #quoted(): string {
    const quote = this.#text[this.#at] ?? '';
    const pattern = quote === '"' ? /^"((?:[^"]|"")*)"/ : /^'((?:[^']|'')*)'/;
    const found = pattern.exec(this.#text.slice(this.#at));
    if (found === null)
      throw new MappingError(`the quote at character ${this.#at + 1} is not closed`);
    this.#at += found[0].length;
    return (found[1] ?? '').replaceAll(quote + quote, quote);
  }

  #start(): number {
    this.#skipSpaces();
    return this.#at;
  }

  #since(start: number): string {
    return this.#text.slice(start, this.#at).trim();
  }

  #take(symbol: string): boolean {
    if (this.#text[this.#start()] !== symbol) return false;
    this.#at++;
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#take(symbol)) throw this.#unexpected(symbol);
  }

  #skipSpaces(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #unexpected(expected: string): MappingError {
    const rest = this.#text.slice(this.#at, this.#at + 40);
    const found = rest === '' ? 'the expression ends' : `found ${JSON.stringify(rest)}`;
    return new MappingError(`expected ${expected} at character ${this.#at + 1}, but ${found}`);
  }
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}
