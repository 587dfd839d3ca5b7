-- title: Developers in two ecosystems
-- about: People with a commit in both ecosystems within a year, as a share of the smaller one.
-- topic: Developers

SELECT
  pairs.ecosystem AS first_ecosystem,
  pairs.other AS second_ecosystem,
  pairs.people AS shared_people,
  least(first.people, second.people) AS people_of_the_smaller,
  100 * shared_people / people_of_the_smaller AS percent_of_the_smaller
FROM dev_overlap AS pairs
-- A row that pairs an ecosystem with itself counts all its people.
INNER JOIN dev_overlap AS first ON first.ecosystem = pairs.ecosystem AND first.other = pairs.ecosystem
INNER JOIN dev_overlap AS second ON second.ecosystem = pairs.other AND second.other = pairs.other
WHERE pairs.ecosystem < pairs.other  -- each pair once
  AND pairs.ecosystem != 'ecosystems' AND pairs.other != 'ecosystems'
ORDER BY shared_people DESC, first_ecosystem, second_ecosystem
