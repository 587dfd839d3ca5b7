-- title: Fast Pool by reward cycle
-- about: Members and stacked STX of one stacking pool in every reward cycle, and the average per member.
-- topic: Stacking

-- In cycles 99 to 101 the pool ran a second pool. Its members are not listed.
-- A row of pool_members is a run of cycles. arrayJoin(range()) gives one row per cycle.
SELECT
  arrayJoin(range(from_cycle, to_cycle + 1)) AS cycle,
  uniqExact(member) AS members,
  sum(amount_ustx) / 1e6 AS stacked_stx,
  stacked_stx / members AS stx_per_member
FROM pool_members
WHERE pool = 'fast-pool'
GROUP BY cycle
ORDER BY cycle
