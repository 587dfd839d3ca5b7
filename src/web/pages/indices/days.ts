/** What a day is on a page of indices. */
export const DAYS = {
  words:
    'A day is a UTC day by the closes of its end. A rebalancing uses what was known at its close and takes effect after it; a day with a price of an earlier day, or with prices of two publishers more than 5 % apart, is drawn hollow.',
}
