-- title: How many new developers stay
-- about: Share of new developers who still commit six months later, by year and ecosystem.
-- topic: Developers

SELECT
  ecosystem,
  toYear(month - INTERVAL 6 MONTH) AS first_commit_year,
  sum(newcomers) AS new_developers,
  sum(retained) AS active_after_6_months,
  100 * active_after_6_months / new_developers AS retained_percent
FROM dev_retention
WHERE NOT is_raw
GROUP BY ecosystem, first_commit_year
HAVING new_developers >= 10
ORDER BY ecosystem, first_commit_year
