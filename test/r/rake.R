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
