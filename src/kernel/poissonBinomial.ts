/** Draws up to which the distribution is folded out; its shape is normal long before. */
const EXACT_DRAWS = 300

/**
 * SQL: the least count of successes that at least `share` of all outcomes stay within, of independent draws with the
 * chances `ps` (an array of Float64): a quantile of the Poisson binomial. The distribution is folded draw by draw up to
 * 300 draws, beyond that it is the normal one of the same mean and variance, with half a step of correction.
 * Source: Y. Hong, On computing the distribution function for the Poisson binomial distribution (2013).
 */
export function poissonBinomialQuantile(ps: string, share: number): string {
  const z = NORMAL_QUANTILES[String(share)]
  if (z === undefined) throw new RangeError(`no normal quantile of ${share} is noted`)
  const fold = `arrayFold((pmf, p) -> arrayMap((stays, comes) -> stays * (1 - p) + comes * p, arrayPushBack(pmf, toFloat64(0)), arrayPushFront(pmf, toFloat64(0))), if(length(${ps}) > ${EXACT_DRAWS}, [], ${ps}), [toFloat64(1)])`
  const normal = `greatest(toFloat64(0), least(toFloat64(length(${ps})), ceil(arraySum(${ps}) + ${z} * sqrt(arraySum(p -> p * (1 - p), ${ps})) - 0.5)))`
  // Sums of floats fall short of 1 by a few ulps: a share is reached where it is all but reached.
  return `if(length(${ps}) > ${EXACT_DRAWS}, toFloat64(${normal}), toFloat64(arrayFirstIndex(below -> below >= ${share} - 1e-12, arrayCumSum(${fold})) - 1))`
}

/** Quantiles of the standard normal distribution. */
const NORMAL_QUANTILES: Readonly<Record<string, number>> = { '0.025': -1.959964, '0.975': 1.959964 }
