import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { messagesOf } from '../../../../services/shared/errors/messages-of.ts';

interface Receiver {
  /** INGEST_URL. */
  readonly url: string;
  readonly token: string;
}

const attempts = 5;

/** Sends a result until it is acknowledged. Every attempt has the same key, so that it is stored once. */
export async function sendResult(
  { url, token }: Receiver,
  test: string,
  row: object,
): Promise<string> {
  const key = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/results/${test}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify([row]),
    }).catch((error: unknown) => error as Error);
    if (!(response instanceof Error) && response.ok) return response.text();
    const isFinal = !(response instanceof Error) && ![429, 500, 503].includes(response.status);
    if (isFinal || attempt === attempts) {
      const reason = response instanceof Error ? messagesOf(response) : await response.text();
      throw new Error(`${url} did not store the result: ${reason}`);
    }
    const waitS = response instanceof Error ? 1 : Number(response.headers.get('retry-after') ?? 1);
    await sleep(1000 * waitS);
  }
}
