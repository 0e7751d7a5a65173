import { context, type Context, type Link, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { recordError } from './record-error.ts';
import { tracer } from './traced.ts';

// The default maximum of the SDK.
const maxLinks = 128;

/** Traces work that is done later for several requests: in the first one's trace, linked to the others. */
export class DeferredWork {
  #requests: Context[] = [];

  /** To be called within the request that needs the work. */
  addRequest(): void {
    if (trace.getActiveSpan() !== undefined && this.#requests.length < maxLinks) {
      this.#requests.push(context.active());
    }
  }

  async traced<T>(name: string, work: () => Promise<T>): Promise<T> {
    const [first = ROOT_CONTEXT, ...others] = this.#requests;
    this.#requests = [];
    return tracer.startActiveSpan(name, { links: linksTo(others) }, first, async (span) => {
      try {
        return await work();
      } catch (error) {
        recordError(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }
}

function linksTo(contexts: readonly Context[]): Link[] {
  return contexts.flatMap((one) => {
    const span = trace.getSpanContext(one);
    return span === undefined ? [] : [{ context: span }];
  });
}
