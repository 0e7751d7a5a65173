// Generated from openapi/metadata.yaml by make generate. Change the contract, not this file.

export interface paths {
    "/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the metadata of all matching agents
         * @description All matching agents are changed in one transaction. The given fields change in every validity
         *     period of an agent's history from `backdate_from` on; other fields keep their values. Custom
         *     fields are merged by key. With `overwrite_all`, fields that are not given are removed from that
         *     date on, and custom fields are replaced. If no value changes, the response is 200 and the history
         *     stays the same.
         *
         *     A change that is known from a later date on is replaced as well. Then `warnings` has one
         *     `OVERRIDES_LATER_CHANGES` per field and validity period, at most ten. To restore the later change, send its
         *     `value` again for its agents with `backdate_from` at its `from`, the earliest first.
         *
         *     `followed_by` has further changes of the same agent, each from its own date on. They are applied in the given
         *     order, in the same transaction: all of them, or none. `OVERRIDES_LATER_CHANGES` is then not reported.
         *
         *     With `dry_run=true` nothing is changed. The request is checked as usual, and `data` has what it would do
         *     to the first five agents.
         */
        put: operations["putMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/{field}/{value}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        /** Read the current metadata of an agent */
        get: operations["getMetadata"];
        put?: never;
        post?: never;
        /**
         * Erase an agent
         * @description Removes the agent, its metadata and history, its results, its published metadata, stored requests that
         *     name it, and all files of exports that the organisation has made so far. Cannot be undone. The
         *     identifiers of the agent are refused from then on: they cannot be imported or loaded again until an
         *     operator allows it.
         *
         *     An erasure takes at least ten minutes: its last check also removes results that were being loaded
         *     when it began. Repeating the request returns the same erasure.
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** Read the state and the report of an erasure */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/{field}/{value}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        /**
         * Read the metadata history of an agent
         * @description The validity periods of an agent's metadata, newest first, as currently recorded. Periods that a
         *     backdated change has superseded are not returned: `/changes` has them. A gap between periods
         *     means that the agent has no metadata for that time.
         *
         *     `recordedAt` and `recordedBy` are of the change that set the values. A later change that only ended or
         *     shortened the period does not count.
         *
         *     A page has at most `limit` periods, and ends earlier after 4 MiB of custom fields. If there are more, `next`
         *     and the header `Link` have the next page.
         */
        get: operations["getMetadataHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metadata/{field}/{value}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        /**
         * Read the changes of an agent's metadata
         * @description Who changed the metadata of the agent, when, and what each change replaced; newest first. Changes whose
         *     values were replaced later are listed too, as long as retention keeps them. To undo the last change, send
         *     the values of `replaced` again with `overwrite_all`, which is a new change.
         *
         *     A page has at most `limit` changes, and ends earlier after 4 MiB of custom fields. If there are more, `next`
         *     and the header `Link` have the next page.
         */
        get: operations["getMetadataChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search agents
         * @description The agents of the organisation with their current metadata, in the order of their ids. Custom fields are in
         *     `/metadata/{field}/{value}`.
         */
        get: operations["getAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents/{field}/{value}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        /** Read the identifiers of an agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/response-internal-server-error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Always returns an error, to test the error handling of clients
         * @description With and without a token.
         */
        get: operations["getInternalServerError"];
        put?: never;
        post?: never;
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
        MetadataChange: {
            agent: components["schemas"]["AgentSelector"];
            metadata: components["schemas"]["NewMetadata"];
            /**
             * @description UNIX timestamp in seconds from which the metadata is valid: within the last 28 days, both ends
             *     included. Default: 00:00 UTC today.
             * @example 1762560000
             */
            backdate_from?: number;
            /**
             * @description Remove every value that is not given, and replace custom fields.
             * @default false
             */
            overwrite_all?: boolean;
            /**
             * @description Further changes, applied afterwards in the same transaction. The agent must be selected by `agent_id`,
             *     `unit_id` or `mac_address` alone. Not possible with `dry_run`.
             */
            followed_by?: components["schemas"]["FollowingChange"][];
        };
        FollowingChange: {
            metadata: components["schemas"]["NewMetadata"];
            /**
             * @description As in `MetadataChange`.
             * @example 1762560000
             */
            backdate_from?: number;
            /** @default false */
            overwrite_all?: boolean;
        };
        /** @description Selects agents by their current metadata. All given fields must match. */
        AgentSelector: {
            /** @description A MAC address in any usual form; any other id must be equal (Unicode NFC). */
            agent_id?: string;
            unit_id?: number;
            /** @description In any usual form, such as `02-4D-72-BA-3A-D3` or `024d72ba3ad3`. */
            mac_address?: string;
            /** @description Name of the ISP as stored. */
            isp?: string;
            /** @description `<isp>:` alone selects agents with that ISP and no package. */
            package?: components["schemas"]["PackageName"];
            timezone?: string;
            custom?: components["schemas"]["CustomFields"];
        };
        /** @description The fields to change. */
        NewMetadata: {
            /** @description `<isp>:` alone sets the ISP and removes the package. */
            package?: components["schemas"]["PackageName"];
            /**
             * @description An IANA time zone.
             * @example Asia/Kathmandu
             */
            timezone?: string;
            custom?: components["schemas"]["NewCustomFields"];
        };
        /**
         * @description `<isp>:<package>`. Both names may contain colons: the value is split so that the package exists.
         * @example Northwave:Fibre 500
         */
        PackageName: string;
        /**
         * @description A key needs at least one letter. Values are strings or numbers, compared as text, so 5 equals "5".
         * @example {
         *       "cohort": "spring",
         *       "contracted_mbps": 500
         *     }
         */
        CustomFields: {
            [key: string]: unknown;
        };
        /**
         * @description A key needs at least one letter. Values are strings or numbers and keep their type; null removes a key.
         * @example {
         *       "cohort": "spring",
         *       "contracted_mbps": null
         *     }
         */
        NewCustomFields: {
            [key: string]: unknown;
        };
        AgentMetadata: {
            /** @description `<isp>:<package>`; null without a package, even if there is an ISP. */
            package: string | null;
            isp: string | null;
            timezone: string | null;
            /** @description Strings and numbers; `{}` if there are none. */
            custom: {
                [key: string]: unknown;
            };
        };
        MetadataPeriod: {
            /**
             * Format: date-time
             * @description Start of the validity period, inclusive; null if it has no start.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description End of the validity period, exclusive; null if it has no end.
             */
            to: string | null;
            /**
             * Format: date-time
             * @description When the values of the period were recorded.
             */
            recordedAt: string;
            recordedBy: components["schemas"]["ChangeAuthor"];
        } & components["schemas"]["AgentMetadata"];
        ChangeAuthor: {
            /**
             * @description `import` for a file that an operator has loaded.
             * @enum {string}
             */
            kind: "token" | "import";
            /** @description The label of the token, or the name of the file; null if an erasure has removed it. */
            name: string | null;
        };
        AgentChange: {
            id: number;
            /** Format: date-time */
            recordedAt: string;
            recordedBy: components["schemas"]["ChangeAuthor"];
            /** @description False if the change has more than 4 MiB of custom fields, so that periods are missing. */
            isComplete: boolean;
            replaced: components["schemas"]["ReplacedPeriods"];
            recorded: components["schemas"]["RecordedPeriods"];
        };
        /**
         * @description The periods that the change replaced, newest first, as they were. What one had before the date of the
         *     change still holds.
         */
        ReplacedPeriods: components["schemas"]["MetadataPeriod"][];
        /** @description The periods with the values that the change set, newest first. */
        RecordedPeriods: components["schemas"]["MetadataPeriod"][];
        DryRun: {
            /** @description Number of agents that match. */
            agents: number;
            /** @description The first agents whose history would change; empty if it would stay the same. */
            changes: {
                agentId: string;
                replaced: components["schemas"]["ReplacedPeriods"];
                recorded: components["schemas"]["RecordedPeriods"];
            }[];
        };
        Agent: {
            agentId: string;
            /** @description The digits of the unit_id. */
            unitId: string | null;
            macAddress: string | null;
            /** @enum {string} */
            kind: "whitebox" | "cpe" | "mobile" | "web" | "cell";
            /** @description `<isp>:<package>`; null without a package, even if there is an ISP. */
            package: string | null;
            isp: string | null;
            timezone: string | null;
        };
        ErasureResponse: components["schemas"]["Success"] & {
            data: components["schemas"]["Erasure"];
        };
        Erasure: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "running" | "done";
            /** @description Path of the status link. */
            statusUrl: string;
            /** @description Number of erased agents. */
            agents: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            stepsDone: ("count" | "registry" | "publication" | "results" | "requests" | "exports" | "files" | "check")[];
            /** @description What the erasure waits for; null if it does not wait. */
            waitingFor: string | null;
            report: components["schemas"]["ErasureReport"];
        };
        /** @description What was removed. Contains no identifier. Complete when the erasure is done. */
        ErasureReport: {
            /** @description Keyed hashes of the identifiers that are refused. */
            hashes: string[];
            /**
             * @description Removed rows by table.
             * @example {
             *       "agents": 1,
             *       "agent_metadata": 4,
             *       "test_httpget": 8760
             *     }
             */
            removed: {
                [key: string]: number;
            };
            /**
             * @description Stored requests that named the agent and were replaced, by table.
             * @example {
             *       "query_audit": 12
             *     }
             */
            redacted: {
                [key: string]: number;
            };
            /** @description Exports whose file was deleted. */
            exports: number;
        };
        Success: {
            /** @enum {string} */
            code: "OK";
            message: string;
        };
        ChangeResponse: components["schemas"]["Success"] & {
            /** @description Only with `dry_run=true`. */
            data?: components["schemas"]["DryRun"];
            /** @description Present only if the change has replaced later changes. */
            warnings?: components["schemas"]["ChangeWarning"][];
        };
        ChangeWarning: {
            /**
             * @description `MORE_WARNINGS` reports how many changes are not listed, and has no other fields.
             * @enum {string}
             */
            code: "OVERRIDES_LATER_CHANGES" | "MORE_WARNINGS";
            /** @description The field of the request, such as `metadata[package]` or `metadata[custom][cohort]`. */
            field?: string;
            message: string;
            /**
             * Format: date-time
             * @description Start of the validity period of the replaced value.
             */
            from?: string;
            /**
             * Format: date-time
             * @description End of that period; null if it has none.
             */
            to?: string | null;
            /** @description The replaced value, as in a request, a string or a number; null if the later change had removed it. */
            value?: unknown;
            /** @description Number of agents. */
            agents?: number;
            /** @description The first of the agents. */
            agentIds?: string[];
        };
        Failure: {
            /** @enum {string} */
            code: "BAD_REQUEST" | "REQUEST_TIMEOUT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
            message: string;
        };
        NotFound: {
            /** @enum {string} */
            code: "NOT_FOUND";
            /** @enum {string} */
            message: "Not found";
        };
        ValidationFailure: {
            /** @enum {string} */
            code: "VALIDATION_FAIL";
            /** @enum {string} */
            message: "Validation failed";
            errors: {
                [key: string]: string[];
            };
        };
    };
    responses: {
        /** @description The body is not JSON in UTF-8, has a duplicate field, or is nested more than 16 levels deep. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "BAD_REQUEST",
                 *       "message": "The request body is not valid JSON"
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        /** @description The body arrived at less than `MIN_BODY_BYTES_PER_SECOND` over 10 seconds. The connection is closed. */
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
         * @description The token is missing, unknown, expired, revoked, or of the data interface; or it does not have the scope
         *     of the operation.
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
         * @description A rate limit is exceeded, the organisation has the maximum number of running requests, or another change of
         *     it is still running. Nothing was changed.
         */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "RATE_LIMITED",
                 *       "message": "The limit is 1200 GET requests per minute with a token. Retry after the seconds in Retry-After."
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    code: "RATE_LIMITED";
                    message: string;
                };
            };
        };
        /** @description The organisation does not have the agent. */
        AgentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "NOT_FOUND",
                 *       "message": "Not found"
                 *     }
                 */
                "application/json": components["schemas"]["NotFound"];
            };
        };
        /** @description The unit_id is not an integer. */
        InvalidUnitId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "value": [
                 *           "This value should be of type integer."
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ValidationFailure"];
            };
        };
        /** @description The unit_id is not an integer, or `limit` or `after` is invalid. */
        InvalidHistoryRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "limit": [
                 *           "This value should be from 1 to 1000."
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ValidationFailure"];
            };
        };
        /** @description The unit_id is not an integer, or `limit` or `before` is invalid. */
        InvalidChangesRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "before": [
                 *           "This value should be the id of a change."
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ValidationFailure"];
            };
        };
        /** @description `search`, `limit` or `after` is invalid. */
        InvalidAgentsRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "limit": [
                 *           "This value should be from 1 to 200."
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ValidationFailure"];
            };
        };
        /** @description An unexpected error. */
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
                "application/json": {
                    /** @enum {string} */
                    code: "UNKNOWN_ERROR";
                    message: string;
                };
            };
        };
    };
    parameters: {
        /** @description The kind of identifier. The response to any other text is 404. */
        Field: "agent" | "unit" | "mac";
        /**
         * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
         *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
         *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
         *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
         */
        Value: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The version of your organisation's metadata that contains the change, or that the response has read. Every
         *     change increments it; if no value changes, it stays the same.
         */
        MetadataVersion: number;
        /** @description Seconds to wait before a retry. */
        RetryAfter: number;
        /**
         * @description The policies that this request counted for, with the remaining requests (`r`) and the seconds until the
         *     count starts again (`t`), such as `"token"; r=2999; t=60` (draft-ietf-httpapi-ratelimit-headers-08). Sent
         *     with every response while a limit is set.
         */
        RateLimit: string;
        /**
         * @description The requests (`q`) per window of `w` seconds: `address` without a valid token, `failures` with an invalid
         *     token, `token` with a token, `listings` for GET requests with a token. Such as `"token"; q=3000; w=60`.
         */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    putMetadata: {
        parameters: {
            query?: {
                /** @description Show what the change would do, without doing it. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetadataChange"];
            };
        };
        responses: {
            /** @description The metadata of all matching agents was changed. */
            200: {
                headers: {
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            /** @description No agent matches. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "NOT_FOUND",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The body is larger than `MAX_BODY_BYTES`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "PAYLOAD_TOO_LARGE",
                     *       "message": "The request body is larger than 1048576 bytes"
                     *     }
                     */
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /** @description The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "UNSUPPORTED_MEDIA_TYPE",
                     *       "message": "The request body must be application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Failure"];
                };
            };
            /**
             * @description The body is invalid. `errors` lists all problems.
             *
             *     | key | when | message |
             *     |---|---|---|
             *     | `agent` | missing or empty | Agent cannot be empty. |
             *     | `agent[agent_id]`, `agent[mac_address]`, `agent[isp]`, `agent[timezone]` | not a string | This value should be of type string. |
             *     | `agent[unit_id]` | not an integer | This value should be of type integer. |
             *     | `agent[unit_id]` | above 2^53 | This value is beyond the largest exact integer. |
             *     | `agent[package]`, `metadata[package]` | not `<isp>:<package>` | `<value>` is not a valid package name. |
             *     | `agent[custom]` | null | Cannot search for null custom metadata. |
             *     | `agent[custom]` | empty | Must specify at least one key when searching by custom fields. |
             *     | `agent[custom][<key>]`, `metadata[custom][<key>]` | a key without a letter, or `__proto__`, `constructor`, `prototype` | Invalid key |
             *     | `agent[custom][<key>]`, `metadata[custom][<key>]` | neither a string nor a number | This value should be of type string or number. |
             *     | `agent[custom][<key>]`, `metadata[custom][<key>]` | an integer above 2^53 | This value is beyond the largest exact integer. |
             *     | `metadata` | missing | This field is missing. |
             *     | `metadata[package]` | unknown ISP | Unable to resolve new package `<package>`. (Invalid Isp name in new package) |
             *     | `metadata[package]` | unknown package | Unable to resolve new package `<package>`. (Invalid Package name in new package) |
             *     | `metadata[timezone]` | not an IANA time zone | `<value>` is not a valid IANA timezone. |
             *     | `metadata[custom]` | null | Cannot null custom metadata. |
             *     | `metadata[custom]` | empty | Must specify at least one key when updating custom fields. |
             *     | `metadata[custom][<key>]` | a key over `CUSTOM_KEY_MAX_CHARACTERS` | This key is too long. The maximum is 64 characters. |
             *     | `metadata[custom][<key>]` | a value over `CUSTOM_VALUE_MAX_CHARACTERS` | This value is too long. The maximum is 1024 characters. |
             *     | `metadata[custom]` | over `CUSTOM_KEYS_MAX` keys | Your organisation would have 201 custom metadata keys. The maximum is 200. |
             *     | `metadata[custom]` | over `CUSTOM_MAX_BYTES_PER_AGENT` | An agent would have 70000 bytes of custom metadata. The maximum is 65536. |
             *     | `backdate_from` | not an integer | Invalid backdate (`<value>`). Must be a valid integer. |
             *     | `backdate_from` | more than 60 seconds ahead, or more than 28 days ago | Invalid backdate (`<value>`). Must be in last 28 days. |
             *     | `overwrite_all` | not a boolean | This value should be of type bool. |
             *     | `dry_run` | neither `true` nor `false` | This value should be true or false. |
             *     | `body`, `agent`, `metadata`, `agent[custom]`, `metadata[custom]` | not an object | This value should be of type object. |
             *     | any string | contains NUL or a lone surrogate | This value contains characters that cannot be stored. |
             *     | any unknown field | | This field was not expected. |
             */
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
                     *         "agent": [
                     *           "Agent cannot be empty."
                     *         ],
                     *         "metadata[package]": [
                     *           "nocolon is not a valid package name."
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationFailure"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent's current metadata. */
            200: {
                headers: {
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": {
                     *         "package": "Northwave:Fibre 500",
                     *         "isp": "Northwave",
                     *         "timezone": "Europe/London",
                     *         "custom": {
                     *           "cohort": "spring",
                     *           "contracted_mbps": 500
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["AgentMetadata"];
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["AgentNotFound"];
            422: components["responses"]["InvalidUnitId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent was erased earlier. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            /** @description The erasure has begun, or is running. `GET /erasures/{id}` returns its state. */
            202: {
                headers: {
                    /** @description The status link. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": {
                     *         "id": "5f0c3c1e-8a55-4f0f-9d3c-0f6a3f6a8e11",
                     *         "state": "running",
                     *         "statusUrl": "/erasures/5f0c3c1e-8a55-4f0f-9d3c-0f6a3f6a8e11",
                     *         "agents": 1,
                     *         "createdAt": "2026-11-16T09:30:12.123Z",
                     *         "endedAt": null,
                     *         "stepsDone": [],
                     *         "waitingFor": null,
                     *         "report": {
                     *           "hashes": [],
                     *           "removed": {},
                     *           "redacted": {},
                     *           "exports": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["AgentNotFound"];
            422: components["responses"]["InvalidUnitId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The erasure. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            /** @description The organisation does not have the erasure. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "NOT_FOUND",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["NotFound"];
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getMetadataHistory: {
        parameters: {
            query?: {
                /** @description Maximum number of periods per page. */
                limit?: number;
                /**
                 * @description The `from` of the last period of the previous page. Use the link `next` of a page instead of
                 *     building it. Periods that are added or removed between two pages do not shift them.
                 */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The validity periods; an empty list for an agent without metadata. */
            200: {
                headers: {
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    /** @description The next page as `<url>; rel="next"`, if there is one. The same URL as `next`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": [
                     *         {
                     *           "from": "2026-11-01T00:00:00.000Z",
                     *           "to": null,
                     *           "package": "Northwave:Fibre 500",
                     *           "isp": "Northwave",
                     *           "timezone": "Europe/London",
                     *           "custom": {},
                     *           "recordedAt": "2026-11-08T09:30:12.123Z",
                     *           "recordedBy": {
                     *             "kind": "token",
                     *             "name": "provisioning"
                     *           }
                     *         },
                     *         {
                     *           "from": "2026-08-17T00:00:00.000Z",
                     *           "to": "2026-11-01T00:00:00.000Z",
                     *           "package": "Northwave:Fibre 100",
                     *           "isp": "Northwave",
                     *           "timezone": "Europe/London",
                     *           "custom": {},
                     *           "recordedAt": "2026-08-18T07:12:44.901Z",
                     *           "recordedBy": {
                     *             "kind": "import",
                     *             "name": "agents.csv"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["MetadataPeriod"][];
                        /** @description Link to the next page, relative to this service; absent on the last page. */
                        next?: string;
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["AgentNotFound"];
            422: components["responses"]["InvalidHistoryRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getMetadataChanges: {
        parameters: {
            query?: {
                /** @description Changes of a page. */
                limit?: number;
                /** @description Only changes with a smaller id. */
                before?: number;
            };
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes; an empty list for an agent without metadata. */
            200: {
                headers: {
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    /** @description The next page as `<url>; rel="next"`, if there is one. The same URL as `next`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": [
                     *         {
                     *           "id": 4711,
                     *           "recordedAt": "2026-11-08T09:30:12.123Z",
                     *           "recordedBy": {
                     *             "kind": "token",
                     *             "name": "provisioning"
                     *           },
                     *           "isComplete": true,
                     *           "replaced": [
                     *             {
                     *               "from": null,
                     *               "to": null,
                     *               "package": "Northwave:Fibre 100",
                     *               "isp": "Northwave",
                     *               "timezone": "Europe/London",
                     *               "custom": {},
                     *               "recordedAt": "2026-08-18T07:12:44.901Z",
                     *               "recordedBy": {
                     *                 "kind": "import",
                     *                 "name": "agents.csv"
                     *               }
                     *             }
                     *           ],
                     *           "recorded": [
                     *             {
                     *               "from": "2026-11-01T00:00:00.000Z",
                     *               "to": null,
                     *               "package": "Northwave:Fibre 500",
                     *               "isp": "Northwave",
                     *               "timezone": "Europe/London",
                     *               "custom": {},
                     *               "recordedAt": "2026-11-08T09:30:12.123Z",
                     *               "recordedBy": {
                     *                 "kind": "token",
                     *                 "name": "provisioning"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["AgentChange"][];
                        /** @description Link to the next page, relative to this service; absent on the last page. */
                        next?: string;
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["AgentNotFound"];
            422: components["responses"]["InvalidChangesRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getAgents: {
        parameters: {
            query?: {
                /**
                 * @description A part of the agent id, the MAC address (with or without punctuation), the ISP or the package
                 *     (`<isp>:<package>`), or the first digits of the unit. Case does not matter.
                 * @example northwave
                 */
                search?: string;
                /** @description Agents of a page. */
                limit?: number;
                /** @description Only agents after this agent id. Use `next` instead of building it. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    /** @description The next page as `<url>; rel="next"`, if there is one. The same URL as `next`. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": [
                     *         {
                     *           "agentId": "wb-0002-2ffa8b",
                     *           "unitId": "100002",
                     *           "macAddress": "02:4D:72:BA:3A:D3",
                     *           "kind": "whitebox",
                     *           "package": "Northwave:Fibre 500",
                     *           "isp": "Northwave",
                     *           "timezone": "Europe/London"
                     *         }
                     *       ],
                     *       "next": "/agents?search=northwave&limit=1&after=wb-0002-2ffa8b"
                     *     }
                     */
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Agent"][];
                        /** @description Link to the next page, relative to this service; absent on the last page. */
                        next?: string;
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["InvalidAgentsRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The kind of identifier. The response to any other text is 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. A MAC address may be written in any
                 *     usual form: `02-4D-72-BA-3A-D3`, `024d.72ba.3ad3` or `024d72ba3ad3`. Any other id is compared
                 *     exactly (Unicode NFC). It may be sent in any case without its punctuation, if no other agent has
                 *     the same id without punctuation: `wb00022ffa8b` finds `wb-0002-2ffa8b`. DELETE needs the exact id.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": {
                     *         "agentId": "wb-0002-2ffa8b",
                     *         "unitId": "100002",
                     *         "macAddress": "02:4D:72:BA:3A:D3",
                     *         "kind": "whitebox",
                     *         "package": "Northwave:Fibre 500",
                     *         "isp": "Northwave",
                     *         "timezone": "Europe/London"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Agent"];
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["AgentNotFound"];
            422: components["responses"]["InvalidUnitId"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getInternalServerError: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
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
