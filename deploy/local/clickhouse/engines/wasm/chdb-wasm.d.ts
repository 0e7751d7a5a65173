// The part of chdb-wasm that the server uses, so that type checks do not need its 150 MB.
declare module 'chdb-wasm' {
  export interface ChdbResult {
    readonly data: Uint8Array<ArrayBuffer>;
    /** Rows and bytes of the result; for INSERT … FROM INFILE, those written. */
    readonly rowsRead: number;
    readonly bytesRead: number;
    /** Rows and bytes read from tables. */
    readonly scannedRows: number;
    readonly scannedBytes: number;
    text(): string;
  }

  export class AsyncChdb {
    private constructor();
    static create(options: { moduleUrl: string }): Promise<AsyncChdb>;
    /** Clears the cancel flag and runs on a new connection. */
    query(sql: string, format?: string): Promise<ChdbResult>;
    /** Sets the cancel flag: the running query ends with code 394. */
    cancel(): void;
    /** Transfers the array's buffer. */
    putFile(path: string, data: Uint8Array<ArrayBuffer>): Promise<void>;
    connect(): Promise<AsyncChdbConnection>;
    terminate(): Promise<void>;
  }

  export class AsyncChdbConnection {
    private constructor();
    query(sql: string, format?: string): Promise<ChdbResult>;
    queryStream(sql: string, format?: string): AsyncGenerator<ChdbResult, void, void>;
    close(): Promise<void>;
  }
}
