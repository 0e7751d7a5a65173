# Metric data in R by plain HTTP, without a package of netpanel. Needs httr2 0.2 or later, and jsonlite.
#
#   set -a; . .local/env; set +a
#   Rscript clients/r/metric_data.R
library(httr2)

token <- Sys.getenv("DATA_TOKEN", unset = Sys.getenv("DEMO_DATA_TOKEN"))

# CSV is flat: one row per point, a column per split, percentiles as p1 to p99.
metric_data <- function(...) {
  response <- request(Sys.getenv("QUERY_URL")) |>
    req_url_path("/metric_data") |>
    req_auth_bearer_token(token) |>
    req_headers(Accept = "text/csv") |>
    req_body_json(list(...)) |>
    # 429 and 503 have Retry-After, which httr2 obeys.
    req_retry(max_tries = 5) |>
    # The API's own words instead of "HTTP 422".
    req_error(body = function(response) {
      body <- resp_body_json(response)
      c(paste0(body$code, ": ", body$message), paste0(names(body$errors), ": ", unlist(body$errors)))
    }) |>
    req_perform()
  # Such as a misspelled field, which the service ignores.
  sent <- resp_header(response, "Netpanel-Warnings")
  for (warning in if (!is.null(sent)) jsonlite::fromJSON(sent, simplifyVector = FALSE)) {
    warning(warning$code, ": ", warning$message, call. = FALSE)
  }
  resp_body_string(response) |>
    textConnection() |>
    read.csv()
}

speeds <- metric_data(
  metric = "httpget", chartType = "aggregate", aggregation = "total",
  normalised = FALSE, prefilter = TRUE, splits = list("isp"),
  time = list(from = "2026-11-01", to = "2026-11-07")
)
print(speeds[c("isp", "metricValue", "median", "sampleCount")], digits = 4)
