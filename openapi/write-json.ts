import { writeContracts } from './write-contracts.ts';

// Part of `make build`, after the compiler.

writeContracts();
