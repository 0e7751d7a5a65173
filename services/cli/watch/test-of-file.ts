/**
 * The test of a file by the name of its folder or its own name: `httpget/day.csv`, `httpget-2026-11-01.csv`.
 * undefined: neither names a test.
 */
export function testOfFile(name: string, tests: readonly string[]): string | undefined {
  const folders = name.toLowerCase().split('/');
  const file = folders.pop() ?? '';
  const folder = folders.reverse().find((part) => tests.includes(part));
  // The longest, for mobile_latency and mobile_latency_extra.
  return (
    folder ??
    tests
      .filter((test) => startsWith(file, test))
      .sort(byLength)
      .at(-1)
  );
}

// dns_2026.csv and dns.csv are of dns, dnssec.csv is not.
function startsWith(file: string, test: string): boolean {
  return file.startsWith(test) && !/[a-z0-9]/.test(file.charAt(test.length));
}

function byLength(a: string, b: string): number {
  return a.length - b.length;
}
