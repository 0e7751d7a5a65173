import { createServer } from 'node:net';

// Below 32768, where the system takes the ports of outgoing connections: a port that is free now is still free when a
// service listens on it. Each test process has its own ports, so that two that start stacks do not take the same.
const portsPerProcess = 100;
const firstPort = 15_000 + (process.pid % 150) * portsPerProcess;
let tried = 0;

/** Free TCP ports, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let i = 0; ports.length < count; i += 1) {
    if (i === portsPerProcess) throw new Error(`No ${count} ports from ${firstPort} on are free`);
    const port = firstPort + (tried++ % portsPerProcess);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
