import { readFileSync } from 'node:fs';

/** Memory that processes can take without swapping. */
export function freeMemoryBytes(): number {
  const [, kilobytes] = /^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}
