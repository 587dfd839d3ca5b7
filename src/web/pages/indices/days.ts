/** What a day is on a page of indices. */
export const DAYS = {
  words:
    'Days are UTC days by their closing prices. A rebalancing uses data available at its close and takes effect after it. Days with an earlier day’s price, or with two sources more than 5% apart, are hollow.',
}
