import { freePorts } from './free-ports.ts';

/** A free TCP port. */
export async function freePort(): Promise<number> {
  const [port] = (await freePorts(1)) as [number];
  return port;
}
