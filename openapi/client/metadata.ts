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
         * Change the metadata of every agent that matches
         * @description All matching agents change together or none does. The given fields change in every stretch of
         *     an agent's history from `backdate_from` on; each stretch keeps its other fields. Custom fields
         *     merge key by key. With `overwrite_all` every field that is not given is removed, from that
         *     date on, and custom fields are replaced. A change that changes nothing is answered with 200
         *     and leaves no trace in the history.
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
                /** @description Which of the agent's identifiers the value is. Any other word is answered with 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. Upper and lower case are the same,
                 *     and characters other than letters and digits do not count: `00-1a-2b` finds `001A2B`.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        /** Read one agent's metadata as it is now */
        get: operations["getMetadata"];
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
                /** @description Which of the agent's identifiers the value is. Any other word is answered with 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. Upper and lower case are the same,
                 *     and characters other than letters and digits do not count: `00-1a-2b` finds `001A2B`.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        /**
         * Read what was true of one agent, and when
         * @description The stretches of time in which an agent's metadata stayed the same, newest first, as they are
         *     known today: what a later backdated change replaced is kept by the service and not shown. Time
         *     that no stretch covers is time of which nothing is known.
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
    "/response-internal-server-error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Always fails, so that a client can try out how it takes a failure */
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
             * @description UNIX time in seconds from which the metadata holds: within the last 28 days, both ends
             *     included, and not in the future. Without it: 00:00 UTC today.
             * @example 1762560000
             */
            backdate_from?: number;
            /**
             * @description Remove every value that is not given, and replace custom fields.
             * @default false
             */
            overwrite_all?: boolean;
        };
        /** @description Which agents change. All that is given must match what is true of the agent now. */
        AgentSelector: {
            /** @description Upper and lower case, and all but letters and digits, do not count. */
            agent_id?: string;
            unit_id?: number;
            /** @description Upper and lower case, and all but letters and digits, do not count. */
            mac_address?: string;
            /** @description The ISP's name as stored. */
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
            custom?: components["schemas"]["CustomFields"];
        };
        /**
         * @description `<isp>:<package>`. Names may hold colons themselves: of all ways to split it, the one that
         *     exists is meant.
         * @example Northwave:Fibre 500
         */
        PackageName: string;
        /**
         * @description A key needs at least one letter. A value keeps its type, so 5 is not "5".
         * @example {
         *       "cohort": "spring",
         *       "contracted_mbps": 500
         *     }
         */
        CustomFields: {
            [key: string]: components["schemas"]["CustomValue"];
        };
        CustomValue: string | number;
        AgentMetadata: {
            /** @description `<isp>:<package>`; null when there is no package, with or without an ISP. */
            package: string | null;
            isp: string | null;
            timezone: string | null;
            /** @description `{}` when there are none. */
            custom: {
                [key: string]: components["schemas"]["CustomValue"];
            };
        };
        Stretch: {
            /**
             * Format: date-time
             * @description First instant of the stretch; null when it is open.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description First instant after the stretch; null when it is open.
             */
            to: string | null;
            /**
             * Format: date-time
             * @description When the service learned this.
             */
            recordedAt: string;
        } & components["schemas"]["AgentMetadata"];
        Success: {
            /** @enum {string} */
            code: "OK";
            message: string;
        };
        Failure: {
            /** @enum {string} */
            code: "BAD_REQUEST" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
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
        /** @description The body is not JSON in UTF-8, names a field twice, or is nested more than 16 levels deep. */
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
        /** @description No token, or not one of this interface that is in force. */
        AccessDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "ACCESS_DENIED",
                 *       "message": "Access Denied"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    code: "ACCESS_DENIED";
                    /** @enum {string} */
                    message: "Access Denied";
                };
            };
        };
        /** @description The organisation has no such agent, unit or MAC address. */
        NoSuchAgent: {
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
        /** @description The value of a unit is not an integer. */
        NotAUnit: {
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
        /** @description Something failed that should not have. */
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
        /** @description Which of the agent's identifiers the value is. Any other word is answered with 404. */
        Field: "agent" | "unit" | "mac";
        /**
         * @description The agent_id, the unit_id (an integer) or the MAC address. Upper and lower case are the same,
         *     and characters other than letters and digits do not count: `00-1a-2b` finds `001A2B`.
         */
        Value: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    putMetadata: {
        parameters: {
            query?: never;
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
            /** @description Every matching agent has the metadata now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "Metadata updated successfully"
                     *     }
                     */
                    "application/json": components["schemas"]["Success"];
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
            /** @description The body is larger than the service takes. */
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
             * @description Something in the body is wrong; all of it is named at once.
             *
             *     | key | when | message |
             *     |---|---|---|
             *     | `agent` | left out or empty | Agent cannot be empty. |
             *     | `agent[agent_id]`, `agent[mac_address]`, `agent[isp]`, `agent[timezone]` | not a string | This value should be of type string. |
             *     | `agent[unit_id]` | not an integer | This value should be of type integer. |
             *     | `agent[unit_id]` | beyond 2^53 | This value is beyond the largest exact integer. |
             *     | `agent[package]`, `metadata[package]` | not `<isp>:<package>` | `<value>` is not a valid package name. |
             *     | `agent[custom]` | null | Cannot search for null custom metadata. |
             *     | `agent[custom]` | empty | Must specify at least one key when searching by custom fields. |
             *     | `agent[custom][<key>]`, `metadata[custom][<key>]` | a key without a letter, or `__proto__`, `constructor`, `prototype` | Invalid key |
             *     | `agent[custom][<key>]`, `metadata[custom][<key>]` | neither text nor number | This value should be of type string or number. |
             *     | `agent[custom][<key>]`, `metadata[custom][<key>]` | a whole number beyond 2^53 | This value is beyond the largest exact integer. |
             *     | `metadata` | left out | This field is missing. |
             *     | `metadata[package]` | no such ISP | Unable to resolve new package `<package>`. (Invalid Isp name in new package) |
             *     | `metadata[package]` | no such package | Unable to resolve new package `<package>`. (Invalid Package name in new package) |
             *     | `metadata[timezone]` | not a time zone | `<value>` is not a valid IANA timezone. |
             *     | `metadata[custom]` | null | Cannot null custom metadata. |
             *     | `metadata[custom]` | empty | Must specify at least one key when updating custom fields. |
             *     | `backdate_from` | not an integer | Invalid backdate (`<value>`). Must be a valid integer. |
             *     | `backdate_from` | in the future, or over 28 days ago | Invalid backdate (`<value>`). Must be in last 28 days. |
             *     | `overwrite_all` | not a boolean | This value should be of type bool. |
             *     | `body`, `agent`, `metadata`, `agent[custom]`, `metadata[custom]` | not an object | This value should be of type object. |
             *     | any text | with NUL or half a surrogate pair | This value contains characters that cannot be stored. |
             *     | any other field | | This field was not expected. |
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
            500: components["responses"]["UnknownError"];
        };
    };
    getMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which of the agent's identifiers the value is. Any other word is answered with 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. Upper and lower case are the same,
                 *     and characters other than letters and digits do not count: `00-1a-2b` finds `001A2B`.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent's metadata at this moment. */
            200: {
                headers: {
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
            404: components["responses"]["NoSuchAgent"];
            422: components["responses"]["NotAUnit"];
            500: components["responses"]["UnknownError"];
        };
    };
    getMetadataHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Which of the agent's identifiers the value is. Any other word is answered with 404. */
                field: components["parameters"]["Field"];
                /**
                 * @description The agent_id, the unit_id (an integer) or the MAC address. Upper and lower case are the same,
                 *     and characters other than letters and digits do not count: `00-1a-2b` finds `001A2B`.
                 */
                value: components["parameters"]["Value"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stretches; an empty list for an agent without metadata. */
            200: {
                headers: {
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
                     *           "recordedAt": "2026-11-08T09:30:12.123Z"
                     *         },
                     *         {
                     *           "from": "2026-08-17T00:00:00.000Z",
                     *           "to": "2026-11-01T00:00:00.000Z",
                     *           "package": "Northwave:Fibre 100",
                     *           "isp": "Northwave",
                     *           "timezone": "Europe/London",
                     *           "custom": {},
                     *           "recordedAt": "2026-11-08T09:30:12.123Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Success"] & {
                        data: components["schemas"]["Stretch"][];
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NoSuchAgent"];
            422: components["responses"]["NotAUnit"];
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
            403: components["responses"]["AccessDenied"];
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
