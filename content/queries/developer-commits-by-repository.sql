-- title: Most active repositories
-- about: Commits per repository in the last 365 recorded days, without merges and bots.
-- topic: Developers
-- parameter days: 365

SELECT
  repository,
  sum(commits) AS commits_total,
  sum(bots) AS bot_commits,
  countIf(commits > 0) AS active_days,
  max(day) AS last_active_day
FROM dev_repository_days
WHERE day > (SELECT max(day) FROM dev_repository_days) - {days:UInt16}
GROUP BY repository
HAVING commits_total > 0
ORDER BY commits_total DESC
