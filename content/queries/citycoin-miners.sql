-- title: Largest CityCoins miners
-- about: STX that each address committed to MiamiCoin and NewYorkCityCoin, and what it claimed. State of 23 August 2022.
-- topic: Stacks

SELECT
  city,
  miner,
  blocks_mined AS blocks_bid_for,
  committed_ustx / 1e6 AS committed_stx,
  claimed_amount / 1e6 AS claimed_coins,
  100 * committed_ustx / sum(committed_ustx) OVER (PARTITION BY city) AS percent_of_city
FROM citycoin_miners
ORDER BY committed_ustx DESC
LIMIT 50
