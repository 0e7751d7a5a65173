# Weights of households that are raked to published margins, by survey's rake.

# `path`: the file of the margins, with fields of the households and `total`; a blank cell is not part of the margin.
# The weights have the mean 1, and each is from 1 / bound to bound. They are raked and bounded until both hold.
raked <- function(d, path, bound = 5, rounds = 200) {
  rows <- read.csv(path, colClasses = "character", check.names = FALSE)
  rows$total <- as.numeric(rows$total)
  fields <- setdiff(names(rows), "total")
  isGiven <- as.matrix(rows[fields] != "")
  margins <- lapply(split(seq_len(nrow(rows)), apply(isGiven, 1, paste, collapse = " ")), function(of) {
    margin <- rows[of, c(fields[isGiven[of[1], ]], "total"), drop = FALSE]
    # Each margin is of the same households.
    transform(margin, Freq = total / sum(total) * nrow(d), total = NULL)
  })
  formulas <- lapply(margins, function(margin) reformulate(setdiff(names(margin), "Freq")))
  weights <- rep(1, nrow(d))
  for (round in seq_len(rounds)) {
    design <- svydesign(ids = ~1, weights = weights, data = d)
    # rake stops when no cell of the table changes by more than epsilon.
    unbounded <- weights(rake(design, formulas, margins, control = list(maxit = 1000, epsilon = 1e-13)))
    weights <- pmin(pmax(unbounded, mean(unbounded) / bound), mean(unbounded) * bound)
    if (max(abs(weights - unbounded)) < 1e-9) {
      return(setNames(as.numeric(unbounded / mean(unbounded)), d$agent))
    }
  }
  stop("The weights cannot be raked within the bounds.")
}

withRaked <- function(d, path, bound = 5) {
  transform(d, raked = raked(d, path, bound))
}

# Replicate weights ---------------------------------------------------------------------------------------------------

# `path`: of each agent, its weight in each replicate divided by its weight; 0 in the replicate without its group.
storedFactors <- function(d, path) {
  as.matrix(read.csv(path, row.names = "agent"))[as.character(d$agent), ]
}

# Each replicate is raked again, without the households of its group.
rakedFactors <- function(d, margins, path) {
  stored <- storedFactors(d, path)
  all <- raked(d, margins)
  apply(stored, 2, function(column) {
    factors <- rep(0, nrow(d))
    factors[column > 0] <- raked(d[column > 0, ], margins) / all[column > 0]
    factors
  })
}

# Delete-a-group jackknife, around the estimate of all households.
replicated <- function(d, weight, factors) {
  count <- ncol(factors)
  svrepdesign(
    data = d, weights = d[[weight]], repweights = factors, combined.weights = FALSE, type = "other",
    scale = (count - 1) / count, rscales = rep(1, count), mse = TRUE
  )
}

replicateMeans <- function(design, df = degf(design)) {
  mean <- svymean(~metricValue, design)
  halfWidth <- function(level) qt((1 + level) / 2, df) * as.numeric(SE(mean))
  list(metricValue = as.numeric(coef(mean)), ci90 = halfWidth(0.9), ci95 = halfWidth(0.95), ci99 = halfWidth(0.99))
}

replicateGroups <- function(design, by) {
  groups <- split(seq_len(nrow(design$variables)), design$variables[[by]])
  lapply(groups, function(rows) replicateMeans(design[rows, ], degf(design)))
}

replicateDifference <- function(design, by, here, there) {
  meanOf <- function(w, d, group) weighted.mean(d$metricValue[d[[by]] == group], w[d[[by]] == group])
  means <- function(w, d) meanOf(w, d, here) - meanOf(w, d, there)
  estimate <- withReplicates(design, means)
  difference(as.numeric(coef(estimate)), as.numeric(SE(estimate)), meanOf(weights(design, "sampling"), design$variables, there))
}
