import { createSocket } from 'node:dgram';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  readonly host: string;
  readonly httpPort: number;
  readonly udpPort: number;
  close(): void;
}

/** The line to imitate: loopback itself has about 10 Gbit/s and no delay. */
interface ImitatedLine {
  /** Of all downloads together. */
  readonly downMbps: number;
  readonly rttMs: number;
}

const tickMs = 10;

/** A server to measure against: GET sends bytes until the client has enough, UDP packets are returned. */
export async function startTestServer({ downMbps, rttMs }: ImitatedLine): Promise<TestServer> {
  const host = '127.0.0.1';
  const bytesPerMs = downMbps * 125;
  // After a pause of the process at most the bytes of ten ticks are sent at once.
  const chunk = Buffer.alloc(Math.ceil(bytesPerMs * tickMs * 10), 'netpanel');
  const downloads = new Set<ServerResponse>();
  const http = createServer((_req, res) => {
    downloads.add(res);
    res.on('close', () => downloads.delete(res));
  });
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const bytes = Math.min((nowMs - lastMs) * bytesPerMs, chunk.length) / downloads.size;
    lastMs = nowMs;
    for (const res of downloads) {
      if (!res.writableNeedDrain) res.write(chunk.subarray(0, bytes));
    }
  }, tickMs);
  const udp = createSocket('udp4');
  udp.on('message', (packet, { port, address }) => {
    setTimeout(() => udp.send(packet, port, address), rttMs);
  });
  await Promise.all([
    new Promise<void>((resolve) => http.listen(0, host, resolve)),
    new Promise<void>((resolve) => udp.bind(0, host, resolve)),
  ]);
  return {
    host,
    httpPort: (http.address() as AddressInfo).port,
    udpPort: udp.address().port,
    close: () => {
      clearInterval(timer);
      http.close();
      http.closeAllConnections();
      udp.close();
    },
  };
}
