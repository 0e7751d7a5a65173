/** One line for whoever ran the command. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
