# The numbers of a point, computed by the package survey from the raw data of the households. `d` has a row per result
# and a column per split; the names of the numbers are those of the API.
suppressPackageStartupMessages(library(survey))
# A stratum with one household adds its own square.
options(survey.lonely.psu = "adjust")

percents <- c(1, 5, 10, 20, 25, 50, 75, 80, 90, 95, 99)

# Designs -------------------------------------------------------------------------------------------------------------

equal <- function(d, strata = NULL, ids = ~1) {
  svydesign(ids = ids, strata = strata, weights = rep(1, nrow(d)), data = d)
}

# A household without a weight above 0 is not part of the sample.
weighted <- function(d, weight, strata = NULL) {
  d <- d[!is.na(d[[weight]]) & d[[weight]] > 0, ]
  svydesign(ids = ~1, strata = strata, weights = d[[weight]], data = d)
}

percentOfPlan <- function(d) {
  plan <- d$custom.advertised_download_mbps
  transform(d, metricValue = 100 * metricValue / plan)[!is.na(plan) & plan > 0, ]
}

# Means ---------------------------------------------------------------------------------------------------------------

# `name`: ci of households, ciHousehold of results.
means <- function(design, name = "ci") {
  mean <- svymean(~metricValue, design)
  n <- nrow(design)
  # svyvar divides by n - 1.
  variance <- as.numeric(coef(svyvar(~metricValue, design))) * (n - 1) / n
  levels <- c(0.90, 0.95, 0.99)
  halfWidths <- lapply(levels, function(level) {
    as.numeric(diff(confint(mean, level = level, df = degf(design))[1, ])) / 2
  })
  names(halfWidths) <- paste0(name, 100 * levels)
  c(list(metricValue = as.numeric(coef(mean)), stdDev = sqrt(variance)), halfWidths)
}

designEffect <- function(design) {
  w <- weights(design)
  effective <- sum(w)^2 / sum(w^2)
  list(agentCount = length(w), effectiveHouseholds = effective, designEffect = length(w) / effective)
}

# svyby treats a group as a domain of the whole sample, with n / (n - 1) of all households in its variance, and a point
# of the API its households as a sample of their own.
groups <- function(design, by) {
  group <- model.frame(by, model.frame(design))[[1]]
  n <- nrow(design)
  means <- svyby(~metricValue, by, design, svymean)
  medians <- svyby(~metricValue, by, design, svyquantile, quantiles = 0.5, qrule = "math")
  lapply(split(means, means[[1]]), function(row) {
    a <- sum(group == row[[1]])
    own <- sqrt(a / (a - 1) / (n / (n - 1)))
    list(
      metricValue = row$metricValue,
      median = medians$metricValue[medians[[1]] == row[[1]]],
      ci95 = qt(0.975, a - 1) * row$se * own,
      agentCount = a
    )
  })
}

# Percentiles ---------------------------------------------------------------------------------------------------------

percentiles <- function(at) {
  list(median = at(0.5), percentiles = setNames(lapply(percents / 100, at), percents))
}

# Rules, as functions of p: "math" is `lower`, "school" is `average`.
surveyRule <- function(design, qrule) {
  function(p) as.numeric(svyquantile(~metricValue, design, p, qrule = qrule, ci = FALSE)[[1]])
}
type7 <- function(d) {
  function(p) as.numeric(quantile(d$metricValue, p, type = 7))
}
# survey has no rule like `linear` with weights, so this is its definition in base R.
midpoints <- function(design) {
  w <- weights(design)[order(design$variables$metricValue)]
  x <- sort(design$variables$metricValue)
  middle <- cumsum(w) - w / 2
  place <- (middle - middle[1]) / (middle[length(w)] - middle[1])
  function(p) approx(place, x, p)$y
}

# Woodruff's interval as oldsvyquantile has it, around p; for the rule `lower`.
woodruffOfSurvey <- function(design, wanted) {
  bounds <- oldsvyquantile(~metricValue, design, wanted / 100, ci = TRUE, method = "constant", f = 1)$CIs
  intervals(wanted, function(percent) {
    bounds[, match(percent, wanted), 1]
  })
}

# The same from its parts, for other rules: the standard error of the share of households up to the percentile.
woodruff <- function(design, at, wanted) {
  intervals(wanted, function(percent) {
    p <- percent / 100
    q <- at(p)
    share <- svymean(~below, update(design, below = as.numeric(metricValue <= q + 1e-9)))
    bounds <- p + c(-1, 1) * qt(0.975, degf(design)) * as.numeric(SE(share))
    ifelse(bounds < 0 | bounds > 1, NA, sapply(pmin(pmax(bounds, 0), 1), at))
  })
}

intervals <- function(wanted, boundsOf) {
  list(percentilesCi95 = setNames(lapply(wanted, function(percent) {
    bounds <- as.numeric(boundsOf(percent))
    list(low = bounds[1], high = bounds[2])
  }), wanted))
}

# svyquantile's own interval is around the observed share of households up to the median, not around a half. Both are
# the same where the share is a half: an even number of households of equal weight without ties in the middle.
medianInterval <- function(design, qrule) {
  row <- svyquantile(~metricValue, design, 0.5, qrule = qrule, interval.type = "mean")[[1]]
  list(median = row[[1]], medianCi95 = list(low = row[[2]], high = row[[3]]))
}

# Shares --------------------------------------------------------------------------------------------------------------

