// Generated from openapi/query.yaml by make generate. Change the contract, not this file.

export interface paths {
    "/metric_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Metric data, raw or aggregated
         * @description One object a series in `data`, ordered by split values and then by time; without splits there is
         *     one object, without results there is none. Times are the local times of the agents.
         */
        post: operations["postMetricData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metric_data/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The SQL of a request for metric data, and what it would read */
        post: operations["explainMetricData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The rows of a test as they came in
         * @description Rows in the order of day (UTC), agent and time. A result that was sent twice is there once.
         */
        post: operations["postTestData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test_data/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The SQL of a request for test data, and what it would read */
        post: operations["explainTestData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metric_data.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Metric data as a CSV file
         * @description The same request as the JSON endpoint. The file is made by ClickHouse: one header row with the field
         *     names of the JSON answer (percentiles as `p1` to `p99`, one column a split), lines end with LF,
         *     texts in double quotes as in RFC 4180, numbers bare, nulls empty. The link needs no token and
         *     expires. When the file takes longer than a moment, the answer is 202 with a status link. Where the
         *     operator has set `EXPORT_ESCAPE_FORMULAS`, texts that a spreadsheet would take for a formula (they
         *     start with `=`, `+`, `-`, `@`, a tab or a carriage return) have a `'` before them.
         */
        post: operations["exportMetricDataCsv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test_data.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The rows of a test as a CSV file
         * @description The same request as the JSON endpoint. The file is made by ClickHouse: one header row with the field
         *     names of the JSON answer (percentiles as `p1` to `p99`, one column a split), lines end with LF,
         *     texts in double quotes as in RFC 4180, numbers bare, nulls empty. The link needs no token and
         *     expires. When the file takes longer than a moment, the answer is 202 with a status link.
         */
        post: operations["exportTestDataCsv"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metric_data_download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Metric data as a file in the object store
         * @description Like the `.csv` endpoint, but the link is the object store's own, and bucket and key are told. With
         *     `format` the file can be something else than CSV. Beside it lies `<key>.manifest.json` with the
         *     request, the SQL, the version of the metadata, rows, bytes and SHA-256.
         */
        post: operations["downloadMetricData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test_data_download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The rows of a test as a file in the object store
         * @description Like the `.csv` endpoint, but the link is the object store's own, and bucket and key are told. With
         *     `format` the file can be something else than CSV. Beside it lies `<key>.manifest.json` with the
         *     request, the SQL, the version of the metadata, rows, bytes and SHA-256.
         */
        post: operations["downloadTestData"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the answer that started the export tells it. */
                id: string;
            };
            cookie?: never;
        };
        /** How an export is doing, with its links when it is done */
        get: operations["getExport"];
        put?: never;
        post?: never;
        /** Cancels an export that runs, and takes the file of a finished one back */
        delete: operations["deleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/{id}": {
        parameters: {
            query: {
                /** @description When the link ends, in seconds since 1970. */
                expires: components["parameters"]["Expires"];
                signature: components["parameters"]["Signature"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /**
         * The file behind a link of the `.csv` endpoints; needs no token
         * @description Sent with its length, as an attachment. A range of bytes can be asked for; without one the file is
         *     packed with gzip for callers that accept that.
         */
        get: operations["getCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/objects/{key}": {
        parameters: {
            query: {
                /** @description When the link ends, in seconds since 1970. */
                expires: components["parameters"]["Expires"];
                signature: components["parameters"]["Signature"];
            };
            header?: never;
            path: {
                /** @description The key, slashes and all. */
                key: string;
            };
            cookie?: never;
        };
        /**
         * The file behind a link of the `_download` endpoints, when exports are kept in a folder
         * @description Like `/csv/{id}`. When exports are kept in S3, the link is S3's own.
         */
        get: operations["getObject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The metrics the caller may ask for, with their units and what they are made of */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tests whose rows the caller may ask for */
        get: operations["getTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What metric data can be split by */
        get: operations["getSplits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/filters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What metric data can be filtered by, with links to the values */
        get: operations["getFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/filters/{id}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organisation's own values of a field, sorted, for auto-complete */
        get: operations["getFilterValues"];
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
        /**
         * @default csv
         * @enum {string}
         */
        ExportFormat: "csv" | "csv.gz" | "parquet";
        CsvFile: {
            /** @description Works without a token until it expires. */
            url: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Without the header. */
            rows: number;
            /** @description Of the file. */
            bytes: number;
        };
        DownloadFile: {
            /** @description Works without a token until it expires. */
            url: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Without the header. */
            rows: number;
            /** @description Of the file. */
            bytes: number;
            bucket: string;
            key: string;
        };
        ExportAnswer: components["schemas"]["Ok"] & {
            data: components["schemas"]["Export"];
        };
        Export: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "metric_data" | "test_data";
            format: components["schemas"]["ExportFormat"];
            /** @enum {string} */
            status: "running" | "done" | "failed" | "cancelled" | "expired";
            statusUrl: string;
            /** @description Until now; when done, of the file. */
            rows: number;
            /** @description Until now; when done, of the file. */
            bytes: number;
            /** @description About; null where it cannot be told, as with aggregates. */
            percent: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            failure?: {
                code: string;
                message: string;
            };
            /** @description When it is done. */
            url?: string;
            bucket?: string;
            key?: string;
        };
        MetricQuery: {
            /** @description A key, or other name, of `GET /metrics`. */
            metric: string;
            chartType: components["schemas"]["ChartType"];
            aggregation?: components["schemas"]["Aggregation"];
            /**
             * @description Gives equal weight to every block of hours in which the test runs, within a block to every
             *     agent, and within an agent to every result. Without effect on `raw`.
             */
            normalised: boolean;
            /** @description Leaves out results that are impossible, very unlikely or unreliable. */
            prefilter: boolean;
            /**
             * @description An agent's results in a bucket become their mean first, so that each household counts once.
             * @default false
             */
            agent_agg?: boolean;
            /** @description Fields of `GET /splits`; each gives the points a column of its name. */
            splits?: string[];
            /** @description All must hold. */
            filters?: components["schemas"]["Filter"][];
            time: components["schemas"]["LocalRange"];
        };
        /**
         * @description Not every metric exists raw; `chartTypes` of `GET /metrics` tells.
         * @enum {string}
         */
        ChartType: "raw" | "aggregate";
        /**
         * @description Needed when `chartType` is `aggregate`, without meaning for `raw`.
         * @enum {string}
         */
        Aggregation: "hourly" | "two_hourly" | "four_hourly" | "six_hourly" | "daily" | "weekly" | "monthly" | "quarterly" | "hour_of_day" | "day_of_week" | "day_of_month" | "total";
        /** @description The fields of `MetricQuery`, and the format of the file. */
        MetricDownload: {
            metric: string;
            chartType: components["schemas"]["ChartType"];
            aggregation?: components["schemas"]["Aggregation"];
            normalised: boolean;
            prefilter: boolean;
            /** @default false */
            agent_agg?: boolean;
            splits?: string[];
            filters?: components["schemas"]["Filter"][];
            time: components["schemas"]["LocalRange"];
            format?: components["schemas"]["ExportFormat"];
        };
        Filter: {
            /** @description A field of `GET /filters`. */
            id: string;
            /**
             * @description `include` keeps only the listed values, `exclude` drops them. `inclusive`, `1` and `"1"` mean the
             *     first, `exclusive`, `0` and `"0"` the second.
             */
            filterType: ("include" | "exclude" | "inclusive" | "exclusive" | "1" | "0") | (1 | 0);
            /** @description Alternatives, as text even where the values are numbers. */
            filterValues: string[];
        };
        /**
         * @description Both ends are included. `YYYY-MM-DD HH:MM:SS` and `YYYY-MM-DD HH:MM` are the local time of each agent,
         *     taken exactly as given. The words of a test date, such as `now` and `-7 days`, mean moments, the same
         *     for all agents.
         */
        LocalRange: {
            /** @example 2026-01-01 00:00 */
            from: string;
            /** @example 2026-01-31 23:59:59 */
            to: string;
        };
        TestQuery: {
            /** @description A key of `GET /tests`. */
            test: string;
            date: components["schemas"]["UtcRange"];
        };
        /**
         * @description UTC, both ends included. `YYYY-MM-DD`, `YYYYMMDD`, `YYYY-MM`, `YYYY`, `+x days`, `-x days`,
         *     `last|next|this <day name>`, `now`. A `from` is the start of its period, a `to` the end.
         */
        UtcRange: {
            /** @example 2026-01-01 */
            from: string;
            /** @example 2026-01 */
            to: string;
        };
        /** @description The fields of `TestQuery`, and the format of the file. */
        TestDownload: {
            test: string;
            date: components["schemas"]["UtcRange"];
            format?: components["schemas"]["ExportFormat"];
        };
        Ok: {
            /** @enum {string} */
            code: "OK";
            message: string;
        };
        MetricDataAnswer: components["schemas"]["Ok"] & {
            data: {
                metricData: (components["schemas"]["AggregatedPoint"] | components["schemas"]["RawPoint"])[];
            }[];
        };
        /** @description Beside these, a column for each split, with the group's value or null where none was known. */
        AggregatedPoint: {
            /** @description Mean, in the unit of the metric; of a rate, the ratio of sums. */
            metricValue: number | null;
            /** @description Start of the bucket, `YYYY-MM-DDTHH:MM:SS`, or `YYYY-MM-DD` from daily up; only when aggregated by time. */
            dtime?: string;
            /** @description Hour of the day (0 to 23), day of the week (1 Monday to 7 Sunday) or day of the month. */
            aggregatedNumber?: number;
            /** @description Population standard deviation. */
            stdDev: number | null;
            /** @description Results. */
            sampleCount: number;
            /** @description Distinct agents. */
            agentCount: number;
            /** @description Distinct units. */
            unitCount: number;
            /** @description Half-width of the 90 % confidence interval of the mean. */
            ci90: number | null;
            /** @description Half-width of the 95 % confidence interval of the mean. */
            ci95: number | null;
            /** @description Half-width of the 99 % confidence interval of the mean. */
            ci99: number | null;
            /** @description Lowest value. */
            min: number | null;
            /** @description Highest value. */
            max: number | null;
            /** @description Percentile 50. */
            median: number | null;
            /** @description By percentile, linearly interpolated; keys 1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99. */
            percentiles: {
                [key: string]: number | null;
            };
        } & {
            [key: string]: components["schemas"]["ColumnValue"];
        };
        /** @description Beside these, a column for each split. */
        RawPoint: {
            metricValue: number;
            /** @description When the test ended, local time of the agent. */
            dtime: string;
            agent: string;
            /** @description Null for agents that are no units, such as phones. */
            unit: string | null;
        } & {
            [key: string]: components["schemas"]["ColumnValue"];
        };
        /** @description A value in a column that the request or the test decides on. */
        ColumnValue: (string | null) | number;
        TestDataAnswer: components["schemas"]["Ok"] & {
            data: components["schemas"]["TestRow"][];
        };
        /** @description Beside these, the columns of the test. */
        TestRow: {
            /** @description Device model. */
            base: string;
            /** @description Date the test took place, UTC. */
            ddate: string;
            /** @description When the test ended, UTC. */
            dtime: string;
            agent_id: string;
            unit_id: number | null;
        } & {
            [key: string]: components["schemas"]["ColumnValue"];
        };
        ExplanationAnswer: components["schemas"]["Ok"] & {
            data: components["schemas"]["Explanation"];
        };
        Explanation: {
            /** @description The query as it is sent, with placeholders such as `{p0:UInt32}`. */
            sql: string;
            /** @description The values bound to the placeholders, by name. */
            params: {
                [key: string]: {
                    /** @description ClickHouse type, such as `Array(String)`. */
                    type: string;
                    value: unknown;
                };
            };
            /** @description The same query with the values in it, to paste into a ClickHouse client. */
            inlined: string;
            /** @description The settings sent along, limits among them. */
            settings: {
                [key: string]: unknown;
            };
            /** @description What the query would read, by the primary key; nothing is read to tell. */
            estimate: {
                parts: number;
                marks: number;
                rows: number;
                /** @description Uncompressed bytes of the columns needed. */
                bytes: number;
            };
        };
        MetricsAnswer: components["schemas"]["Ok"] & {
            data: components["schemas"]["Metric"][];
        };
        Metric: {
            key: string;
            unit: string;
            description: string;
            /** @description Other names taken for `key`. */
            aliases: string[];
            /** @description The test it comes from. */
            test: string;
            chartTypes: ("raw" | "aggregate")[];
            /** @description SQL over the columns of the test. */
            madeOf: {
                /** @description The value of one result. */
                value?: string;
                /** @description Of a rate, which is a ratio of sums: what is summed above. */
                numerator?: string;
                /** @description Of a rate: what is summed below. */
                denominator?: string;
                /** @description Which rows are results of this metric. */
                results: string;
                /** @description Which results remain with `prefilter`. */
                prefilter: string;
                /** @description Length of the blocks of the local day for `normalised`, in hours. */
                everyHours: number;
            };
            splits: string[];
            filters: string[];
        };
        Split: {
            id: string;
            description: string;
            /**
             * @description Of the values in answers; a filter takes text always.
             * @enum {string}
             */
            type: "string" | "number" | "any";
            /** @description Whether it is a field of the organisation's own metadata. */
            custom: boolean;
            /** @description The metrics that have it. */
            metrics: string[];
        };
        SplitsAnswer: components["schemas"]["Ok"] & {
            data: components["schemas"]["Split"][];
        };
        FiltersAnswer: components["schemas"]["Ok"] & {
            data: (components["schemas"]["Split"] & {
                filterTypes: ("include" | "exclude")[];
                /** @description Path of the values of this field. */
                values: string;
            })[];
        };
        StringsAnswer: components["schemas"]["Ok"] & {
            data: string[];
        };
        ErrorAnswer: {
            /** @enum {string} */
            code: "BAD_REQUEST" | "ACCESS_DENIED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "EXPORT_CANCELLED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAIL" | "RATE_LIMITED" | "UNKNOWN_ERROR" | "SERVICE_UNAVAILABLE" | "QUERY_TIMEOUT";
            message: string;
            /** @description Field path to messages. */
            errors?: {
                [key: string]: string[];
            };
        };
    };
    responses: {
        /** @description The file is there. */
        CsvReady: {
            headers: {
                "X-Query-Id": components["headers"]["QueryId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Ok"] & {
                    data: components["schemas"]["CsvFile"];
                };
            };
        };
        /** @description The file is in the object store. */
        DownloadReady: {
            headers: {
                "X-Query-Id": components["headers"]["QueryId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Ok"] & {
                    data: components["schemas"]["DownloadFile"];
                };
            };
        };
        /** @description The file is being made; the status link tells when it is there. */
        ExportStarted: {
            headers: {
                /** @description The status link. */
                Location?: string;
                /** @description `respond-async` when that was asked for. */
                "Preference-Applied"?: string;
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExportAnswer"];
            };
        };
        /** @description The export. */
        ExportStatus: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExportAnswer"];
            };
        };
        /** @description There is no such export, as far as the caller can tell, or its file is gone. An export is forgotten 90 days after its link has expired. */
        NoSuchExport: {
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
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The export was cancelled with `DELETE /exports/{id}` while this call waited for its file. */
        ExportCancelled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "EXPORT_CANCELLED",
                 *       "message": "The export was cancelled"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The organisation has as many exports running as it may. */
        ExportsLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "RATE_LIMITED",
                 *       "message": "Your organisation is running 3 exports already, which is the limit. Please retry when one has ended."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The link was changed, or has expired. */
        LinkRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "ACCESS_DENIED",
                 *       "message": "The link has expired."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The file. */
        File: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
                "application/gzip": string;
                "application/vnd.apache.parquet": string;
            };
        };
        /** @description The bytes asked for. */
        PartOfFile: {
            headers: {
                "Content-Range"?: string;
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
                "application/gzip": string;
                "application/vnd.apache.parquet": string;
            };
        };
        /** @description The range begins after the end of the file. */
        NoSuchRange: {
            headers: {
                "Content-Range"?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The SQL and its cost. */
        Explanation: {
            headers: {
                "X-Query-Id": components["headers"]["QueryId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExplanationAnswer"];
            };
        };
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
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description No token, or one that is unknown, expired or revoked. */
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
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description There is no such thing, as far as the caller's organisation can tell. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "NOT_FOUND",
                 *       "message": "Unknown filter \"packge\". Did you mean \"package\"?"
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The body is over the limit. */
        PayloadTooLarge: {
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
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
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
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /**
         * @description Something in the request is not right, or it asks for more than the limits allow; `errors` names
         *     each field and what to send instead.
         */
        ValidationFail: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "filters[0].id": [
                 *           "Unknown field \"packge\". Did you mean \"package\"?"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The organisation has as many queries running as it may. */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "RATE_LIMITED",
                 *       "message": "Your organisation is running 8 queries already, which is the limit. Please retry shortly."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description An unexpected failure. */
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
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description A store behind the service cannot be reached. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "SERVICE_UNAVAILABLE",
                 *       "message": "The service is temporarily unavailable. Please retry shortly."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The query took too long. */
        QueryTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "QUERY_TIMEOUT",
                 *       "message": "The query took too long. Ask for a shorter range or fewer splits."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
    };
    parameters: {
        /**
         * @description With `respond-async` the answer is 202 at once.
         * @example respond-async
         */
        Prefer: string;
        /** @description When the link ends, in seconds since 1970. */
        Expires: string;
        Signature: string;
    };
    requestBodies: {
        MetricQuery: {
            content: {
                "application/json": components["schemas"]["MetricQuery"];
            };
        };
        TestQuery: {
            content: {
                "application/json": components["schemas"]["TestQuery"];
            };
        };
        MetricDownload: {
            content: {
                /**
                 * @example {
                 *       "metric": "httpget",
                 *       "chartType": "raw",
                 *       "normalised": false,
                 *       "prefilter": true,
                 *       "time": {
                 *         "from": "2026-01-01 00:00",
                 *         "to": "2026-01-31 23:59:59"
                 *       },
                 *       "format": "csv.gz"
                 *     }
                 */
                "application/json": components["schemas"]["MetricDownload"];
            };
        };
        TestDownload: {
            content: {
                /**
                 * @example {
                 *       "test": "httpget",
                 *       "date": {
                 *         "from": "2026-01",
                 *         "to": "2026-01"
                 *       },
                 *       "format": "parquet"
                 *     }
                 */
                "application/json": components["schemas"]["TestDownload"];
            };
        };
    };
    headers: {
        /** @description ClickHouse's `query_id` of the query behind this answer, as in `system.query_log`. */
        QueryId: string;
        /** @description The client's own `X-Request-Id`, or a new one. */
        RequestId: string;
        /**
         * @description Rows ClickHouse had read when this answer began. An aggregate begins when everything has been
         *     read; raw rows are sent while the rest is being read.
         */
        RowsRead: number;
        /** @description Seconds after which to try again. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postMetricData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricQuery"];
        responses: {
            /** @description The series. */
            200: {
                headers: {
                    "X-Query-Id": components["headers"]["QueryId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Rows-Read": components["headers"]["RowsRead"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricDataAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    explainMetricData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricQuery"];
        responses: {
            200: components["responses"]["Explanation"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    postTestData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestQuery"];
        responses: {
            /** @description The rows; the columns vary by test, the common ones come first. */
            200: {
                headers: {
                    "X-Query-Id": components["headers"]["QueryId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Rows-Read": components["headers"]["RowsRead"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": [
                     *         {
                     *           "base": "wb8",
                     *           "ddate": "2026-01-01",
                     *           "dtime": "2026-01-01 04:13:09.120",
                     *           "agent_id": "a-1001",
                     *           "unit_id": 1001,
                     *           "target": "n1-london.example.net",
                     *           "address": "192.0.2.10",
                     *           "fetch_time": 10000211,
                     *           "bytes_total": 89275000,
                     *           "bytes_sec": 8927500,
                     *           "bytes_sec_interval": 8927500,
                     *           "warmup_time": 5000100,
                     *           "warmup_bytes": 41000000,
                     *           "sequence": 0,
                     *           "threads": 3,
                     *           "tcp_retransmissions": 4,
                     *           "successes": 1,
                     *           "failures": 0,
                     *           "ip_version": 4,
                     *           "target_group": "onnet"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TestDataAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    explainTestData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestQuery"];
        responses: {
            200: components["responses"]["Explanation"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    exportMetricDataCsv: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `respond-async` the answer is 202 at once.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricQuery"];
        responses: {
            200: components["responses"]["CsvReady"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            409: components["responses"]["ExportCancelled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["ExportsLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    exportTestDataCsv: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `respond-async` the answer is 202 at once.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestQuery"];
        responses: {
            200: components["responses"]["CsvReady"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            409: components["responses"]["ExportCancelled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["ExportsLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    downloadMetricData: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `respond-async` the answer is 202 at once.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricDownload"];
        responses: {
            200: components["responses"]["DownloadReady"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            409: components["responses"]["ExportCancelled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["ExportsLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    downloadTestData: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description With `respond-async` the answer is 202 at once.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestDownload"];
        responses: {
            200: components["responses"]["DownloadReady"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            409: components["responses"]["ExportCancelled"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["ExportsLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the answer that started the export tells it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportStatus"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NoSuchExport"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the answer that started the export tells it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportStatus"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NoSuchExport"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCsv: {
        parameters: {
            query: {
                /** @description When the link ends, in seconds since 1970. */
                expires: components["parameters"]["Expires"];
                signature: components["parameters"]["Signature"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["File"];
            206: components["responses"]["PartOfFile"];
            403: components["responses"]["LinkRefused"];
            404: components["responses"]["NoSuchExport"];
            416: components["responses"]["NoSuchRange"];
            500: components["responses"]["UnknownError"];
        };
    };
    getObject: {
        parameters: {
            query: {
                /** @description When the link ends, in seconds since 1970. */
                expires: components["parameters"]["Expires"];
                signature: components["parameters"]["Signature"];
            };
            header?: never;
            path: {
                /** @description The key, slashes and all. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["File"];
            206: components["responses"]["PartOfFile"];
            403: components["responses"]["LinkRefused"];
            404: components["responses"]["NoSuchExport"];
            416: components["responses"]["NoSuchRange"];
            500: components["responses"]["UnknownError"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
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
                     *           "key": "httpget",
                     *           "unit": "mbps",
                     *           "description": "Download speed over HTTP",
                     *           "aliases": [
                     *             "httpgetmt"
                     *           ],
                     *           "test": "httpget",
                     *           "chartTypes": [
                     *             "raw",
                     *             "aggregate"
                     *           ],
                     *           "madeOf": {
                     *             "value": "bytes_sec * 8 / 1e6",
                     *             "results": "successes > 0",
                     *             "prefilter": "bytes_sec > 0 AND bytes_sec <= 12500000000",
                     *             "everyHours": 2
                     *           },
                     *           "splits": [
                     *             "target_set",
                     *             "package",
                     *             "country",
                     *             "target",
                     *             "agent",
                     *             "unit",
                     *             "isp",
                     *             "base",
                     *             "threads",
                     *             "ip_version"
                     *           ],
                     *           "filters": [
                     *             "target_set",
                     *             "package",
                     *             "country",
                     *             "target",
                     *             "agent",
                     *             "unit",
                     *             "isp",
                     *             "base",
                     *             "threads",
                     *             "ip_version"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsAnswer"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTests: {
        parameters: {
            query?: {
                /** @description Only the tests of this kind of agents; without it, both lists joined. */
                agents?: "units" | "mobile";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test keys. */
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
                     *         "httpget",
                     *         "httppost",
                     *         "dns"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StringsAnswer"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSplits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract's fields, those of single metrics, and the organisation's custom fields. */
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
                     *           "id": "isp",
                     *           "description": "ISP of the household",
                     *           "type": "string",
                     *           "custom": false,
                     *           "metrics": [
                     *             "httpget",
                     *             "httppost"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SplitsAnswer"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFilters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same fields as the splits, each with the link for auto-complete. */
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
                     *           "id": "isp",
                     *           "description": "ISP of the household",
                     *           "type": "string",
                     *           "custom": false,
                     *           "metrics": [
                     *             "httpget",
                     *             "httppost"
                     *           ],
                     *           "filterTypes": [
                     *             "include",
                     *             "exclude"
                     *           ],
                     *           "values": "/filters/isp/values"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FiltersAnswer"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFilterValues: {
        parameters: {
            query?: {
                /**
                 * @description Only values that start with this; the case of A to Z does not matter.
                 * @example nor
                 */
                search?: string;
                /** @description At most so many values. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description A field of `GET /filters`. A custom field goes by its key, and always by `custom.<key>`.
                 * @example isp
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values, as text, the way a filter takes them. */
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
                     *         "Northwave",
                     *         "Norwood Cable"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StringsAnswer"];
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFail"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
}
