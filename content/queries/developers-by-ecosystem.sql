-- title: Developers by ecosystem
-- about: Monthly active and full-time developers on the newest day, against a year before. Only recorded repositories count.
-- topic: Developers

WITH (SELECT max(day) FROM dev_days WHERE NOT is_partial) AS last_day
SELECT
  ecosystems.name AS ecosystem_name,
  anyIf(days.monthly, days.day = last_day) AS monthly_developers,
  anyIf(days.monthly, days.day = last_day - 365) AS a_year_before,
  anyIf(days.full_time, days.day = last_day) AS full_time_developers,
  anyIf(days.repositories, days.day = last_day) AS active_repositories,
  last_day AS as_of
FROM dev_days AS days
INNER JOIN dev_ecosystems AS ecosystems ON ecosystems.ecosystem = days.ecosystem
-- Cleaned figures: bots are left out and addresses of one person are merged.
WHERE NOT days.is_raw AND days.day IN (last_day, last_day - 365)
GROUP BY ecosystem_name
ORDER BY monthly_developers DESC, ecosystem_name
