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
         * @description Aggregates: `data` has one object per series, ordered by split values and then by time. Raw data is
         *     one object; its points are ordered by time and have a column per split. If nothing matched, `data`
         *     is `[{"metricData": []}]` without splits and `[]` with splits. Times are the local times of the
         *     agents. As NDJSON or CSV, each point is a row: a column per split, and percentiles as `p1` to `p99`.
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
        /** The SQL of a request for metric data, and an estimate of the rows it reads */
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
         * The unprocessed rows of a test
         * @description Rows are ordered by day (UTC), agent and time. A result that was sent twice is returned once.
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
        /** The SQL of a request for test data, and an estimate of the rows it reads */
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
         * @description Takes the same request as the JSON endpoint. The file has one header row with the field names of the
         *     JSON response (percentiles as `p1` to `p99`, one column per split). Lines end with LF, strings are in
         *     double quotes as in RFC 4180, numbers are unquoted, nulls are empty.
         *
         *     The link needs no token and expires. If the file is not ready within `EXPORT_WAIT_MS`, `status` is
         *     `running`, and a request for the link waits for the file.
         *
         *     If the operator has set `EXPORT_ESCAPE_FORMULAS`, strings that a spreadsheet would read as a formula (they
         *     start with `=`, `+`, `-`, `@`, a tab or a carriage return) have a `'` in front.
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
         * @description Takes the same request as the JSON endpoint. The file has the format of `POST /metric_data.csv`.
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
         * @description Like the `.csv` endpoint, but the response has the bucket, the key and a signed link of the object
         *     store. That link cannot wait: while `status` is `running`, `url` is a link to this service, which waits
         *     for the file, and `statusUrl` has the object store's link when `status` is `ready`.
         *
         *     `format` selects the file format. The object `<key>.manifest.json` has the request, the SQL, the version of
         *     the metadata, rows, bytes and SHA-256.
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
         * @description Like the `.csv` endpoint, but the response has the bucket, the key and a signed link of the object
         *     store. That link cannot wait: while `status` is `running`, `url` is a link to this service, which waits
         *     for the file, and `statusUrl` has the object store's link when `status` is `ready`.
         *
         *     `format` selects the file format. The object `<key>.manifest.json` has the request, the SQL, the version of
         *     the metadata, rows, bytes and SHA-256.
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
                /** @description The id in the response that started the export. */
                id: string;
            };
            cookie?: never;
        };
        /** The status of an export, with its link */
        get: operations["getExport"];
        put?: never;
        post?: never;
        /** Cancel a running export, or delete the file of a finished one */
        delete: operations["deleteExport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/csv/{id}": {
        parameters: {
            query: {
                /** @description Expiry of the link, as a UNIX timestamp. */
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
         * Download the file of an export, without a token
         * @description The file is sent as an attachment. Supports a byte range (`Range`). Without one, the file is compressed
         *     if the client accepts gzip.
         *
         *     While the export is running, the response waits for the file, also for `HEAD` and a range. After
         *     `EXPORT_LINK_WAIT_MS` the status is 503 with `Retry-After`: request the same link again. If the export
         *     has failed, the status is 404 and the message has the reason.
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
                /** @description Expiry of the link, as a UNIX timestamp. */
                expires: components["parameters"]["Expires"];
                signature: components["parameters"]["Signature"];
            };
            header?: never;
            path: {
                /** @description The key, including slashes. */
                key: string;
            };
            cookie?: never;
        };
        /**
         * Download the file of a `_download` endpoint, if the object store is a folder
         * @description Like `/csv/{id}`. If the object store is S3, the link leads to S3.
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
        /** The available metrics, with their units and definitions */
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
        /** The available tests */
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
        /** The fields by which metric data can be split */
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
        /** The fields by which metric data can be filtered, with links to their values */
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
        /**
         * The organisation's values of a field, for autocomplete
         * @description Values that no result can have are not listed. ISP, package, country and custom fields are listed from the
         *     metadata of agents, past values included; agents and units from the registered agents; every other field
         *     from the results.
         *
         *     Values equal to `search` come first, then those that start with it, those with a word that starts with
         *     it, and the others; each group in order of the alphabet, numbers in order of their value.
         */
        get: operations["getFilterValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The saved views of your organisation
         * @description In the order of their names. A token with a privacy floor sees the views that were saved with at least the same
         *     floor.
         */
        get: operations["getViews"];
        put?: never;
        /**
         * Save a view of the explorer
         * @description For everyone with a data token of your organisation. The link of a view is `/explorer#saved=<id>`. A view has no
         *     data: it is queried when the view is opened, with the token of the reader. At most 200 views.
         */
        post: operations["postView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** A saved view */
        get: operations["getView"];
        put?: never;
        post?: never;
        /** Delete a saved view */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Rename a saved view
         * @description The id and the link of the view stay the same.
         */
        patch: operations["patchView"];
        trace?: never;
    };
    "/region-map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The map of your organisation
         * @description The regions that the explorer draws: of your organisation, or else those of the installation. `map` of
         *     `GET /splits` marks its field.
         */
        get: operations["getRegionMap"];
        /**
         * Replace the map of your organisation
         * @description A GeoJSON FeatureCollection of Polygons and MultiPolygons in longitudes and latitudes, with a body of at most
         *     5 MiB. Each ring is closed, and each feature has another name. Only names and outlines are stored.
         */
        put: operations["putRegionMap"];
        post?: never;
        /**
         * Delete the map of your organisation
         * @description The map of the installation, if there is one, takes its place.
         */
        delete: operations["deleteRegionMap"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        NewView: {
            name: string;
            /** @description What follows the `#` in the URL of the explorer. */
            state: string;
        };
        ViewName: {
            name: string;
        };
        ListedView: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
        };
        ViewResponse: {
            /** @enum {string} */
            code: "OK";
            message: string;
            data: components["schemas"]["ListedView"] & {
                state: string;
            };
        };
        /**
         * @default csv
         * @enum {string}
         */
        ExportFormat: "csv" | "csv.gz" | "parquet";
        CsvFile: {
            /** @description Works without a token until it expires, and waits for the file while the export is running. */
            url: string;
            status: components["schemas"]["FileStatus"];
            /** @description The status of the export. Needs the token. */
            statusUrl: string;
            expiresAt: components["schemas"]["ExpiresAt"];
            /** @description Without the header; present when the file is ready. */
            rows?: number;
            /** @description Of the file; present when it is ready. */
            bytes?: number;
        };
        DownloadFile: {
            /** @description Works without a token until it expires. When ready: a link to the object store. While running: a link to this service, which waits for the file and sends it. */
            url: string;
            status: components["schemas"]["FileStatus"];
            /** @description The status of the export. Needs the token. */
            statusUrl: string;
            expiresAt: components["schemas"]["ExpiresAt"];
            /** @description Without the header; present when the file is ready. */
            rows?: number;
            /** @description Of the file; present when it is ready. */
            bytes?: number;
            bucket: string;
            /** @description The object appears when it is complete. */
            key: string;
        };
        /** @enum {string} */
        FileStatus: "running" | "ready";
        /**
         * Format: date-time
         * @description When the link expires. The time starts when the file is ready, so the link of a running export works longer.
         */
        ExpiresAt: string;
        ExportResponse: components["schemas"]["Ok"] & {
            data: components["schemas"]["Export"];
        };
        ExportStartedResponse: components["schemas"]["Ok"] & {
            data: WithRequired<components["schemas"]["Export"], "url">;
        };
        Export: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "metric_data" | "test_data";
            format: components["schemas"]["ExportFormat"];
            /** @enum {string} */
            status: "running" | "ready" | "failed" | "cancelled" | "expired" | "erased";
            statusUrl: string;
            /** @description Until now; when ready, of the file. */
            rows: number;
            /** @description Until now; when ready, of the file. */
            bytes: number;
            /** @description An estimate; null if there is none, as for aggregated data. */
            percent: number | null;
            /** @description The version of your organisation's metadata that the file has used; null for older exports. */
            metadataVersion: number | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            expiresAt: components["schemas"]["ExpiresAt"];
            failure?: {
                code: string;
                message: string;
            };
            /** @description Present while the export is running and when it is ready. While it is running, the link waits for the file. */
            url?: string;
            bucket?: string;
            key?: string;
        };
        MetricQuery: {
            /** @description A key or alias of `GET /metrics`. */
            metric: string;
            chartType: components["schemas"]["ChartType"];
            aggregation?: components["schemas"]["Aggregation"];
            /** @description Gives equal weight to every block of hours in which the test runs, within a block to every agent, and within an agent to every result. Has no effect on `raw`. */
            normalised: boolean;
            /** @description Excludes results that are impossible, very unlikely or unreliable. */
            prefilter: boolean;
            /**
             * @description Averages the results of each agent per bucket first, so that each household counts once.
             * @default false
             */
            agent_agg?: boolean | null;
            /** @description Fields of `GET /splits`. Each adds a column with its name to the points. */
            splits?: string[] | null;
            /** @description A result must match all filters. */
            filters?: components["schemas"]["Filter"][] | null;
            time?: components["schemas"]["LocalRange"];
            /** @description Several ranges instead of `time`. A result of two ranges counts once. */
            times?: components["schemas"]["LocalRange"][] | null;
            window?: components["schemas"]["LocalWindow"];
            knownAt?: components["schemas"]["KnownAt"];
            method?: components["schemas"]["Method"];
            household?: components["schemas"]["Household"];
            relativeTo?: components["schemas"]["RelativeTo"];
            /**
             * @description A custom field with numbers: the weight of a household, as of its last result in the bucket. Needs `household`. Results without a positive number are left out and counted.
             * @example custom.weight
             */
            weight?: string | null;
            /**
             * @description With `weight`: computes the intervals of means, percentiles, shares and differences with the replicate weights of `netpanel weights rake --replicates`, so that they include the raking. Not with `strata` and `knownAt`. Callers with a privacy floor get no intervals.
             * @default false
             * @example true
             */
            weightReplicates?: boolean | null;
            shares?: components["schemas"]["Shares"];
            sharesAtMost?: components["schemas"]["SharesAtMost"];
            consistent?: components["schemas"]["Consistent"];
            switchers?: components["schemas"]["Switchers"];
            /** @description A point with fewer agents is returned with `suppressed` true and no numbers. A token with a privacy floor has at least that minimum in every request. */
            minAgents?: number | null;
            /**
             * @description Adds `ciHousehold90`, `ciHousehold95`, `ciHousehold99` and `medianCi95`: confidence intervals with households as the sample. The tests of one household are alike, so `ci95` is much too narrow for a statement about households. With `household` or `agent_agg`, `ci95` itself has households as the sample.
             * @default false
             */
            householdIntervals?: boolean | null;
            /**
             * @description Percentiles between 0 and 100. Adds `percentilesCi95`, the bounds of the 95 % confidence interval of each, with households as the sample. The highest and lowest percentiles need many households: a bound that none of them reaches is null.
             * @example [
             *       5,
             *       50,
             *       95
             *     ]
             */
            intervalsOf?: number[] | null;
            percentileRule?: components["schemas"]["PercentileRule"];
            /**
             * @description A field of the metadata by which the panel was stratified, such as `isp`: the intervals with households as the sample compare a household with those of its stratum, as of its last result. Needs `household`, `agent_agg`, `householdIntervals` or `intervalsOf`.
             * @example isp
             */
            strata?: string | null;
            overBuckets?: components["schemas"]["OverBuckets"];
            coverage?: components["schemas"]["Coverage"];
            compare?: components["schemas"]["Compare"];
        };
        /**
         * @description Adds `coverage` to each point: how many results were expected of how many agents, and how many came. Not with `knownAt`, `overBuckets`, or splits and filters by fields of results. Defined in docs/statistics.md.
         * @example {
         *       "resultsPerHour": 0.5
         *     }
         */
        Coverage: {
            /** @description Results that one agent is expected to have per hour. Default: the schedule of the test in the catalogue; a test without one needs it. */
            resultsPerHour?: number | null;
        } | null;
        /**
         * @description The method of a regulator, by name: it stands for the fields that `POST /metric_data/explain` returns as `method`. Fields of the request win; `null` leaves one out. The catalogue describes each method.
         * @enum {string|null}
         */
        Method: "fcc-2018" | "accc" | "ofcom-2021" | "ofcom-2023" | null;
        /**
         * @description Only results whose local time is on these weekdays and in these hours; `19` is from 19:00:00 to 19:59:59. Send `days`, `hours` or both.
         * @example {
         *       "days": [
         *         "mon",
         *         "tue",
         *         "wed",
         *         "thu",
         *         "fri"
         *       ],
         *       "hours": [
         *         19,
         *         20,
         *         21,
         *         22
         *       ]
         *     }
         */
        LocalWindow: {
            days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[] | null;
            hours?: number[] | null;
            /**
             * @description All results outside of the window instead.
             * @default false
             */
            invert?: boolean | null;
        } | null;
        /**
         * @description The results of each household in a bucket become one value first; the statistics of a point are those of these values. `agent_agg: true` is `{"statistic": "mean"}`.
         * @example {
         *       "statistic": "trimmedMean",
         *       "trim": [
         *         1,
         *         99
         *       ],
         *       "trimOver": "range",
         *       "minResults": 5
         *     }
         */
        Household: {
            /**
             * @description `mean`, `median`, `min`, `max`, a percentile such as `p20` or `p97.5`, or `trimmedMean`: the mean with `trim` `[1, 99]` unless another one is sent.
             * @example trimmedMean
             */
            statistic: string;
            /** @description Leaves out results below and above two percentiles of the household’s own results; `null` leaves an end open. */
            trim?: (number | null)[] | null;
            /**
             * @description Whether these percentiles are of the results in the `window` or of all in the range (`range`). Default: `window`.
             * @enum {string|null}
             */
            trimOver?: "window" | "range" | null;
            /** @description Households with fewer results in the bucket are left out. */
            minResults?: number | null;
            /** @description Households with results on fewer local days are left out. */
            minDays?: number | null;
        } | null;
        /**
         * @description Divides by a custom field with numbers, such as the advertised speed, in percent. Results without a positive number as of the result are left out and counted.
         * @example {
         *       "field": "custom.advertised_download_mbps"
         *     }
         */
        RelativeTo: {
            field: string;
            /**
             * @description Divides each result, or the value of each household by the field as of its last result. Without it: `household` if households are requested.
             * @enum {string|null}
             */
            of?: "result" | "household" | null;
        } | null;
        /**
         * @description Thresholds in the unit of the metric, or in percent with `relativeTo`. Each point has `shares` with the weighted share of households at or above each threshold, from 0 to 1.
         * @example {
         *       "thresholds": [
         *         25,
         *         50,
         *         100
         *       ]
         *     }
         */
        Shares: {
            thresholds: number[];
            /**
             * @description Shares of `results` are possible without `household` only. Default: `households`.
             * @enum {string|null}
             */
            of?: "households" | "results" | null;
        } | null;
        /**
         * @description A percentile over households of a percentile of each household’s results. 20 and 20 are the FCC’s 80/80: the speed that 80 % of households get at least 80 % of the time.
         * @example {
         *       "households": 20,
         *       "results": 20
         *     }
         */
        Consistent: {
            households: number;
            results: number;
        } | null;
        /**
         * @description Households whose ISP or package changed within the range: `asOf` uses each result with the metadata it had; `longest` only the results of the ISP and package with the most days of results; `drop` leaves them out. A `method` may have its own. Default: `asOf`.
         * @enum {string|null}
         */
        Switchers: "asOf" | "longest" | "drop" | null;
        /**
         * @description A second aggregation, over the buckets of each series, without suppressed ones. Send `busiest` or `atLeast`.
         * @example {
         *       "busiest": true
         *     }
         */
        OverBuckets: {
            /**
             * @description Returns the point with the lowest value of a metric whose higher values are `better`, and the highest value of others.
             * @default false
             */
            busiest?: boolean | null;
            /** @description Returns the share of buckets whose `metricValue` is at least this threshold. */
            atLeast?: number | null;
        } | null;
        /**
         * @description Uses the metadata as it was recorded at this moment, to reproduce an earlier response: ISP, package, time zone (so local times too) and custom fields, without later changes, also backdated ones. Default: as it is recorded now. `YYYY-MM-DD HH:MM`, `YYYY-MM-DD HH:MM:SS`, with or without milliseconds, in UTC; also with `T` and `Z`. `YYYY-MM-DD` and `last|this <day name>` are 00:00 UTC of that day. `now` and `-x days` are relative to the request.
         *
         *     It concerns metadata only. Results that arrived later are included, and households that were erased since are absent. A change counts from the moment it was recorded; responses had it some seconds later, when it was published. The country of an agent, and the names of ISPs and packages, have no history.
         *
         *     422 if the moment is in the future or before the recorded history, which the message names, or if the organisation had more than 1,000,000 periods of metadata then (`MAX_KNOWN_AT_PERIODS`). 429 after too many different moments within three hours. The first request with a moment takes longer than the next ones.
         * @example 2026-01-31 13:00:00
         */
        KnownAt: string | null;
        /**
         * @description Some metrics have no raw data; see `chartTypes` in `GET /metrics`.
         * @enum {string}
         */
        ChartType: "raw" | "aggregate";
        /**
         * @description Required if `chartType` is `aggregate`; ignored for `raw`.
         * @enum {string|null}
         */
        Aggregation: "hourly" | "two_hourly" | "four_hourly" | "six_hourly" | "daily" | "weekly" | "monthly" | "quarterly" | "yearly" | "hour_of_day" | "day_of_week" | "day_of_month" | "hour_of_week" | "total" | null;
        /** @description The fields of `MetricQuery`, and the format of the file. */
        MetricDownload: {
            /** @description A key or alias of `GET /metrics`. */
            metric: string;
            chartType: components["schemas"]["ChartType"];
            aggregation?: components["schemas"]["Aggregation"];
            /** @description Gives equal weight to every block of hours in which the test runs, within a block to every agent, and within an agent to every result. Has no effect on `raw`. */
            normalised: boolean;
            /** @description Excludes results that are impossible, very unlikely or unreliable. */
            prefilter: boolean;
            /**
             * @description Averages the results of each agent per bucket first, so that each household counts once.
             * @default false
             */
            agent_agg?: boolean | null;
            /** @description Fields of `GET /splits`. Each adds a column with its name to the points. */
            splits?: string[] | null;
            /** @description A result must match all filters. */
            filters?: components["schemas"]["Filter"][] | null;
            time?: components["schemas"]["LocalRange"];
            /** @description Several ranges instead of `time`. A result of two ranges counts once. */
            times?: components["schemas"]["LocalRange"][] | null;
            window?: components["schemas"]["LocalWindow"];
            knownAt?: components["schemas"]["KnownAt"];
            method?: components["schemas"]["Method"];
            household?: components["schemas"]["Household"];
            relativeTo?: components["schemas"]["RelativeTo"];
            /**
             * @description A custom field with numbers: the weight of a household, as of its last result in the bucket. Needs `household`. Results without a positive number are left out and counted.
             * @example custom.weight
             */
            weight?: string | null;
            /**
             * @description With `weight`: computes the intervals of means, percentiles, shares and differences with the replicate weights of `netpanel weights rake --replicates`, so that they include the raking. Not with `strata` and `knownAt`. Callers with a privacy floor get no intervals.
             * @default false
             * @example true
             */
            weightReplicates?: boolean | null;
            shares?: components["schemas"]["Shares"];
            sharesAtMost?: components["schemas"]["SharesAtMost"];
            consistent?: components["schemas"]["Consistent"];
            switchers?: components["schemas"]["Switchers"];
            /** @description A point with fewer agents is returned with `suppressed` true and no numbers. A token with a privacy floor has at least that minimum in every request. */
            minAgents?: number | null;
            /**
             * @description Adds `ciHousehold90`, `ciHousehold95`, `ciHousehold99` and `medianCi95`: confidence intervals with households as the sample. The tests of one household are alike, so `ci95` is much too narrow for a statement about households. With `household` or `agent_agg`, `ci95` itself has households as the sample.
             * @default false
             */
            householdIntervals?: boolean | null;
            /**
             * @description Percentiles between 0 and 100. Adds `percentilesCi95`, the bounds of the 95 % confidence interval of each, with households as the sample. The highest and lowest percentiles need many households: a bound that none of them reaches is null.
             * @example [
             *       5,
             *       50,
             *       95
             *     ]
             */
            intervalsOf?: number[] | null;
            percentileRule?: components["schemas"]["PercentileRule"];
            /**
             * @description A field of the metadata by which the panel was stratified, such as `isp`: the intervals with households as the sample compare a household with those of its stratum, as of its last result. Needs `household`, `agent_agg`, `householdIntervals` or `intervalsOf`.
             * @example isp
             */
            strata?: string | null;
            overBuckets?: components["schemas"]["OverBuckets"];
            coverage?: components["schemas"]["Coverage"];
            compare?: components["schemas"]["Compare"];
            format?: components["schemas"]["ExportFormat"];
        };
        Filter: {
            /** @description A field of `GET /filters`. A custom field can always be named `custom.<key>`. `set` selects the agents of named sets; an unknown name is refused. */
            id: string;
            /**
             * @description `include` keeps only the listed values, `exclude` drops them.
             * @enum {string}
             */
            filterType: "include" | "exclude";
            /**
             * @description A result must match any of them. Strings, even if the values are numbers.
             *
             *     A value that no agent of the organisation has ever had gives the warning `UNKNOWN_VALUE`, with a similar value if there is one. The first 1,000 values of a request are checked, of the fields `isp`, `package`, `country`, `agent`, `unit` and custom fields. The check runs beside the query. If it takes longer than 2 seconds, the response has no such warnings.
             */
            filterValues: string[];
        };
        /** @description Both ends are included. `YYYY-MM-DD HH:MM:SS` and `YYYY-MM-DD HH:MM` are in the local time of each agent, without rounding. `YYYY-MM-DD` and `last|next|this <day name>` are days on each agent’s own calendar: 00:00:00 as `from`, 23:59:59 as `to`. `now`, `+x days` and `-x days` are instants, the same for all agents. */
        LocalRange: {
            /** @example -7 days */
            from: string;
            /** @example now */
            to: string;
        };
        TestQuery: {
            /** @description A key of `GET /tests`. */
            test: string;
            date: components["schemas"]["UtcRange"];
        };
        /** @description UTC, both ends included. `YYYY-MM-DD`, `YYYYMMDD`, `YYYY-MM`, `YYYY`, `+x days`, `-x days`, `last|next|this <day name>`, `now`. `from` is rounded down to the start of its period, `to` is rounded up to the end. `now` is today’s midnight as `from` and the current second as `to`. */
        UtcRange: {
            /** @example -7 days */
            from: string;
            /** @example now */
            to: string;
        };
        /** @description The fields of `TestQuery`, and the format of the file. */
        TestDownload: {
            /** @description A key of `GET /tests`. */
            test: string;
            date: components["schemas"]["UtcRange"];
            format?: components["schemas"]["ExportFormat"];
        };
        Ok: {
            /** @enum {string} */
            code: "OK";
            message: string;
            /**
             * @description Present only if there is something to say, such as a field of the request that was ignored. At
             *     most 22.
             */
            warnings?: components["schemas"]["Warning"][];
        };
        Warning: {
            /**
             * @description `LITERAL_VALUE`: a filter value such as `>=30`, which matches only that text. `PERIOD_START`: a `window` on a
             *     metric of published periods. `NO_RESULTS`: the response has no rows; the message says from when to when the
             *     metric has results, or which metrics have some. Such a response has no `ETag`. `MASKED_VALUES`: raw data leaves
             *     out values that the publisher masks.
             * @enum {string}
             */
            code: "UNKNOWN_FIELD" | "UNKNOWN_VALUE" | "LITERAL_VALUE" | "PERIOD_START" | "NO_RESULTS" | "MASKED_VALUES" | "METADATA_BEHIND" | "MORE_WARNINGS";
            /** @description The field of the request, such as `filters[0][id]`. */
            field?: string;
            message: string;
        };
        MetricDataResponse: components["schemas"]["Ok"] & {
            data: {
                metricData: components["schemas"]["MetricPoint"][];
            }[];
        };
        /**
         * @description An aggregated point, whose columns are `metricValue` to `percentiles`, and `dtime` or `aggregatedNumber`; a raw
         *     point: `metricValue`, `dtime`, `agent` and `unit`; or a share of buckets (`overBuckets`): `bucketShare` and
         *     `bucketCount`. It also has one column per split with the value of the group, null if it is unknown.
         *
         *     Points of a request with one of the fields `household` to `householdIntervals`, or of a token with a privacy
         *     floor, have further columns. Their numbers are null if the point is suppressed or all its households are left
         *     out. With a privacy floor, `min` and `max` are always null, and so are other numbers that would
         *     show the value of one household, such as percentiles with fewer agents than the floor on one side.
         */
        MetricPoint: {
            /** @description Mean, in the unit of the metric; for a rate, the ratio of sums. */
            metricValue?: number | null;
            /**
             * @description Start of the bucket in the agents' local time, `YYYY-MM-DDTHH:MM:SS`, or `YYYY-MM-DD` for daily and longer;
             *     only when aggregated by time. Of a raw point, when the test ended, in the agent's local time.
             */
            dtime?: string;
            /** @description Hour of the day (0 to 23), day of the week (1 Monday to 7 Sunday), day of the month, or hour of the week (0 to 167, 0 is Monday 00:00). */
            aggregatedNumber?: number;
            /** @description True if the range or the current time cuts the bucket in at least one time zone of the organisation's agents, so the point has only a part of its results; absent if not. Only when aggregated by time; in NDJSON, CSV and exports `true` or `false` in every row. */
            partial?: boolean;
            /** @description Population standard deviation. */
            stdDev?: number | null;
            /** @description Number of results. */
            sampleCount?: number | null;
            /** @description Number of distinct agents. Null for published percentiles: it is unknown. */
            agentCount?: number | null;
            /** @description Number of distinct units. Null for published percentiles. */
            unitCount?: number | null;
            /** @description Half-width of the 90 % confidence interval of the mean. With `household` or `agent_agg`, households are the sample: null with fewer than two. */
            ci90?: number | null;
            /** @description Half-width of the 95 % confidence interval of the mean. With `household` or `agent_agg`, households are the sample: null with fewer than two. */
            ci95?: number | null;
            /** @description Half-width of the 99 % confidence interval of the mean. With `household` or `agent_agg`, households are the sample: null with fewer than two. */
            ci99?: number | null;
            /** @description Lowest value. */
            min?: number | null;
            /** @description Highest value. */
            max?: number | null;
            /** @description 50th percentile. */
            median?: number | null;
            /** @description Percentiles, linearly interpolated; keys 1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99. */
            percentiles?: {
                [key: string]: number | null;
            };
            /** @description Half-width of the 90 % confidence interval of the mean, with households as the sample. Null with fewer than two. */
            ciHousehold90?: number | null;
            /** @description Half-width of the 95 % confidence interval of the mean, with households as the sample. Null with fewer than two. */
            ciHousehold95?: number | null;
            /** @description Half-width of the 99 % confidence interval of the mean, with households as the sample. Null with fewer than two. */
            ciHousehold99?: number | null;
            /** @description With `householdIntervals`: bounds of the 95 % confidence interval of the median, with households as the sample. A bound beyond the values is null. */
            medianCi95?: (number | null)[];
            /** @description The same of each percentile of `intervalsOf`. */
            percentilesCi95?: {
                [key: string]: (number | null)[];
            };
            /** @description With `weight`: households of equal weight that would give intervals as narrow. */
            effectiveHouseholds?: number | null;
            /** @description With `weight`: `agentCount / effectiveHouseholds`. */
            designEffect?: number | null;
            /** @description With `strata`: strata with only one household, which is compared with all others. */
            singleStrata?: number | null;
            /** @description Of metrics whose published values can be masked: households, or results, of the point that only have a bound. Numbers that depend on their values are null. */
            maskedCount?: number | null;
            /** @description The percentile of percentiles of `consistent`. */
            consistent?: number | null;
            /** @description Share of households or results at or above each threshold, from 0 to 1. */
            shares?: {
                [key: string]: number | null;
            };
            /** @description Share of households or results at or below each threshold, from 0 to 1. */
            sharesAtMost?: {
                [key: string]: number | null;
            };
            /** @description Bounds of the 95 % confidence intervals of `shares`, with households as the sample. Null with fewer than two. Of results only with `householdIntervals`. */
            sharesCi95?: {
                [key: string]: (number | null)[];
            };
            /** @description Bounds of the 95 % confidence intervals of `sharesAtMost`, with households as the sample. Null with fewer than two. Of results only with `householdIntervals`. */
            sharesAtMostCi95?: {
                [key: string]: (number | null)[];
            };
            /** @description Left out of the numbers, by reason: `resultsOfSwitchers`, `resultsExcluded` (if a household is excluded from metrics), `resultsWithoutField` (of `relativeTo`), `resultsWithoutWeight`, `resultsTrimmed`, `householdsBelowMinimum` (with `minResults` or `minDays`), `householdsWithoutValue` (only rows without a value, such as failed tests). */
            leftOut?: {
                [key: string]: number | null;
            };
            /** @description With `coverage`: `expected`, results that the schedule gives for the hours of the expected agents; `received`, results of the point, before any is left out; `agents`, agents whose metadata matched the point in some of its hours; `reporting`, agents with at least one of these results; `share`, `reporting / agents`. */
            coverage?: {
                [key: string]: number | null;
            };
            /** @description Whether the point is suppressed: it has fewer agents than `minAgents` or the privacy floor, or with a floor it would reveal the numbers of such a point. */
            suppressed?: boolean;
            /** @description With `compare`: the numbers of the other side, with its `dtime`. In CSV, a column each: `comparedMetricValue`, `comparedP5`. */
            compared?: components["schemas"]["ComparedPoint"];
            /** @description With `compare`: `metricValue`, here less there; `percent`, the same in percent of there; null if that is 0; `ci90`, half-width of its 90 % confidence interval, with households as the sample; `ci95`, half-width of its 95 % confidence interval, with households as the sample; `ci99`, half-width of its 99 % confidence interval, with households as the sample; `p`, probability of a difference at least as large by chance, if there is none (two-sided); `pAdjusted`, the same for all points of the response together, adjusted by Benjamini and Hochberg; null if only one has a `p`; `df`, degrees of freedom; `median`, median here less median there; `medianCi95`, bounds of the 95 % confidence interval of the difference of the medians; `reason`, why there is no `p`: `suppressed`, a side is suppressed, or the privacy floor hides the difference or its error; `noComparedValue`, a side has no value; `masked`, a side has masked values; `preAggregated`, only published percentiles are known, not the results behind them; `fewHouseholds`, a side has fewer than two households; `noReplicates`, with `weightReplicates`: a household has no replicate weights, the sides have other numbers of them, or a replicate has no household; `noVariance`, the difference has no variance. */
            difference?: {
                metricValue?: number | null;
                percent?: number | null;
                ci90?: number | null;
                ci95?: number | null;
                ci99?: number | null;
                p?: number | null;
                pAdjusted?: number | null;
                df?: number | null;
                median?: number | null;
                medianCi95?: (number | null)[];
                /** @enum {string|null} */
                reason?: "suppressed" | "noComparedValue" | "masked" | "preAggregated" | "fewHouseholds" | "noReplicates" | "noVariance" | null;
            };
            /** @description With `compare`, agents that count in the point: `both`, on both sides; `onlyHere`, only here; `onlyThere`, only there. */
            households?: {
                [key: string]: number | null;
            };
            /** @description With another time in `compare`, what the difference consists of: `joined`, households that are only here; `left`, households that are only there; `samePlan`, other values of households on both sides with the same ISP and package; `changedPlan`, other values of households on both sides with another ISP or package; `reweighted`, other weights of households on both sides. `samePlan` and `changedPlan` are null with a privacy floor that hides them. */
            change?: {
                [key: string]: number | null;
            };
            /** @description Of a raw point, or with that split. */
            agent?: string;
            /** @description Of a raw point, or with that split. Agents that are not units, such as phones, have an empty one in raw points, and null with the split. */
            unit?: string | null;
            /** @description Share of the buckets that reach the threshold, from 0 to 1. */
            bucketShare?: number;
            /** @description Number of buckets. */
            bucketCount?: number;
        } & {
            [key: string]: unknown;
        };
        TestDataResponse: components["schemas"]["Ok"] & {
            data: components["schemas"]["TestRow"][];
        };
        /** @description Also has the columns of the test. */
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
            [key: string]: unknown;
        };
        ExplanationResponse: components["schemas"]["Ok"] & {
            data: components["schemas"]["Explanation"];
        };
        Explanation: {
            /** @description The query with placeholders such as `{organisation:UInt32}`. */
            sql: string;
            /** @description The values bound to the placeholders, by name. */
            params: {
                [key: string]: {
                    /** @description ClickHouse type, such as `Array(String)`. */
                    type: string;
                    /** @description As ClickHouse's HTTP interface takes it as `param_<name>`. */
                    value: string;
                };
            };
            /** @description The query with inlined values and the database of its tables, to paste into a ClickHouse client. */
            inlined: string;
            /** @description The settings of the query, including limits. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Present if the request names a method. */
            method?: {
                key: string;
                /** @description Where the regulator describes the method. */
                source: string;
                /** @description What the method stands for with this metric. Fields of the request win. */
                fields: {
                    [key: string]: unknown;
                };
            };
            /** @description What the query would read, estimated from the primary key without reading any rows. */
            estimate: {
                parts: number;
                marks: number;
                rows: number;
                /** @description Uncompressed bytes of the needed columns. */
                bytes: number;
                /** @description How many of the concurrent queries of the organisation this query counts as. */
                slots: number;
            };
        };
        MetricsResponse: components["schemas"]["Ok"] & {
            data: components["schemas"]["Metric"][];
        };
        Metric: {
            key: string;
            /** @description For people. */
            name: string;
            unit: string;
            /**
             * @description Which of two values is better for the household; null if neither is, as for traffic.
             * @enum {string|null}
             */
            better: "higher" | "lower" | null;
            /** @description What it measures, and the rule of its prefilter. */
            description: string;
            /** @description Further words for searches. */
            keywords: string[];
            /** @description Other names of the metric. */
            aliases: string[];
            /** @description The test whose results it uses. */
            test: string;
            chartTypes: ("raw" | "aggregate")[];
            /** @description SQL over the columns of the test. */
            madeOf: {
                /** @description The value of one result. */
                value?: string;
                /** @description Numerator of a rate, which is a ratio of sums. */
                numerator?: string;
                /** @description Denominator of a rate. */
                denominator?: string;
                /** @description Condition for a row to be a result of this metric. */
                results: string;
                /** @description Condition for a result to pass the prefilter. */
                prefilter: string;
                /** @description Length of the blocks of the local day for `normalised`, in hours. */
                everyHours: number;
            };
            splits: string[];
            filters: string[];
            /**
             * Format: date
             * @description Local day of the first result that your organisation has of this metric; null without results. While results arrive, this and the following fields can be one minute old.
             */
            from: string | null;
            /**
             * Format: date
             * @description Local day of the last result.
             */
            to: string | null;
            /** @description Agents with a result in the last 28 UTC days up to the last result. With a privacy floor, null below it, and so are `from` and `to`. */
            households: number | null;
            /** @description Those of them with a result in the last 7 of these days. With a privacy floor, null below it. */
            reportingHouseholds: number | null;
        };
        Split: {
            id: string;
            /** @description For people; of a custom field, its key. */
            name: string;
            description: string;
            /**
             * @description Type of the values in responses. Filters always use strings.
             * @enum {string}
             */
            type: "string" | "number" | "any";
            /** @description Whether it is a custom metadata field of the organisation. */
            custom: boolean;
            /** @description Whether it has weights of households, from `netpanel weights rake` or a published panel. */
            weight: boolean;
            /** @description Whether `GET /region-map` has its regions. */
            map: boolean;
            /** @description The metrics that have this field. */
            metrics: string[];
        };
        RegionMap: {
            /** @description Its values are the names of the regions, as in `GET /splits`. */
            field: string;
            regions: {
                name: string;
                /** @description Each is an outline and its holes. */
                polygons: number[][][][];
            }[];
        };
        NewRegionMap: {
            /** @description A field of `GET /splits` whose values are the names of the regions. It must not identify a household. */
            field: string;
            /**
             * @description The property of a feature that has the region's name.
             * @default name
             */
            property?: string | null;
            /** @description A GeoJSON FeatureCollection with 1 to 2,000 features. */
            map: Record<string, never>;
        };
        SplitsResponse: components["schemas"]["Ok"] & {
            data: components["schemas"]["Split"][];
        };
        FiltersResponse: components["schemas"]["Ok"] & {
            data: (components["schemas"]["Split"] & {
                filterTypes: ("include" | "exclude")[];
                /**
                 * @description Link to the values of this field: a URL under `PUBLIC_URL` of the service, or a path if that
                 *     is not set.
                 */
                values: string;
            })[];
        };
        StringsResponse: components["schemas"]["Ok"] & {
            data: string[];
        };
        FilterValuesResponse: components["schemas"]["StringsResponse"] & {
            /**
             * @description Link to the next page, present only if there is one: a URL under `PUBLIC_URL` of the service, or a path
             *     if that is not set.
             */
            next?: string;
        };
        TestsResponse: components["schemas"]["StringsResponse"] & {
            /** @description The name of each test, for people. */
            names: {
                [key: string]: string;
            };
        };
        ErrorResponse: {
            /** @enum {string} */
            code: "BAD_REQUEST" | "ACCESS_DENIED" | "INSUFFICIENT_SCOPE" | "PRIVACY_FLOOR" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EXPORT_CANCELLED" | "EXPORT_ERASED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "VALIDATION_FAIL" | "RATE_LIMITED" | "UNKNOWN_ERROR" | "SERVICE_UNAVAILABLE" | "QUERY_TIMEOUT";
            message: string;
            /** @description Field path to messages. */
            errors?: {
                [key: string]: string[];
            };
        };
        /**
         * @description The same as `shares`, with the share of households at or below each threshold: for metrics of which less is better, such as latency.
         * @example {
         *       "thresholds": [
         *         25,
         *         50,
         *         100
         *       ]
         *     }
         */
        SharesAtMost: {
            thresholds: number[];
            /**
             * @description Shares of `results` are possible without `household` only. Default: `households`.
             * @enum {string|null}
             */
            of?: "households" | "results" | null;
        } | null;
        /**
         * @description How percentiles over households are computed. `linear` interpolates between two households. `lower` is the smallest value at or below which a household lies with that share of the weights, and `average` is the mean of that value and the next one if they are exactly that share, as statistical offices and the R package survey compute them (`math`, `school`). `lower` and `average` need `household`. Default: `linear`.
         * @enum {string|null}
         */
        PercentileRule: "linear" | "lower" | "average" | null;
        /**
         * @description `both`: per point only households that have a value on both sides. Default: `all`.
         * @enum {string|null}
         */
        ComparedAgents: "all" | "both" | null;
        /**
         * @description Compares each point with that of the same request with these fields in place of its own: another `time` or other `times`, all `filters`, the `window`, `knownAt`; or with all other series together (`to`). Points pair by split values and bucket; buckets of another time in their order, for which both times must be whole local days with as many buckets. Adds `compared`, `difference`, `households` and, with another time, `change`. Not with `overBuckets`, `coverage` or `strata`. Defined in docs/comparisons.md.
         * @example {
         *       "time": {
         *         "from": "2025-10-01",
         *         "to": "2025-10-31"
         *       }
         *     }
         */
        Compare: {
            time?: components["schemas"]["LocalRange"];
            /** @description Several ranges instead of `time`. A result of two ranges counts once. */
            times?: components["schemas"]["LocalRange"][] | null;
            /** @description A result must match all filters. */
            filters?: components["schemas"]["Filter"][] | null;
            window?: components["schemas"]["LocalWindow"];
            knownAt?: components["schemas"]["KnownAt"];
            /**
             * @description `"rest"`: each series with all results of the other series of the response together. Not with other fields than `agents`.
             * @enum {string|null}
             */
            to?: "rest" | null;
            agents?: components["schemas"]["ComparedAgents"];
        } | null;
        /** @description The numbers of the other side of a comparison, as in `MetricPoint`. */
        ComparedPoint: {
            dtime?: string;
            metricValue?: number | null;
            stdDev?: number | null;
            sampleCount?: number | null;
            agentCount?: number | null;
            unitCount?: number | null;
            ci90?: number | null;
            ci95?: number | null;
            ci99?: number | null;
            min?: number | null;
            max?: number | null;
            median?: number | null;
            percentiles?: {
                [key: string]: number | null;
            };
            ciHousehold90?: number | null;
            ciHousehold95?: number | null;
            ciHousehold99?: number | null;
            medianCi95?: (number | null)[];
            percentilesCi95?: {
                [key: string]: (number | null)[];
            };
            effectiveHouseholds?: number | null;
            designEffect?: number | null;
            singleStrata?: number | null;
            maskedCount?: number | null;
            consistent?: number | null;
            shares?: {
                [key: string]: number | null;
            };
            sharesAtMost?: {
                [key: string]: number | null;
            };
            sharesCi95?: {
                [key: string]: (number | null)[];
            };
            sharesAtMostCi95?: {
                [key: string]: (number | null)[];
            };
            leftOut?: {
                [key: string]: number | null;
            };
            coverage?: {
                [key: string]: number | null;
            };
            suppressed?: boolean;
        };
    };
    responses: {
        /** @description The link to the file, which is ready or is being made. */
        CsvFile: {
            headers: {
                "X-Query-Id": components["headers"]["QueryId"];
                "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Ok"] & {
                    data: components["schemas"]["CsvFile"];
                };
            };
        };
        /** @description The link to the file, which is in the object store or is being made. */
        DownloadFile: {
            headers: {
                "X-Query-Id": components["headers"]["QueryId"];
                "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Ok"] & {
                    data: components["schemas"]["DownloadFile"];
                };
            };
        };
        /** @description The export is running. Poll the status link until `status` is `ready`, or request `url`, which waits for the file. */
        ExportStarted: {
            headers: {
                "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                /** @description The status link. */
                Location?: string;
                /** @description `respond-async` */
                "Preference-Applied"?: string;
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExportStartedResponse"];
            };
        };
        /** @description The export. */
        ExportStatus: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExportResponse"];
            };
        };
        /** @description The export does not exist or belongs to another organisation, or its file was deleted. For a link: or the export has failed, and the message has the reason. Export records are kept for 90 days after the link has expired. */
        ExportNotFound: {
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The export was cancelled with `DELETE /exports/{id}` before its file was complete. */
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A household of the organisation was erased after the export was made. All earlier files of the organisation are deleted, because they may contain its results. */
        ExportErased: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "EXPORT_ERASED",
                 *       "message": "The export was deleted, because it may contain an erased household. Please start it again."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Your organisation does not have the view. */
        ViewNotFound: {
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Your organisation has no map. */
        RegionMapNotFound: {
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The field is unknown, or the map breaks a rule, which the message names with the place in the map. */
        InvalidRegionMap: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "map": [
                 *           "The map features[0].geometry must be a Polygon or a MultiPolygon, not Point."
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The name or the state is missing, too long or invalid, the name is used, or the organisation has 200 views. */
        InvalidView: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "VALIDATION_FAIL",
                 *       "message": "Validation failed",
                 *       "errors": {
                 *         "name": [
                 *           "Your organisation has a view with this name. Choose another name, or delete that view."
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The organisation, or all of them together, have reached the maximum number of running exports, or the
         *     organisation's export files have reached their maximum size.
         */
        TooManyExports: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "RATE_LIMITED",
                 *       "message": "Your organisation already has 3 running exports, the maximum. Please retry when one has ended."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description A rate limit is exceeded, or the organisation has the maximum number of downloads that wait for a running
         *     export.
         */
        TooManyDownloads: {
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
                 *       "message": "Your organisation already has 20 downloads that wait for a running export, the maximum. Please retry shortly."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The export is still running: request the same link again. Or a database or the object store is unreachable. */
        FileNotReady: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "SERVICE_UNAVAILABLE",
                 *       "message": "The file is still being made. Please request the same link again."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The response that the client has is current. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The link is invalid or has expired. */
        InvalidLink: {
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The file. */
        File: {
            headers: {
                "Netpanel-Clock": components["headers"]["Clock"];
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
                "application/gzip": unknown;
                "application/vnd.apache.parquet": unknown;
            };
        };
        /** @description The requested bytes. */
        PartialContent: {
            headers: {
                "Content-Range"?: string;
                "Netpanel-Clock": components["headers"]["Clock"];
                [name: string]: unknown;
            };
            content: {
                "text/csv": string;
                "application/gzip": unknown;
                "application/vnd.apache.parquet": unknown;
            };
        };
        /** @description The range starts after the end of the file. */
        RangeNotSatisfiable: {
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
                "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExplanationResponse"];
            };
        };
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
                "application/json": components["schemas"]["ErrorResponse"];
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The token is missing, unknown, expired or revoked, or does not have the scope of the operation. Or it has a
         *     privacy floor, and the request asks for raw data, for a field that identifies a household, or for an export
         *     that was made with a smaller floor.
         */
        AccessDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The resource does not exist for your organisation. */
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is larger than `MAX_BODY_BYTES`. */
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
                "application/json": components["schemas"]["ErrorResponse"];
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request is invalid or exceeds a limit. `errors` lists each field and what to send instead. */
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
                 *         "filters[0][id]": [
                 *           "Unknown field \"packge\". Did you mean \"package\"?"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A rate limit is exceeded, or the organisation, or all of them together, have the maximum number of running queries or listings. */
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
                 *       "message": "Your organisation already has 8 running queries, the maximum. Please retry shortly."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description A database or the object store is unreachable, or queries do not use the metadata version that the request
         *     demands yet.
         */
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
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The query timed out. */
        QueryTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "QUERY_TIMEOUT",
                 *       "message": "The query timed out. Send a shorter range or fewer splits."
                 *     }
                 */
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description Only entries whose key, name, description or keywords contain every word, such as `packet loss` or `bufferbloat`.
         * @example phone
         */
        ListingSearch: string;
        /** @description The `ETag` of an earlier response to the same request. If it is still current, the response is 304. */
        IfNoneMatch: string;
        /** @description With `no-cache` the answer is computed, also if it is stored. */
        CacheControl: string;
        /**
         * @description The version of your organisation's metadata that the response must use, from the header of the same name of
         *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
         *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
         */
        MetadataVersion: string;
        /**
         * @description With `respond-async` the response is 202 immediately, with the link and the status of the export.
         * @example respond-async
         */
        Prefer: string;
        /** @description Expiry of the link, as a UNIX timestamp. */
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
                 *         "from": "-30 days",
                 *         "to": "now"
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
                 *         "from": "-30 days",
                 *         "to": "now"
                 *       },
                 *       "format": "parquet"
                 *     }
                 */
                "application/json": components["schemas"]["TestDownload"];
            };
        };
    };
    headers: {
        /**
         * @description The version of your organisation's metadata that the response has used. The query saw at least this version:
         *     the changes whose `PUT /metadata` returned this version or a lower one.
         */
        MetadataVersion: number;
        /** @description A weak entity tag, another one whenever the map changes. Send it as `If-None-Match`. */
        RegionMapTag: string;
        /** @description The clock of the times in the response. `agent-local` is the local time of each agent. */
        Clock: "agent-local" | "UTC";
        /**
         * @description The warnings of a response without an envelope (NDJSON, CSV), as in `warnings` of the JSON response: a JSON
         *     array of at most 4 KB, other characters than ASCII as `\uXXXX`.
         */
        Warnings: string;
        /**
         * @description A strong entity tag: the response stays the same while the tag does. It changes with results and metadata that
         *     the response depends on. Send it as `If-None-Match`. Absent if ClickHouse is a cluster, and from a response
         *     without `If-None-Match` whose results changed shortly before.
         */
        ETag: string;
        /**
         * @description How much of an aggregate was stored: all (`hit`), some (`partial`) or nothing (`miss`). A stored answer is used
         *     only while results and metadata are the same. Absent if nothing may be stored.
         */
        Cache: "hit" | "partial" | "miss";
        /** @description `gzip` or `br` if the client accepts it in `Accept-Encoding` and the response has at least 1 KB. */
        ContentEncoding: "gzip" | "br";
        /** @description `Accept, Accept-Encoding` */
        Vary: string;
        /** @description The `query_id` of the ClickHouse query, as in `system.query_log`. */
        QueryId: string;
        /** @description The client's `X-Request-Id`, or a new one. */
        RequestId: string;
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
    postMetricData: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
                /** @description The `ETag` of an earlier response to the same request. If it is still current, the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description With `no-cache` the answer is computed, also if it is stored. */
                "Cache-Control"?: components["parameters"]["CacheControl"];
            };
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
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    "Netpanel-Clock": components["headers"]["Clock"];
                    "Netpanel-Warnings": components["headers"]["Warnings"];
                    ETag: components["headers"]["ETag"];
                    "X-Netpanel-Cache": components["headers"]["Cache"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricDataResponse"];
                    /**
                     * @example {"isp":"Northwave","metricValue":93.5,"dtime":"2026-01-01","stdDev":4.1,"sampleCount":12,"partial":false}
                     *     {"isp":"Northwave","metricValue":94.25,"dtime":"2026-01-02","stdDev":3.5,"sampleCount":12,"partial":false}
                     */
                    "application/x-ndjson": string;
                    /**
                     * @example "isp","metricValue","dtime","stdDev","sampleCount","partial"
                     *     "Northwave",93.5,"2026-01-01",4.1,12,false
                     */
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
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
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricQuery"];
        responses: {
            200: components["responses"]["Explanation"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
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
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
                /** @description The `ETag` of an earlier response to the same request. If it is still current, the response is 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestQuery"];
        responses: {
            /** @description The rows. The columns depend on the test; the common ones come first. */
            200: {
                headers: {
                    "X-Query-Id": components["headers"]["QueryId"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Netpanel-Metadata-Version": components["headers"]["MetadataVersion"];
                    "Netpanel-Clock": components["headers"]["Clock"];
                    "Netpanel-Warnings": components["headers"]["Warnings"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": [
                     *         {
                     *           "base": "NP-Whitebox 7",
                     *           "ddate": "2026-01-01",
                     *           "dtime": "2026-01-01 04:13:09.120",
                     *           "agent_id": "wb-0002-2ffa8b",
                     *           "unit_id": 100002,
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
                    "application/json": components["schemas"]["TestDataResponse"];
                    /** @example {"base":"wb8","ddate":"2026-01-01","dtime":"2026-01-01 04:13:09.120","agent_id":"a-1001","unit_id":1001} */
                    "application/x-ndjson": string;
                    /**
                     * @example "base","ddate","dtime","agent_id","unit_id"
                     *     "wb8","2026-01-01","2026-01-01 04:13:09.120","a-1001",1001
                     */
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
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
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestQuery"];
        responses: {
            200: components["responses"]["Explanation"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
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
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
                /**
                 * @description With `respond-async` the response is 202 immediately, with the link and the status of the export.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricQuery"];
        responses: {
            200: components["responses"]["CsvFile"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ExportCancelled"];
            410: components["responses"]["ExportErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["TooManyExports"];
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
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
                /**
                 * @description With `respond-async` the response is 202 immediately, with the link and the status of the export.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestQuery"];
        responses: {
            200: components["responses"]["CsvFile"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ExportCancelled"];
            410: components["responses"]["ExportErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["TooManyExports"];
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
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
                /**
                 * @description With `respond-async` the response is 202 immediately, with the link and the status of the export.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["MetricDownload"];
        responses: {
            200: components["responses"]["DownloadFile"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ExportCancelled"];
            410: components["responses"]["ExportErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["TooManyExports"];
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
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
                /**
                 * @description With `respond-async` the response is 202 immediately, with the link and the status of the export.
                 * @example respond-async
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestDownload"];
        responses: {
            200: components["responses"]["DownloadFile"];
            202: components["responses"]["ExportStarted"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["ExportCancelled"];
            410: components["responses"]["ExportErased"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["TooManyExports"];
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
                /** @description The id in the response that started the export. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportStatus"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["ExportNotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id in the response that started the export. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ExportStatus"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["ExportNotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCsv: {
        parameters: {
            query: {
                /** @description Expiry of the link, as a UNIX timestamp. */
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
            206: components["responses"]["PartialContent"];
            403: components["responses"]["InvalidLink"];
            404: components["responses"]["ExportNotFound"];
            409: components["responses"]["ExportCancelled"];
            410: components["responses"]["ExportErased"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyDownloads"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["FileNotReady"];
        };
    };
    getObject: {
        parameters: {
            query: {
                /** @description Expiry of the link, as a UNIX timestamp. */
                expires: components["parameters"]["Expires"];
                signature: components["parameters"]["Signature"];
            };
            header?: never;
            path: {
                /** @description The key, including slashes. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["File"];
            206: components["responses"]["PartialContent"];
            403: components["responses"]["InvalidLink"];
            404: components["responses"]["ExportNotFound"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
        };
    };
    getMetrics: {
        parameters: {
            query?: {
                /**
                 * @description Only entries whose key, name, description or keywords contain every word, such as `packet loss` or `bufferbloat`.
                 * @example phone
                 */
                search?: components["parameters"]["ListingSearch"];
            };
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
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
                     *       "data": [
                     *         {
                     *           "key": "httpget",
                     *           "name": "Download speed",
                     *           "unit": "mbps",
                     *           "better": "higher",
                     *           "description": "Download speed over HTTP. The prefilter keeps speeds above 0 and up to 100 Gbit/s.",
                     *           "keywords": [
                     *             "broadband speed",
                     *             "throughput"
                     *           ],
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
                     *           ],
                     *           "from": "2026-06-01",
                     *           "to": "2026-11-17",
                     *           "households": 160,
                     *           "reportingHouseholds": 156
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MetricsResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTests: {
        parameters: {
            query?: {
                /**
                 * @description Only the tests of this kind of agents; default both kinds.
                 * @example mobile
                 */
                agents?: "units" | "mobile";
                /**
                 * @description Only entries whose key, name, description or keywords contain every word, such as `packet loss` or `bufferbloat`.
                 * @example phone
                 */
                search?: components["parameters"]["ListingSearch"];
            };
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test keys, and the name of each. */
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
                     *       "data": [
                     *         "httpget",
                     *         "httppost",
                     *         "dns"
                     *       ],
                     *       "names": {
                     *         "httpget": "Download speed",
                     *         "httppost": "Upload speed",
                     *         "dns": "DNS"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TestsResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSplits: {
        parameters: {
            query?: {
                /**
                 * @description Only entries whose key, name, description or keywords contain every word, such as `packet loss` or `bufferbloat`.
                 * @example phone
                 */
                search?: components["parameters"]["ListingSearch"];
                /** @description Only custom fields with numbers, which `relativeTo` and `weight` take. */
                numeric?: boolean;
            };
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The standard fields, the fields of individual metrics, and the organisation's custom fields. */
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
                     *       "data": [
                     *         {
                     *           "id": "isp",
                     *           "name": "ISP",
                     *           "description": "ISP of the household",
                     *           "type": "string",
                     *           "custom": false,
                     *           "weight": false,
                     *           "map": false,
                     *           "metrics": [
                     *             "httpget",
                     *             "httppost"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SplitsResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFilters: {
        parameters: {
            query?: {
                /**
                 * @description Only entries whose key, name, description or keywords contain every word, such as `packet loss` or `bufferbloat`.
                 * @example phone
                 */
                search?: components["parameters"]["ListingSearch"];
            };
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The same fields as in `GET /splits`, each with a link to its values for autocomplete. */
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
                     *       "data": [
                     *         {
                     *           "id": "isp",
                     *           "name": "ISP",
                     *           "description": "ISP of the household",
                     *           "type": "string",
                     *           "custom": false,
                     *           "weight": false,
                     *           "map": false,
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
                    "application/json": components["schemas"]["FiltersResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFilterValues: {
        parameters: {
            query?: {
                /**
                 * @description Only values that contain every word of it, in any case: `wave` finds `Northwave`, `fibre north` finds
                 *     `Northwave:Fibre 100`. There are no wildcards. Ids of agents are also found without their punctuation.
                 * @example wave
                 */
                search?: string;
                /**
                 * @description With `to`: only values of this time, in the formats of `time` in `POST /metric_data`. Metadata is listed
                 *     if an agent had it in this time, every other field if a result of this time has it.
                 */
                from?: string;
                /** @description The end of the time; see `from`. */
                to?: string;
                /** @description Maximum number of values per page. */
                limit?: number;
                /**
                 * @description The last value of the previous page. Use the link `next` of a page instead of building it. Values that
                 *     are added or removed between two pages do not shift them.
                 */
                after?: string;
            };
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path: {
                /**
                 * @description A field of `GET /filters`. A custom field can always be named `custom.<key>`.
                 * @example isp
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values as strings, as used in filters. */
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
                     *         "Northwave"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FilterValuesResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
            504: components["responses"]["QueryTimeout"];
        };
    };
    getViews: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views. */
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
                     *           "id": "0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11",
                     *           "name": "Download speed by ISP",
                     *           "createdAt": "2026-11-16T09:30:12.123Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["ListedView"][];
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    postView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Download speed by ISP",
                 *       "state": "metric=httpget&split=isp"
                 *     }
                 */
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description The saved view. */
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
                     *         "id": "0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11",
                     *         "name": "Download speed by ISP",
                     *         "createdAt": "2026-11-16T09:30:12.123Z",
                     *         "state": "metric=httpget&split=isp"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ViewResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidView"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getView: {
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
            /** @description The view. */
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
                     *         "id": "0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11",
                     *         "name": "Download speed by ISP",
                     *         "createdAt": "2026-11-16T09:30:12.123Z",
                     *         "state": "metric=httpget&split=isp"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ViewResponse"];
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["ViewNotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteView: {
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
            /** @description The view was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The view was deleted"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        code: "OK";
                        message: string;
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["ViewNotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    patchView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Download speed by provider"
                 *     }
                 */
                "application/json": components["schemas"]["ViewName"];
            };
        };
        responses: {
            /** @description The renamed view. */
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
                     *         "id": "0f5a0f9c-6c0b-4a55-9d1a-5b1f0b7a3c11",
                     *         "name": "Download speed by provider",
                     *         "createdAt": "2026-11-16T09:30:12.123Z",
                     *         "state": "metric=httpget&split=isp"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ViewResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["ViewNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidView"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getRegionMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The map. */
            200: {
                headers: {
                    ETag: components["headers"]["RegionMapTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": {
                     *         "field": "region",
                     *         "regions": [
                     *           {
                     *             "name": "north",
                     *             "polygons": [
                     *               [
                     *                 [
                     *                   [
                     *                     0,
                     *                     0
                     *                   ],
                     *                   [
                     *                     1,
                     *                     0
                     *                   ],
                     *                   [
                     *                     1,
                     *                     1
                     *                   ],
                     *                   [
                     *                     0,
                     *                     0
                     *                   ]
                     *                 ]
                     *               ]
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        code: "OK";
                        message: string;
                        data: components["schemas"]["RegionMap"];
                    };
                };
            };
            /** @description The client has this map already. */
            304: {
                headers: {
                    ETag: components["headers"]["RegionMapTag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["RegionMapNotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putRegionMap: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The version of your organisation's metadata that the response must use, from the header of the same name of
                 *     `PUT /metadata`: the request sees that change. It waits up to `METADATA_WAIT_MS` (5 seconds) until queries use
                 *     this version. Then the response is 503 with `Retry-After`. A version that does not exist is 422.
                 */
                "Netpanel-Metadata-Version"?: components["parameters"]["MetadataVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "field": "region",
                 *       "map": {
                 *         "type": "FeatureCollection",
                 *         "features": [
                 *           {
                 *             "type": "Feature",
                 *             "properties": {
                 *               "name": "north"
                 *             },
                 *             "geometry": {
                 *               "type": "Polygon",
                 *               "coordinates": [
                 *                 [
                 *                   [
                 *                     0,
                 *                     0
                 *                   ],
                 *                   [
                 *                     1,
                 *                     0
                 *                   ],
                 *                   [
                 *                     1,
                 *                     1
                 *                   ],
                 *                   [
                 *                     0,
                 *                     0
                 *                   ]
                 *                 ]
                 *               ]
                 *             }
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewRegionMap"];
            };
        };
        responses: {
            /** @description The map was stored. */
            200: {
                headers: {
                    ETag: components["headers"]["RegionMapTag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The request was successful",
                     *       "data": {
                     *         "field": "region",
                     *         "regions": 1,
                     *         "unknownRegions": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        code: "OK";
                        message: string;
                        data: {
                            field: string;
                            /** @description Number of regions. */
                            regions: number;
                            /** @description Regions whose name no agent has or had, at most 20. */
                            unknownRegions: string[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["AccessDenied"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRegionMap"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteRegionMap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The map was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "OK",
                     *       "message": "The map was deleted"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        code: "OK";
                        message: string;
                    };
                };
            };
            403: components["responses"]["AccessDenied"];
            404: components["responses"]["RegionMapNotFound"];
            422: components["responses"]["ValidationFail"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["UnknownError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
