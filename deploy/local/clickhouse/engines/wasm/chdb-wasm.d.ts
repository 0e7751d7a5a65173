// What the server uses of chdb-wasm, so that type checks need no copy of its 150 MB.
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
    /** Runs on a connection of its own, after clearing the cancel flag. */
    query(sql: string, format?: string): Promise<ChdbResult>;
    /** Sets the cancel flag: whatever runs in the engine now ends with code 394. */
    cancel(): void;
    /** Takes over the array's buffer. */
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