shares <- function(design, from = NULL, to = NULL) {
  both <- function(name, thresholds, has) {
    all <- lapply(thresholds, function(threshold) {
      share(update(design, has = as.numeric(has(round(metricValue, 9), threshold))))
    })
    names(all) <- thresholds
    setNames(list(lapply(all, `[[`, "share"), lapply(all, `[[`, "interval")), c(name, paste0(name, "Ci95")))
  }
  c(
    if (!is.null(from)) both("shares", from, `>=`),
    if (!is.null(to)) both("sharesAtMost", to, `<=`)
  )
}

# svyciprop has no Wilson interval: it is computed here from svymean's standard error.
share <- function(design) {
  mean <- svymean(~has, design)
  s <- as.numeric(coef(mean))
  error <- as.numeric(SE(mean))
  w <- weights(design)
  n <- if (error < 1e-12) sum(w)^2 / sum(w^2) else s * (1 - s) / error^2
  t <- qt(0.975, degf(design))
  middle <- s + t^2 / (2 * n)
  half <- t * sqrt(max(0, s * (1 - s)) / n + t^2 / (4 * n^2))
  list(share = s, interval = list(low = (middle - half) / (1 + t^2 / n), high = (middle + half) / (1 + t^2 / n)))
}

# Differences ---------------------------------------------------------------------------------------------------------

difference <- function(estimate, error, there) {
  list(difference = list(metricValue = estimate, percent = 100 * estimate / there, se = error))
}

# Of two groups with different households: each group is a stratum.
betweenGroups <- function(design, by, here, there) {
  means <- svyby(~metricValue, by, design, svymean, covmat = TRUE)
  contrast <- ifelse(names(coef(means)) == here, 1, ifelse(names(coef(means)) == there, -1, 0))
  estimate <- svycontrast(means, contrast)
  difference(as.numeric(coef(estimate)), as.numeric(SE(estimate)), coef(means)[[there]])
}

# Of two times, with all, some or none of the households on both sides: a ratio of totals per side. The variance of
# svytotal has n / (n - 1) of all households, and each side of a comparison that of its own.
betweenTimes <- function(d, weight, here, there) {
  d$w <- if (is.null(weight)) 1 else d[[weight]]
  d <- d[!is.na(d$w) & d$w > 0, ]
  households <- unique(d$agent)
  side <- function(time, column) {
    rows <- d[d$dtime == time, ]
    values <- rows[[column]][match(households, rows$agent)]
    ifelse(is.na(values), 0, values)
  }
  wide <- data.frame(w1 = side(here, "w"), w2 = side(there, "w"))
  wide$x1 <- wide$w1 * side(here, "metricValue")
  wide$x2 <- wide$w2 * side(there, "metricValue")
  n <- nrow(wide)
  own <- function(w) sqrt(sum(w > 0) / (sum(w > 0) - 1) / (n / (n - 1)))
  totals <- svytotal(~ x1 + w1 + x2 + w2, equal(wide))
  estimate <- svycontrast(totals, quote(x1 / w1 - x2 / w2))
  errors <- svycontrast(totals, bquote(.(own(wide$w1)) * x1 / w1 - .(own(wide$w2)) * x2 / w2))
  c(
    difference(as.numeric(coef(estimate)), as.numeric(SE(errors)), sum(wide$x2) / sum(wide$w2)),
    list(households = list(
      both = sum(wide$w1 > 0 & wide$w2 > 0),
      onlyHere = sum(wide$w2 == 0),
      onlyThere = sum(wide$w1 == 0)
    ))
  )
}

# The rows of the households that count at both times.
ofBoth <- function(d, weight) {
  d <- d[!is.na(d[[weight]]) & d[[weight]] > 0, ]
  times <- table(d$agent)
  d[d$agent %in% names(times)[times == 2], ]
}

# Unweighted differences are Welch's and the paired t test, with their degrees of freedom.
ofTest <- function(test, estimate) {
  list(difference = list(
    metricValue = estimate, p = test$p.value, df = as.numeric(test$parameter),
    ci95 = as.numeric(diff(test$conf.int)) / 2
  ))
}

welch <- function(here, there) {
  ofTest(t.test(here, there), mean(here) - mean(there))
}

paired <- function(d, here, there) {
  wide <- merge(d[d$dtime == here, ], d[d$dtime == there, ], by = "agent")
  ofTest(t.test(wide$metricValue.x, wide$metricValue.y, paired = TRUE), mean(wide$metricValue.x - wide$metricValue.y))
}

# Each group against all other households.
againstRest <- function(d, by) {
  groups <- split(d$metricValue, d[[by]])
  tests <- lapply(names(groups), function(group) welch(groups[[group]], d$metricValue[d[[by]] != group]))
  adjusted <- p.adjust(sapply(tests, function(test) test$difference$p), "BH")
  results <- Map(function(test, p) list(difference = c(test$difference, pAdjusted = p)), tests, adjusted)
  setNames(results, names(groups))
}

# Output --------------------------------------------------------------------------------------------------------------

# Prints the numbers of a case that are computed from `file`, read as `d`.
case <- function(name, file, numbers) {
  d <- read.csv(file)
  isText <- vapply(d, is.character, TRUE)
  # A blank cell of a split is a group, whose name in the API is null.
  d[isText] <- lapply(d[isText], named)
  report(name, unlist(eval(substitute(numbers), list(d = d, folder = dirname(file)), globalenv())))
}

named <- function(text) ifelse(text == "", "null", text)

# One line of JSON.
report <- function(name, values) {
  text <- ifelse(is.na(values), "null", sprintf("%.17g", values))
  quoted <- function(text) encodeString(text, quote = '"')
  cat(sprintf('{"case": %s, "numbers": {%s}}\n', quoted(name), paste0(quoted(names(values)), ": ", text, collapse = ", ")))
}
