// Generated from openapi/ingest.yaml by make generate. Change the contract, not this file.

export interface paths {
    "/results/{test}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store results of a test
         * @description The rows have the columns of the test's table, by name and in any order: `dtime` (UTC), `unit_id` or `agent_id`,
         *     and any others (docs/catalogue.md). A column that is
         *     not sent has its default.
         *
         *     | format | content type | rows |
         *     |---|---|---|
         *     | NDJSON | `application/x-ndjson`, `application/jsonl` | one object per line |
         *     | JSON | `application/json` | an array of objects |
         *     | CSV | `text/csv` | a line with the column names, then one line per row; comma, semicolon or tab |
         *
         *     The body may be compressed: `Content-Encoding: gzip` or `zstd`. It may have 64 MiB, before and after
         *     decompression (`INGEST_MAX_BODY_BYTES`, `INGEST_MAX_DECODED_BYTES`), results of 100,000 agents, and a row 1 MiB.
         *
         *     Invalid rows are rejected and listed in the response; the others are stored. With `atomic=true`, nothing is stored
         *     unless all rows are valid. A row is rejected if a value has the wrong type, if it has an unknown column, if its
         *     agent is not registered (`INGEST_UNKNOWN_AGENTS`) or was erased, or if its time is in the future or before the agent
         *     existed. Nothing is stored of a body that is too large, cut off or damaged.
         */
        post: operations["postResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/lmap/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store the results of an LMAP report
         * @description A report of a measurement agent as JSON, by the YANG module `ietf-lmap-report` (RFC 8194). The registry of the
         *     service (`INGEST_LMAP_REGISTRY`) maps the `uri` of a table's function to a test, and the columns of the table to
         *     those of the test. By default `urn:netpanel:test:httpget` is the test httpget with its own columns, and so on for
         *     every test. `agent-id` is the agent, and `end` of the result (or `start`) the time. Tables of other functions are
         *     ignored, and listed. The body may have 1 MiB (`MAX_BODY_BYTES`) and 10,000 values (`MAX_BODY_VALUES`).
         */
        post: operations["postLmapReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description `ietf-lmap-report:report`, or `ietf-lmap-report:input` as in RESTCONF, with the fields of RFC 8194. */
        LmapReport: {
            [key: string]: unknown;
        };
        Receipt: {
            /** @description Rows of the request. */
            rows: number;
            /** @description Valid rows, which ClickHouse has. A result that was stored before counts here too, and is not stored twice. */
            stored: number;
            /** @description Rows among them with the key of an earlier row of the request. The first is kept. */
            duplicates: number;
            /** @description Invalid rows. */
            rejected: number;
            /** @description New agents. */
            agentsRegistered: number;
            /** @description The first rejected rows, at most `INGEST_MAX_LISTED_REJECTS`. */
            rejects: components["schemas"]["Reject"][];
        };
        Reject: {
            /** @description Line of the body, from 1; in a JSON array the element, from 1. */
            row: number;
            reason: string;
            /** @description Empty if the reason is the row as a whole. */
            column: string;
            value: string;
        };
        Failure: {
            /** @enum {string} */
            code: "BAD_REQUEST" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "UNKNOWN_ERROR" | "SERVICE_UNAVAILABLE" | "CLOCK_SKEW";
            message: string;
        };
        ValidationFailure: {
            /** @enum {string} */
            code: "VALIDATION_FAIL";
            message: string;
            errors: {
                [key: string]: string[];
            };
        };
    };
    responses: {
        /** @description The valid rows are stored. */
        Stored: {
            headers: {
                "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "OK",
                 *       "message": "The request was successful",
                 *       "data": {
                 *         "rows": 3,
                 *         "stored": 2,
                 *         "duplicates": 0,
                 *         "rejected": 1,
                 *         "agentsRegistered": 0,
                 *         "rejects": [
                 *           {
                 *             "row": 3,
                 *             "reason": "dtime is in the future: the time is 2026-11-15 19:31:02 UTC",
                 *             "column": "dtime",
                 *             "value": "2027-01-01 00:00:00"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    code: "OK";
                    message: string;
                    data: components["schemas"]["Receipt"];
                };
            };
        };
        /** @description The body is not a JSON array, does not match its `Content-Encoding`, or was cut off. Nothing was stored. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "BAD_REQUEST",
                 *       "message": "The body does not match Content-Encoding: gzip: the data is damaged"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body arrived at less than `INGEST_MIN_BYTES_PER_SECOND` over 10 seconds. The connection is closed. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "REQUEST_TIMEOUT",
                 *       "message": "The request body arrived at less than 1000 bytes per second for 10 seconds. Send it faster, or in several smaller requests."
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /**
         * @description The token is missing, unknown, expired, revoked, or of the metadata interface; or it does not have the scope
         *     `results:write`.
         */
        AccessDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @enum {string} */
                    code: "ACCESS_DENIED" | "INSUFFICIENT_SCOPE";
                    message: string;
                };
            };
        };
        /**
         * @description The body is too large, as it was sent or after decompression, or has more lines than `INGEST_MAX_LINES` (500,000,
         *     blank ones included) or results of more than 100,000 agents. Nothing was stored.
         */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "PAYLOAD_TOO_LARGE",
                 *       "message": "The request body is larger than 67108864 bytes. Send several smaller requests."
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The content type, charset or content encoding is not supported. */
        UnsupportedType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "UNSUPPORTED_MEDIA_TYPE",
                 *       "message": "Content-Encoding must be gzip, zstd or identity"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /**
         * @description A rate limit is exceeded, the organisation has the maximum number of running requests, or a request with the same
         *     `Idempotency-Key` is running. Nothing was stored.
         */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "RATE_LIMITED",
                 *       "message": "A request with this Idempotency-Key is still running. Please retry shortly."
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description An unexpected error. The rows may be stored; the request can be sent again. */
        UnknownError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "UNKNOWN_ERROR",
                 *       "message": "An unexpected error occurred. Please retry shortly."
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /**
         * @description The stores are unavailable, the service holds too many results in memory, or its clock differs from the clock of its
         *     database (`CLOCK_SKEW`). Rows may be stored; the request can be sent again.
         */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "SERVICE_UNAVAILABLE",
                 *       "message": "The results could not be stored now. Please send the same request again: no result is stored twice."
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
    };
    parameters: {
        /**
         * @description A new text for each request, such as a UUID. A request with the key of an earlier one that was stored gets its
         *     response again, with `Idempotency-Replayed: true`, for 24 hours (`INGEST_IDEMPOTENCY_HOURS`). With another body or
         *     other parameters the response is 422, and 429 while the first request is running.
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds to wait before a retry. */
        RetryAfter: number;
        /** @description Whether the response is that of an earlier request. Only with an `Idempotency-Key`. */
        IdempotencyReplayed: "true" | "false";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postResults: {
        parameters: {
            query?: {
                /** @description Store nothing unless all rows are valid. */
                atomic?: "true" | "false";
                /**
                 * @description A correction: the rows replace stored results with the same agent, time and other key columns. Without it, the
                 *     first result received is kept.
                 */
                replace?: "true" | "false";
            };
            header?: {
                /**
                 * @description A new text for each request, such as a UUID. A request with the key of an earlier one that was stored gets its
                 *     response again, with `Idempotency-Replayed: true`, for 24 hours (`INGEST_IDEMPOTENCY_HOURS`). With another body or
                 *     other parameters the response is 422, and 429 while the first request is running.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Key of the test. The response to any other text is 404. */
                test: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "unit_id": 100003,
                 *         "dtime": "2026-11-15T18:30:00Z",
                 *         "target": "test.example.net",
                 *         "bytes_sec": 11500000,
                 *         "successes": 1
                 *       }
                 *     ]
                 */
                "application/json": {
                    [key: string]: unknown;
                }[];
                /**
                 * @example {"unit_id": 100003, "dtime": "2026-11-15 18:30:00", "target": "test.example.net", "bytes_sec": 11500000, "successes": 1}
                 *     {"unit_id": 100003, "dtime": "2026-11-15 19:30:00", "target": "test.example.net", "bytes_sec": 11730000, "successes": 1}
                 */
                "application/x-ndjson": string;
                "application/jsonl": string;
                /**
                 * @example unit_id,dtime,target,bytes_sec,successes
                 *     100003,2026-11-15 18:30:00,test.example.net,11500000,1
                 */
                "text/csv": string;
            };
        };
        responses: {
            200: components["responses"]["Stored"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            /** @description The test is unknown. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "NOT_FOUND",
                     *       "message": "There is no test \"htpget\". Tests: httpget, dns."
                     *     }
                     */
                    "application/json": components["schemas"]["Failure"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /**
             * @description No row was stored: all are invalid, or more than `INGEST_MAX_REJECTED` (10,000), or one is and the request is
             *     atomic; or the columns or parameters are invalid. `errors` lists the problems, at most `INGEST_MAX_LISTED_REJECTS` rows: `rows[3][dtime]` is the column
             *     `dtime` in line 3 of the body, or in the third element of a JSON array.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailure"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["Unavailable"];
        };
    };
    postLmapReport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new text for each request, such as a UUID. A request with the key of an earlier one that was stored gets its
                 *     response again, with `Idempotency-Replayed: true`, for 24 hours (`INGEST_IDEMPOTENCY_HOURS`). With another body or
                 *     other parameters the response is 422, and 429 while the first request is running.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ietf-lmap-report:report": {
                 *         "date": "2026-11-15T18:31:00+00:00",
                 *         "agent-id": "wb-0002-2ffa8b",
                 *         "result": [
                 *           {
                 *             "schedule": "hourly",
                 *             "action": "ping",
                 *             "task": "ping",
                 *             "start": "2026-11-15T18:30:00+00:00",
                 *             "end": "2026-11-15T18:30:10+00:00",
                 *             "status": 0,
                 *             "table": [
                 *               {
                 *                 "function": [
                 *                   {
                 *                     "uri": "urn:netpanel:test:ping"
                 *                   }
                 *                 ],
                 *                 "column": [
                 *                   "target",
                 *                   "rtt_avg",
                 *                   "successes",
                 *                   "failures"
                 *                 ],
                 *                 "row": [
                 *                   {
                 *                     "value": [
                 *                       "test.example.net",
                 *                       "10250",
                 *                       "10",
                 *                       "0"
                 *                     ]
                 *                   }
                 *                 ]
                 *               }
                 *             ]
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["LmapReport"];
                "application/yang-data+json": components["schemas"]["LmapReport"];
            };
        };
        responses: {
            /** @description The valid rows are stored. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": {
                     *         "tests": {
                     *           "ping": {
                     *             "rows": 1,
                     *             "stored": 1,
                     *             "duplicates": 0,
                     *             "rejected": 0,
                     *             "agentsRegistered": 0,
                     *             "rejects": []
                     *           }
                     *         },
                     *         "ignoredFunctions": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        code: "OK";
                        message: string;
                        data: {
                            /** @description By test. */
                            tests: {
                                [key: string]: components["schemas"]["Receipt"];
                            };
                            /** @description Functions of tables that the registry does not have. */
                            ignoredFunctions: string[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            /** @description The report is invalid, or all its rows are. `errors` lists the problems. Nothing was stored. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "VALIDATION_FAIL",
                     *       "message": "Validation failed",
                     *       "errors": {
                     *         "agent-id": [
                     *           "This value should be of type string."
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationFailure"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
        };
    };
}
