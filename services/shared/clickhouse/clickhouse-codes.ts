/** Error codes, from https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
export const clickHouseCodes = {
  unknownDatabase: 81,
  tooManyRows: 158,
  timeout: 159,
  quotaExceeded: 201,
  tooManyQueries: 202,
  socketTimeout: 209,
  networkError: 210,
  shuttingDown: 236,
  memoryLimit: 241,
  allReplicasFailed: 279,
  throwIf: 395,
  tooManyResultRows: 396,
} as const;
