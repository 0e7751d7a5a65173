// The part of ffi-rs that chdb-library.ts uses, so that type checks do not need the engine's package.
declare module 'ffi-rs' {
  /** A C pointer. */
  export interface JsExternal {
    readonly external: unique symbol;
  }

  export enum DataType {
    String = 0,
    I32 = 1,
    StringArray = 4,
    Void = 7,
    U8Array = 10,
    External = 11,
    U64 = 12,
  }

  export type FieldType = DataType | ReturnType<typeof arrayConstructor>;

  export function open(library: { library: string; path: string }): void;
  export function isNullPointer(pointer: JsExternal): boolean;
  export function restorePointer(pointers: {
    retType: readonly FieldType[];
    paramsValue: readonly JsExternal[];
  }): JsExternal[];
  export function arrayConstructor(array: { type: DataType; length: number }): object;
  /** With runInNewThread it runs in libuv's thread pool and returns a promise. */
  export function load(call: {
    library: string;
    funcName: string;
    retType: FieldType;
    paramsType: readonly FieldType[];
    paramsValue: readonly unknown[];
    runInNewThread?: boolean;
  }): unknown;
}
