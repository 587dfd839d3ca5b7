-- title: What Stacks miners bid per Bitcoin block
-- about: Block commits in each indexed Bitcoin block: miners, total bid, highest bid and its share.
-- topic: Stacks

SELECT
  height AS bitcoin_height,
  block_time AS block_time_utc,
  uniqExact(sender) AS miners,
  sum(bid_sat) / 1e8 AS bids_btc,
  max(bid_sat) / 1e8 AS highest_bid_btc,
  argMax(sender, bid_sat) AS highest_bidder,
  100 * max(bid_sat) / sum(bid_sat) AS highest_bid_percent
FROM stx_block_commits
GROUP BY bitcoin_height, block_time_utc
ORDER BY bitcoin_height
