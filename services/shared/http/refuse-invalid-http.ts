import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** The largest valid request needs 52 KiB: a value of 4,096 characters in a URL, each up to four bytes in percent form. */
export const maxHeaderSize = 64 * 1024;
/** How long a client that is still sending has to read the response. */
const lingerMs = 1_000;

/** Responds to requests that Node cannot parse, and which reach no route, in the envelope of the contracts. */
export function refuseInvalidHttp(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, message } = refusalOf(error.code);
    const body = JSON.stringify({ code: 'BAD_REQUEST', message });
    // Closed at once, a connection with unread data is reset, and the client loses the response.
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    socket.resume();
  });
}

function refusalOf(code: string | undefined): { status: number; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        message: `The URL and the headers are larger than ${maxHeaderSize} bytes`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request was not complete in time' };
    default:
      return { status: 400, message: 'The request is not valid HTTP' };
  }
}
