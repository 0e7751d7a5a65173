import { readFileSync } from 'node:fs';

// Loaded into a service by NODE_OPTIONS=--import: its Date is ahead by the milliseconds in the file CLOCK_SHIFT_FILE. The
// monotonic clocks are not, as after a step of the system's clock.

const file = process.env.CLOCK_SHIFT_FILE ?? '';
const realNow = Date.now.bind(Date);
const shiftedNow = () => realNow() + Number(readFileSync(file, 'utf8'));

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [shiftedNow()] : args, newTarget) as Date,
  get: (target, key) => (key === 'now' ? shiftedNow : (Reflect.get(target, key) as unknown)),
});
